"""Genotypes spelt by letters: AG, A/G, nothing where it is not known."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.reading import read_positions
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, UNKNOWN

SPELT = st.sampled_from(["AA", "AG", "GA", "GG", "A/G", "g|a", "", "--", "NN"])


def obvious(text: str, first: str, second: str) -> int:
    """Say what a genotype is, letter by letter."""
    letters = [letter for letter in text.upper() if letter in "ACGT"]
    if len(letters) < 2:
        return UNKNOWN
    return {0: HOM_REF, 1: HET, 2: HOM_ALT}[letters.count(second)] if first != second else HOM_REF


@settings(max_examples=30, deadline=None)
@given(st.lists(SPELT, min_size=1, max_size=12))
def test_the_first_letter_of_the_alphabet_is_the_reference(texts: list[str]) -> None:
    # A column without any letter could be anything: the second makes the table one of genotypes.
    rows = read_positions(pa.table({"rs1": texts, "rs2": ["CT"] * len(texts)}))
    seen = sorted({letter for text in texts for letter in text.upper() if letter in "ACGT"})
    first, second = [*seen, ".", "."][:2]
    assert rows.alleles == ((first, second), ("C", "T"))
    cells = rows.alignment().cells
    assert rows.alignment().lattice.name == "genotypes"
    assert cells[:, 0].tolist() == [obvious(text, first, second) for text in texts]
    assert set(cells[:, 1].tolist()) == {HET}


def test_alleles_of_another_table_keep_their_meaning() -> None:
    here = read_positions(pa.table({"rs1": ["GG", "GG"], "rs2": ["AC", "AA"]}))
    assert here.alleles == (("G", "."), ("A", "C"))
    there = read_positions(pa.table({"rs1": ["AG", "GG"], "rs2": ["CC", "CC"]}), alleles=here.alleles)
    assert there.alleles == (("G", "A"), ("A", "C"))
    assert there.alignment().cells.tolist() == [[HET, HOM_ALT], [HOM_REF, HOM_ALT]]


def test_empty_cells_of_a_file_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "snps.csv"
    path.write_text("who,rs1,rs2\na,,TT\nb,,CT\n")
    rows = read_positions(path, person="who")
    assert rows.alignment().cells[:, 0].tolist() == [UNKNOWN, UNKNOWN]
    assert rows.alleles == ((".", "."), ("C", "T"))


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (["AG", "AX"], "the cell is no genotype of two letters"),
        (["AG", "A"], "the cell is no genotype of two letters"),
        (["AG", "0/1"], "the cell is no genotype of two letters"),
        (["AG", "CC"], "the column has 3 alleles"),
    ],
)
def test_what_is_no_genotype_is_told_by_its_place(column: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said) as told:
        read_positions(pa.table({"rs1": column}))
    assert "column 'rs1'" in told.value.where
    assert "AX" not in str(told.value)


def test_numbers_of_alleles_are_no_letters() -> None:
    rows = read_positions(pa.table({"rs1": ["0/1", "./."], "rs2": ["1|1", "0/0"]}))
    assert rows.alleles == ()
    assert rows.alignment().cells.tolist() == [[HET, HOM_ALT], [UNKNOWN, HOM_REF]]
