"""Sequences in tables, people files, and the one door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput, MissingPart
from sfumato.dna.aligned import Unaligned
from sfumato.dna.reading import (
    content_of,
    open_genotypes,
    open_rows,
    read_column,
    read_people,
    read_positions,
)
from sfumato.dna.reading.phenotype import read_phenotype
from sfumato.hierarchy.iupac import parse
from tests.dna.reading.made import vcf_text, write_bed, write_text

TABLE = {"who": ["x", "y", "x"], "dna": ["AAT", "aRg", "ATC"], "age": [3, 4, 5]}


@pytest.mark.parametrize("kind", ["arrow", "pandas", "polars", "csv", "parquet"])
def test_a_column_of_sequences_is_read_in_order_from_every_kind_of_table(tmp_path: Path, kind: str) -> None:
    csv, parquet = tmp_path / "a.csv", tmp_path / "a.parquet"
    pd.DataFrame(TABLE).to_csv(csv, index=False)
    pq.write_table(pa.table(TABLE), parquet)
    data: Any = {
        "arrow": pa.table(TABLE),
        "pandas": pd.DataFrame(TABLE),
        "polars": pl.DataFrame(TABLE),
        "csv": csv,
        "parquet": parquet,
    }[kind]
    rows = open_rows(data, column="dna", person="who")
    assert rows.alignment().cells.tolist() == [parse(text).tolist() for text in TABLE["dna"]]  # type: ignore[arg-type]
    assert rows.data.owners.tolist() == [0, 1, 0]


def test_a_long_table_keeps_its_order(tmp_path: Path) -> None:
    texts = ["".join("ACGT"[(at >> (2 * bit)) & 3] for bit in range(8)) for at in range(30_000)]
    pd.DataFrame({"dna": texts}).to_csv(tmp_path / "a.csv", index=False)
    cells = read_column(tmp_path / "a.csv", "dna").alignment().cells
    assert np.array_equal(cells, np.stack([parse(text) for text in texts]))


def test_lengths_may_differ_in_a_column() -> None:
    assert isinstance(read_column(pa.table({"dna": ["A", "AC"]}), "dna").data, Unaligned)
    with pytest.raises(BadInput, match="2 different lengths"):
        read_column(pa.table({"dna": ["A", "AC"]}), "dna", aligned=True)


def test_positions_are_read_as_bases_or_as_genotypes() -> None:
    bases = read_positions(
        pa.table({"MT:73": ["A", "g"], "MT:150": ["-", "N"], "who": ["a", "a"]}), person="who"
    )
    assert bases.alignment().positions == ("MT:73", "MT:150")
    assert bases.alignment().cells.tolist() == [[1, 16], [4, 15]]
    assert bases.data.owners.tolist() == [0, 0]
    found = read_positions(pa.table({"1:5": ["0/0", "1|0", "1/1", "0/.", "1/.", "./."]}))
    assert found.alignment().lattice.name == "genotypes"
    assert found.alignment().cells[:, 0].tolist() == [1, 2, 4, 3, 6, 7]


@pytest.mark.parametrize(
    ("table", "column", "message"),
    [
        ({"dna": ["A", None, None]}, "dna", "column 'dna': 2 values missing, the first in row 2"),
        ({"dna": ["A", " "]}, "dna", "row 2: the sequence is empty"),
        ({"dna": ["AC", "A9"]}, "dna", "row 2: one letter of the sequence is no code.*position 2"),
        ({"dna": ["AC"]}, "dan", "there is no column 'dan'; did you mean 'dna'"),
        ({"1": ["A", "Q"]}, None, "column '1', row 2: the cell is no code of IUPAC"),
        ({"1": ["0/1", "0/2"]}, None, "column '1', row 2: the cell is no genotype"),
    ],
)
def test_bad_cells_are_refused_with_their_row(
    table: dict[str, Any], column: str | None, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        open_rows(pa.table(table), column=column)


def test_a_person_who_is_missing_is_refused() -> None:
    with pytest.raises(BadInput, match="column 'who': 1 value missing, the first in row 2"):
        read_column(pa.table({"dna": ["A", "C"], "who": ["x", None]}), "dna", person="who")


def test_people_are_joined_by_sample_in_the_order_of_the_genotypes() -> None:
    file = pa.table(
        {"sample": ["c", "b", "a", "z"], "who": ["P", "Q", "P", "R"], "ill": ["2", "1", "-9", "2"]}
    )
    people = read_people(file, ["a", "b", "c"], person="who", phenotype="ill")
    assert people.persons[0] == people.persons[2] != people.persons[1]
    assert people.phenotype is not None
    assert people.phenotype.states.tolist() == [-1, 0, 1]
    assert people.unmatched == 1
    assert people.one_each.tolist() == [True, True, False]


def test_samples_that_are_missing_are_counted_and_not_named() -> None:
    file = pa.table({"sample": ["Anna", "Zoe"]})
    with pytest.raises(BadInput, match="2 samples of 3 not in the file, and 1 line of it without") as problem:
        read_people(file, ["Anna", "Bert", "Cleo"])
    assert not any(name in str(problem.value) for name in ("Anna", "Bert", "Cleo", "Zoe"))
    with pytest.raises(
        BadInput, match="1 sample name given to more than one: see numbers 1 and 2"
    ) as problem:
        read_people(pa.table({"sample": ["Anna", "Anna"]}), ["Anna"])
    assert "Anna" not in str(problem.value)
    with pytest.raises(BadInput, match="no sample names to join by"):
        read_people(file, [])


@pytest.mark.parametrize(
    ("texts", "case", "expected"),
    [
        (["1", "2", "0", ""], None, [0, 1, -1, -1]),
        (["0", "1", "NA"], None, [0, 1, -1]),
        (["Case", "control", None], None, [1, 0, -1]),
        (["T2D", "healthy", "-9"], "t2d", [1, 0, -1]),
    ],
)
def test_cases_are_read_as_they_are_usually_written(
    texts: list[str | None], case: str | None, expected: list[int]
) -> None:
    assert read_phenotype(texts, case=case).states.tolist() == expected


@pytest.mark.parametrize("texts", [["1", "1"], ["1", "3"], ["", None], ["0.4", "0.7"]])
def test_a_phenotype_that_is_not_clear_is_refused(texts: list[str | None]) -> None:
    with pytest.raises(BadInput, match="say how a case is written"):
        read_phenotype(texts)


def test_nobody_is_a_case_is_said() -> None:
    with pytest.raises(BadInput, match="nobody is a case"):
        read_phenotype(["a", "b"], case="c")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.bam", b"BAM\x01xxxx", "this is a BAM file of reads"),
        ("a.fastq", b"@r1\nACGT\n+\nIIII\n", "this is a FASTQ or SAM file"),
        ("a.zip", b"PK\x03\x04....", "this is a zip archive"),
        ("a.bed", b"chr1\t1\t2\n", "a .bed file without the first bytes of PLINK's"),
        ("a.bim", b"1 rs1 0 1 A G\n", r"the \.bim file of a PLINK fileset \(give its \.bed\)"),
        ("a.dat", b"what is this", "this is a file of another kind"),
        ("a.vcf.gz", b"\x1f\x8b\x08\x00\x00", "cut short"),
        ("a.vcf", b"", "the file is empty"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_it_is(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = write_text(tmp_path, name, content)
    for opened in (open_rows, open_genotypes):
        with pytest.raises(BadInput, match=message):
            opened(path)


def test_a_folder_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    for opened in (open_rows, open_genotypes):
        with pytest.raises(BadInput, match="this is a folder"):
            opened(tmp_path)
        with pytest.raises(BadInput, match="there is no such file"):
            opened(tmp_path / "none.vcf")


def test_sequences_hold_no_genotypes_of_sites(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a FASTA file holds no genotypes of sites"):
        open_genotypes(write_text(tmp_path, "a.fa", ">a\nAC\n"))
    with pytest.raises(BadInput, match="PLINK files hold genotypes"):
        open_rows(write_bed(tmp_path, [[0, 1]]), cells="bases")


def test_the_content_counts_and_not_the_name(tmp_path: Path) -> None:
    assert content_of(write_text(tmp_path, "a.txt", ">a\nAC\n")) == "FASTA"
    assert content_of(write_text(tmp_path, "b.fa", "##fileformat=VCFv4.2\n")) == "VCF"
    assert content_of(write_text(tmp_path, "c.csv", "dna\nAC\n")) == "table"


@pytest.mark.parametrize(
    "option", [{"column": "dna"}, {"cells": "bases"}, {"two_bases": "code"}, {"sample": "x"}]
)
def test_an_option_without_meaning_is_refused(tmp_path: Path, option: dict[str, Any]) -> None:
    path = write_text(tmp_path, "a.fa", ">a\nAC\n")
    with pytest.raises(BadInput, match="has no meaning for a FASTA file"):
        open_rows(path, **option)
    with pytest.raises(BadInput, match="there is no choice 'sets'"):
        open_rows(path, cells="sets")


@pytest.mark.parametrize(("name", "package"), [("a.fa", "biopython"), ("a.vcf", "cyvcf2")])
def test_a_part_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    def absent(module: str) -> None:
        raise ImportError(module)

    monkeypatch.setattr("sfumato.dna.reading.parts.importlib.import_module", absent)
    text = ">a\nAC\n" if name == "a.fa" else vcf_text([("1", 1, "A", "G", ["0/1"])])
    with pytest.raises(MissingPart, match=f"{package} is not installed; pip install 'sfumato\\[dna\\]'"):
        open_rows(write_text(tmp_path, name, text))
