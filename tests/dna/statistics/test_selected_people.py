"""Some sites of some people, read from a file directly, are those of one pass over all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sfumato.dna.reading import SomePeople, open_plink
from sfumato.dna.statistics.selected import dosages_of


@pytest.mark.golden
def test_sites_read_directly_are_those_of_a_whole_pass(shared: Path) -> None:
    source = open_plink(shared / "data" / "dna" / "plink_sim_10s_100v_10pmiss.bed")
    every = np.concatenate([block.dosages for block in source.blocks(at_once=7)])
    some = SomePeople(source, np.arange(source.people) % 3 == 0)
    which = np.array([0, 3, 41, 99], np.int64)
    assert np.array_equal(dosages_of(source, which), every[which])
    assert np.array_equal(dosages_of(some, which), every[which][:, some.which])
    assert (every == -1).any()
