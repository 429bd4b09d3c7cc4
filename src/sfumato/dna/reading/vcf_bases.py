"""A VCF file as sequences of bases: for each sample the base at each SNP, as in mitochondrial DNA.

All alleles of a site are kept, however many. Two records of one position (a site of several alleles that was
split) are refused: in each of them a sample with the other's allele would look like the reference.

    call          cell
    1, 1/1        the base of the allele
    ., ./., 0/.   N: an allele that was not called may be any base
    0/1           two bases: see ``TwoBases``
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.rows import Rows, counted_as
from sfumato.dna.reading.vcf import NO_ALLELE, NOT_CALLED, Record, VcfFile
from sfumato.hierarchy.iupac import ANY, A, C, G, T, iupac

_BASES = {"A": A, "C": C, "G": G, "T": T}
MITOCHONDRION = frozenset(("m", "mt", "chrm", "chrmt"))


class TwoBases(StrEnum):
    """What the cell of a sample is in which two different bases were called."""

    CODE = "code"
    """the code of IUPAC for both, R for A and G: the usual way to write it in a sequence"""
    FIRST = "first"
    """the base that is called first: what is released then says nothing of the other"""
    ERROR = "error"
    """refused"""


def vcf_bases(file: VcfFile, two_bases: TwoBases | str | None = None) -> Rows:
    """Read a VCF file as bases at SNPs; indels and symbolic alleles are left out and counted.

    Without ``two_bases`` a sample of two bases is read as the first one in mitochondrial DNA, where it is a
    mixture (heteroplasmy) within one person; elsewhere, where it is a heterozygote, it is refused.
    """
    columns: list[NDArray[np.uint8]] = []
    positions: list[str] = []
    seen: dict[str, int] = {}
    counted = {"records that are no SNP, left out": 0, "calls of two bases": 0, "cells not called": 0}
    for record in file.records():
        if not record.is_snp:
            counted["records that are no SNP, left out"] += 1
            continue
        place = f"{record.chromosome}:{record.position}"
        if place in seen:
            raise BadInput(
                f"the records {seen[place]:,} and {record.number:,} lie at the same position",
                where=str(file.path),
                remedy="join the alleles of a site in one record (bcftools norm -m +snps)",
            )
        seen[place] = record.number
        cells, two = _cells(record)
        counted["calls of two bases"] += int(np.count_nonzero(two))
        counted["cells not called"] += int(np.count_nonzero((cells == ANY) & ~two))
        if two.any():
            cells = _settled(cells, two, record, two_bases, str(file.path))
        columns.append(cells)
        positions.append(place)
    if not columns:
        others = counted_as(counted["records that are no SNP, left out"], "record")
        raise BadInput(f"the file has {others} and no SNP", where=str(file.path), remedy="give one with SNPs")
    cells = np.ascontiguousarray(np.stack(columns, axis=1))
    return Rows(Aligned(cells, iupac(), tuple(positions)), file.samples, counted=counted)


def _cells(record: Record) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the set of called bases of each sample (N when one was not called), and who has two."""
    # Numbers of alleles are indices from the front, −1 (not called) and −2 (no allele) from the back.
    table = np.array([*(_BASES[allele] for allele in record.alleles), 0, ANY], np.uint8)
    if table[NOT_CALLED] != ANY or table[NO_ALLELE] != 0:
        raise AssertionError("what stands for no allele has changed")
    cells: NDArray[np.uint8] = np.bitwise_or.reduce(table[record.calls], axis=1)
    called = (record.calls != NOT_CALLED).all(axis=1) & (cells != 0)
    two = called & (np.bitwise_count(cells) > 1)
    return np.where(called, cells, np.uint8(ANY)), two


def _settled(
    cells: NDArray[np.uint8],
    two: NDArray[np.bool_],
    record: Record,
    two_bases: TwoBases | str | None,
    where: str,
) -> NDArray[np.uint8]:
    """Return cells in which samples with two bases are what was asked for."""
    if two_bases is None:
        mixture = record.chromosome.lower() in MITOCHONDRION
        two_bases = TwoBases.FIRST if mixture else TwoBases.ERROR
    if TwoBases(two_bases) is TwoBases.ERROR:
        raise BadInput(
            f"{counted_as(int(np.count_nonzero(two)), 'call')} of two different bases: a sequence has one",
            where=f"{where}, record {record.number:,}",
            remedy="read the file as genotypes, or say two_bases='code' or 'first'",
        )
    if TwoBases(two_bases) is TwoBases.CODE:
        return cells
    table = np.array([_BASES[allele] for allele in record.alleles], np.uint8)
    kept = cells.copy()
    kept[two] = table[record.calls[two, 0]]
    return kept
