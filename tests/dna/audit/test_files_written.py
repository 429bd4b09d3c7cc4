"""What is written is what the rows say, or is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import bed_reader
import cyvcf2
import numpy as np
import pyarrow.parquet as pq
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned, aligned
from sfumato.dna.contract import Statistics, Study
from sfumato.dna.sites import Sites, numbered
from sfumato.dna.source import InMemory
from sfumato.dna.writing import write_fasta, write_plink, write_rows, write_statistics, write_vcf
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import genotypes, iupac


def _sites(positions: list[int], reference: str = "A") -> Sites:
    made = numbered(len(positions))
    alleles = np.full(len(positions), reference, np.object_)
    return Sites(made.chromosome, np.array(positions, np.int64), made.name, alleles, made.alternate)


WRITERS: dict[str, Any] = {
    "a.fasta": lambda rows, path: write_fasta(rows, path),
    "a.csv": lambda rows, path: write_rows(rows, path),
    "a.parquet": lambda rows, path: write_rows(rows, path),
    "text.csv": lambda rows, path: write_rows(rows, path, "text"),
    "a.vcf": lambda rows, path: write_vcf(rows, numbered(rows.width), path),
    "a.bed": lambda rows, path: write_plink(rows, numbered(rows.width), path),
}


@pytest.mark.parametrize("name", sorted(WRITERS))
@pytest.mark.parametrize("mask", [0, 5, 17, 200])
def test_a_cell_that_is_no_set_is_never_written_as_another_one(tmp_path: Path, name: str, mask: int) -> None:
    """A table wrote the first set of the lattice for it, VCF an empty call and FASTA a question mark."""
    are_genotypes = name in ("a.vcf", "a.bed", "a.parquet")
    if mask == 5 and not are_genotypes:
        mask = 31
    rows = Aligned(np.ones((2, 2), np.uint8), genotypes() if are_genotypes else iupac())
    # An alignment refuses such cells when it is made; arrays can be written to afterwards.
    rows.cells[1, 1] = mask
    with pytest.raises(BadInput, match="1 cell that is no set of"):
        WRITERS[name](rows, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_letter_that_is_none_is_not_written_in_sequences_either(tmp_path: Path) -> None:
    broken = Unaligned((np.array([1, 0], np.uint8), np.array([2], np.uint8)))
    with pytest.raises(BadInput, match="1 cell that is no set of"):
        write_fasta(broken, tmp_path / "a.fa")


@pytest.mark.parametrize("position", [-1, 2**31])
@pytest.mark.parametrize("name", ["a.vcf", "a.csv"])
def test_a_position_that_could_not_be_read_back_is_refused(tmp_path: Path, position: int, name: str) -> None:
    sites = _sites([1, position])
    written: dict[str, Any] = {
        "a.vcf": lambda path: write_vcf(Aligned(np.array([[1, 1]], np.uint8), genotypes()), sites, path),
        "a.csv": lambda path: write_statistics(Statistics(sites, {"frequency": np.zeros(2)}), path),
    }
    with pytest.raises(BadInput, match="site 2"):
        written[name](tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_two_alleles_of_one_spelling_are_not_written_as_vcf(tmp_path: Path) -> None:
    rows = Aligned(np.array([[1]], np.uint8), genotypes())
    with pytest.raises(BadInput, match="site 1"):
        write_vcf(rows, _sites([7], reference="G"), tmp_path / "a.vcf")


def test_other_programmes_read_the_alleles_that_were_written(tmp_path: Path) -> None:
    rows = Aligned(np.array([[1, 2, 4, 3, 6, 7]], np.uint8).T.copy(), genotypes())
    for name in ("a.vcf", "a.vcf.gz"):
        write_vcf(rows, numbered(1), tmp_path / name, order=Order.KEPT)
        (variant,) = cyvcf2.VCF(str(tmp_path / name))
        called = [sorted(one[:2]) for one in variant.genotypes]
        assert called == [[0, 0], [0, 1], [1, 1], [-1, 0], [-1, 1], [-1, -1]]
        # 0 homozygous reference, 1 heterozygous, 2 not known, 3 homozygous alternate.
        (strict,) = cyvcf2.VCF(str(tmp_path / name), strict_gt=True)
        assert strict.gt_types.tolist() == [0, 1, 3, 2, 2, 2]
    exact = Aligned(np.array([[1, 2, 4, 7]], np.uint8), genotypes())
    write_plink(exact, numbered(4), tmp_path / "a.bed")
    with bed_reader.open_bed(tmp_path / "a.bed") as bed:
        assert np.array_equal(bed.read()[0], [0, 1, 2, np.nan], equal_nan=True)
        assert set(bed.allele_1) == {"G"}
        assert set(bed.allele_2) == {"A"}


def test_a_packed_file_tells_neither_when_nor_where_it_was_made(tmp_path: Path) -> None:
    genotypes_of_one = Aligned(np.array([[1, 2]], np.uint8), genotypes())
    write_vcf(genotypes_of_one, numbered(2), tmp_path / "a.vcf.gz")
    write_fasta(aligned("ACGT"), tmp_path / "a.fa.gz")
    write_rows(aligned("ACGT"), tmp_path / "a.csv.gz")
    write_statistics(Statistics(numbered(1), {"frequency": np.zeros(1)}), tmp_path / "a.tsv.gz")
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        flags, time = content[3], content[4:8]
        assert time == bytes(4)
        # 8 is the name of the file, 16 a comment.
        assert not flags & 24
        assert str(tmp_path).encode() not in content + gzip.decompress(content)


def test_a_parquet_file_holds_no_metadata(tmp_path: Path) -> None:
    write_rows(aligned("ACGT"), tmp_path / "a.parquet")
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert file.metadata.metadata is None
    assert str(tmp_path).encode() not in (tmp_path / "a.parquet").read_bytes()


def test_who_is_ill_does_not_show_when_a_study_is_printed() -> None:
    source = InMemory(np.zeros((1, 2), np.int8), numbered(1))
    assert "True" not in repr(Study(source, np.array([True, False])))
