"""Genotypes of a VCF or BCF file: read block by block (dosages), or as rows (sets, half-missing calls kept).

Sites of two alleles that are written out as bases, SNPs and indels alike. Sites with more alleles are left
out and counted, or refused; those without an alternate allele and symbolic ones are left out and counted.
Splitting a site of several alleles would make a genotype of another allele look like the reference, so it is
never done here.

    call          set (rows)         dosage
    0/0 0/1 1/1   {0/0} {0/1} {1/1}  0 1 2          phased calls are read as unphased ones
    0/. ./1       0/. ./1            missing
    ./. .         ./.                missing
    0, 1          {0/0} {1/1}        0 2            haploid (X of men, Y, MT): as if twice, and counted
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.genotypes import dosages_of_sets, positions_of, room_for, sites_of
from sfumato.dna.reading.rows import Rows, counted_as
from sfumato.dna.reading.vcf import NO_ALLELE, Multiallelic, Record, VcfFile, open_vcf
from sfumato.dna.sites import Sites
from sfumato.dna.source import SITES_AT_ONCE, Block, InMemory
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, UNKNOWN, genotypes

_SETS = np.array(
    [
        # second allele: 0, 1, none, not called
        [HOM_REF, HET, HOM_REF, HOM_REF | HET],
        [HET, HOM_ALT, HOM_ALT, HET | HOM_ALT],
        [HOM_REF, HOM_ALT, UNKNOWN, UNKNOWN],
        [HOM_REF | HET, HET | HOM_ALT, UNKNOWN, UNKNOWN],
    ],
    np.uint8,
)
"""the set of two called alleles; −2 (none) and −1 (not called) are the last two rows and columns"""
_MANY = "sites of more than two alleles, left out"
_NONE = "sites without an alternate allele, left out"
_SYMBOL = "sites of symbolic alleles, left out"
_HAPLOID = "haploid calls, read as homozygous"


@dataclass(frozen=True, eq=False)
class VcfSource:
    """Genotypes of a VCF or BCF file. Made by ``open_vcf_source``; every pass reads the file again."""

    file: VcfFile = field(repr=False)
    sites: Sites = field(repr=False)
    counted: dict[str, int]

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.file.samples)

    @property
    def samples(self) -> tuple[str, ...]:
        """The names of the samples, for joins."""
        return self.file.samples

    def _columns(self) -> Iterator[NDArray[np.uint8]]:
        """Go through the sites; a file that has changed since it was opened is noticed."""
        total, found = len(self.sites), 0
        for record in self.file.records():
            if _reason(record) is not None:
                continue
            found += 1
            if found > total or len(record.calls) != self.people:
                raise self._changed("more sites or other samples")
            yield called_sets(record, str(self.file.path))
        if found != total:
            raise self._changed(f"{found:,}")

    def _changed(self, now: str) -> BadInput:
        return BadInput(
            f"the file had {len(self.sites):,} sites when it was opened and has {now} now",
            where=str(self.file.path),
            remedy="do not change it meanwhile",
        )

    def blocks(self, *, at_once: int = SITES_AT_ONCE, progress: Progress = SILENT) -> Iterator[Block]:
        """Go through all genotypes."""
        total, first = len(self.sites), 0
        waiting: list[NDArray[np.int8]] = []
        for column in self._columns():
            waiting.append(dosages_of_sets(column))
            if len(waiting) == at_once:
                yield Block(first, np.stack(waiting))
                first += len(waiting)
                waiting = []
                progress.update(first / total)
        if waiting:
            yield Block(first, np.stack(waiting))

    def counts(
        self, groups: Sequence[NDArray[np.bool_]], *, progress: Progress = SILENT
    ) -> NDArray[np.int64]:
        """Count dosages in each group."""
        found = np.zeros((len(groups), len(self.sites), 4), np.int64)
        for block in self.blocks(progress=progress):
            last = block.first + len(block.dosages)
            here = np.arange(block.first, last)
            found[:, block.first : last] = InMemory(block.dosages, self.sites.some(here)).counts(groups)
        return found

    def rows(self) -> Rows:
        """Return all genotypes in memory as sets: one row for each sample."""
        cells = room_for(self.people, len(self.sites))
        for at, column in enumerate(self._columns()):
            cells[:, at] = column
        data = Aligned(cells, genotypes(), positions_of(self.sites))
        return Rows(data, self.samples, self.sites, self.counted)


def open_vcf_source(
    path: Path | str | VcfFile, *, multiallelic: Multiallelic | str = Multiallelic.DROP
) -> VcfSource:
    """Open the genotypes of a VCF or BCF file: one pass that finds its sites and reads every call."""
    if multiallelic not in tuple(Multiallelic):
        raise BadInput(f"there is no way '{multiallelic}'", remedy=nearest(multiallelic, Multiallelic))
    file = path if isinstance(path, VcfFile) else open_vcf(path)
    counted = dict.fromkeys((_MANY, _NONE, _SYMBOL, _HAPLOID), 0)
    kept: list[tuple[str, int, str, str, str]] = []
    for record in file.records():
        reason = _reason(record)
        if reason == _MANY and multiallelic == Multiallelic.ERROR:
            raise BadInput(
                f"the site has {len(record.alleles)} alleles",
                where=f"{file.path}, record {record.number:,}",
                remedy="leave such sites out (multiallelic='drop')",
            )
        if reason is not None:
            counted[reason] += 1
            continue
        called_sets(record, str(file.path))
        counted[_HAPLOID] += int(np.count_nonzero(_haploid(record)))
        reference, alternate = record.alleles
        kept.append((record.chromosome, record.position, record.name, reference, alternate))
    if not kept:
        raise BadInput(
            f"the file has {counted_as(sum(counted.values()), 'record')} and no site of two alleles",
            where=str(file.path),
            remedy="give a file with SNPs",
        )
    return VcfSource(file, sites_of(kept), counted)


def called_sets(record: Record, where: str) -> NDArray[np.uint8]:
    """Return the set of each sample's call at a site of two alleles."""
    calls = record.calls
    if calls.shape[1] > 2 and (calls[:, 2:] != NO_ALLELE).any():
        many = int(np.count_nonzero((calls[:, 2:] != NO_ALLELE).any(axis=1)))
        raise BadInput(
            f"{counted_as(many, 'call')} of more than two alleles",
            where=f"{where}, record {record.number:,}",
            remedy="genotypes of two alleles can be read",
        )
    second = calls[:, 1] if calls.shape[1] > 1 else np.full(len(calls), NO_ALLELE, np.int16)
    return _SETS[calls[:, 0], second]


def _haploid(record: Record) -> NDArray[np.bool_]:
    if record.calls.shape[1] == 1:
        return np.asarray(record.calls[:, 0] >= 0)
    return np.asarray((record.calls[:, 0] >= 0) & (record.calls[:, 1] == NO_ALLELE))


def _reason(record: Record) -> str | None:
    """Say why a record is left out, or None."""
    if len(record.alleles) < 2:
        return _NONE
    if len(record.alleles) > 2:
        return _MANY
    return None if record.spelt else _SYMBOL
