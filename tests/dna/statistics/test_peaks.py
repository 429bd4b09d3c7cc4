"""Published p-values along the genome, cut into stretches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.dna.contract import Statistics
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.statistics.peaks import peaks


def on(chromosomes: list[str]) -> Sites:
    plain = numbered(len(chromosomes))
    return Sites(
        np.array(chromosomes, np.object_), plain.position, plain.name, plain.reference, plain.alternate
    )


@settings(deadline=None)
@given(
    p=st.lists(st.tuples(st.sampled_from("12X"), st.floats(0, 1) | st.just(float("nan"))), max_size=40),
    most=st.integers(1, 10),
)
def test_every_site_lies_in_one_stretch_of_its_chromosome(p: list[tuple[str, float]], most: int) -> None:
    p.sort(key=lambda pair: pair[0])
    found = peaks(Statistics(on([c for c, _ in p]), {"p": np.array([v for _, v in p])}), most=most)
    assert sum(one.sites for one in found) == len(p)
    assert len(found) <= most + 3
    at = 0
    for one in found:
        inside = p[at : at + one.sites]
        at += one.sites
        assert {chromosome for chromosome, _ in inside} == {one.chromosome}
        known = [value for _, value in inside if value == value]
        if not known:
            assert one.highest is None
        elif min(known) > 1e-300:
            assert one.highest == pytest.approx(-np.log10(min(known)), abs=1e-4)


def test_what_is_too_small_for_a_float_is_read_from_its_logarithm() -> None:
    columns = {"p": np.array([0.0, 0.1]), "log10_p": np.array([-1087.684, -1.0])}
    (first, second) = peaks(Statistics(numbered(2), columns))
    assert (first.highest, second.highest) == (1087.684, 1.0)
    (alone, _) = peaks(Statistics(numbered(2), {"p": columns["p"]}))
    assert alone.highest is not None
    assert alone.highest > 300


def test_without_a_column_of_p_there_are_none() -> None:
    assert peaks(Statistics(numbered(2), {"frequency": np.array([0.1, 0.2])})) == []


def test_a_p_outside_its_range_is_no_p() -> None:
    assert [one.highest for one in peaks(Statistics(numbered(2), {"p": np.array([-0.1, 2.0])}))] == [None] * 2
