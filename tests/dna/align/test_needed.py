from pathlib import Path

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.align import ALIGNERS, Banded, Mafft, align_if_needed, usual_aligner
from sfumato.dna.aligned import Unaligned, aligned
from sfumato.hierarchy.iupac import parse


def unaligned(*texts: str) -> Unaligned:
    return Unaligned(tuple(parse(text) for text in texts), np.arange(len(texts)) + 5)


def test_sequences_of_the_same_length_stay_as_they_are() -> None:
    found = align_if_needed(unaligned("AC-T", "ACGN"), permitted=False)
    assert [found.lattice.spelt(row) for row in found.cells] == ["AC-T", "ACGN"]
    assert found.owners.tolist() == [5, 6]


def test_what_is_aligned_is_not_aligned_again() -> None:
    rows = aligned("A-C", "AGC")
    assert align_if_needed(rows, permitted=True) is rows


def test_different_lengths_without_permission_are_refused_in_counts() -> None:
    with pytest.raises(BadInput) as error:
        align_if_needed(unaligned("ACGT", "ACG", "ACG", "A"), permitted=False)
    assert "the 4 sequences have 3 different lengths, from 1 to 4 bases" in str(error.value)
    assert "align: true" in str(error.value)


def test_different_lengths_are_aligned_with_permission() -> None:
    found = align_if_needed(unaligned("ACGTTGCA", "ACGTGCA"), permitted=True, aligner=Banded())
    assert [found.lattice.spelt(row) for row in found.cells] == ["ACGTTGCA", "ACG-TGCA"]


def test_no_sequence_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="there is no sequence"):
        align_if_needed(Unaligned(()), permitted=True)


def test_mafft_is_usual_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert usual_aligner() == Banded()
    (tmp_path / "mafft").write_text("#!/bin/sh\n")
    (tmp_path / "mafft").chmod(0o755)
    assert usual_aligner() == Mafft()


def test_every_aligner_is_known_by_its_name() -> None:
    assert {name: made().name for name, made in ALIGNERS.items()} == {name: name for name in ALIGNERS}
