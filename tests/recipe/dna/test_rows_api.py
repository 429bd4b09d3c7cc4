"""The Python door to rows: lists, alignments, frames and files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, aligned
from sfumato.dna.methods import HaplotypeBlocks
from sfumato.dna.models import SequenceKAnonymity
from sfumato.dna.models.classes import classes_of, row_numbers
from sfumato.recipe.dna.api import check_dna, protect_dna
from tests.recipe.dna.rows_examples import SEQUENCES, UNEVEN, fasta, vcf

PAIRS = SequenceKAnonymity(2)


def test_a_list_of_texts_comes_back_as_one() -> None:
    release = protect_dna(list(SEQUENCES), models=PAIRS)
    assert min(Counter(release.data).values()) >= 2
    assert release.verdicts[0].holds
    assert set(release.utility) >= {"lattice-loss", "cells-changed"}


def test_texts_of_different_lengths_are_aligned_with_permission() -> None:
    with pytest.raises(BadInput, match="different lengths"):
        protect_dna(list(UNEVEN), models=PAIRS)
    release = protect_dna(list(UNEVEN), models=PAIRS, align="built-in")
    assert min(Counter(release.data).values()) >= 2
    assert "-" not in "".join(release.data)


def test_an_alignment_comes_back_as_one() -> None:
    release = protect_dna(aligned(*SEQUENCES), models=PAIRS, method=HaplotypeBlocks())
    assert isinstance(release.data, Aligned)
    assert release.data.persons is None
    assert sorted(map(bytes, release.data.cells)) == sorted(map(bytes, release.published.cells))


def test_persons_are_counted_in_lists() -> None:
    whose = ["a", "a", "b", "b", "a", "c", "c"]
    release = protect_dna(list(SEQUENCES), person=whose, models=PAIRS)
    rows = release.published
    classes = classes_of(row_numbers(rows.cells), rows.owners)
    assert classes.persons.min() >= 2


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_frame_comes_back_as_one(kind: type) -> None:
    frame = kind(
        {
            "who": list("abcdef"),
            "rs1": ["AG", "AA", "AG", "AA", "GG", "AG"],
            "rs2": ["CC"] * 6,
            "age": [1] * 6,
        }
    )
    release = protect_dna(frame, sequence=["rs1", "rs2"], person="who", models=PAIRS)
    assert isinstance(release.data, kind)
    assert list(release.data.columns) == ["rs1", "rs2"]
    assert set(release.data["rs2"]) == {"0/0"}


def test_a_file_comes_back_as_a_table(tmp_path: Path) -> None:
    release = protect_dna(tmp_path / vcf(tmp_path), models={"sequence-k-anonymity": {"k": 2}})
    assert release.data.column_names[0] == "1:100"
    assert release.public.form == "genotypes"
    sequences = protect_dna(tmp_path / fasta(tmp_path), models=PAIRS)
    assert sequences.data.column_names == ["sequence"]


def test_rows_are_shuffled_and_the_house_knows_which_is_whose() -> None:
    texts = ["A" * at + "C" * (40 - at) for at in range(40)]
    release = protect_dna(texts, models=PAIRS)
    assert np.array_equal(release.kept, np.arange(40))
    spelt = [release.published.lattice.spelt(row) for row in release.published.cells]
    assert sorted(spelt) == sorted(release.data)
    assert spelt != release.data


def test_a_report_is_written_on_request(tmp_path: Path) -> None:
    release = protect_dna(list(SEQUENCES), models=PAIRS)
    assert "sequence-k-anonymity" in release.report(tmp_path / "report.html").read_text()
    assert release.report(tmp_path / "public.html", public=True).exists()


def test_published_rows_are_checked_whoever_made_them(tmp_path: Path) -> None:
    assert check_dna(["AWTYA", "AWTYA"], models=PAIRS)[0].holds
    assert not check_dna(tmp_path / fasta(tmp_path), models=PAIRS)[0].holds


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sequence": "dna"}, "no column 'dna'|that the data do not have"),
        ({}, "which column holds DNA"),
        ({"sequence": "text", "person": "text"}, "two roles"),
        ({"sequence": "text", "colour": 3}, "'colour' is not understood"),
        ({"sequence": "text", "models": []}, "no model was given"),
        ({"sequence": "text", "models": ["k-anonymity"]}, "there is no model"),
        ({"sequence": "text", "order": "sorted"}, "'order' cannot be"),
        ({"sequence": "text", "attacks": ["homer"]}, "there is no attack 'homer'"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], said: str) -> None:
    frame = pd.DataFrame({"text": list(SEQUENCES)})
    with pytest.raises(BadInput, match=said):
        protect_dna(frame, **{"models": PAIRS, **options})  # type: ignore[arg-type]


def test_files_have_no_columns_to_name(tmp_path: Path) -> None:
    path = tmp_path / fasta(tmp_path)
    with pytest.raises(BadInput, match="only tables have columns"):
        protect_dna(path, sequence="dna", models=PAIRS)
    with pytest.raises(BadInput, match="'person' names a column"):
        protect_dna(path, person="who", models=PAIRS)
