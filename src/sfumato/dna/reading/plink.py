"""PLINK 1 files (Purcell 2007): genotypes of two bits (.bed) beside sites (.bim) and people (.fam).

The bytes 6c 1b 01, then for each site ⌈people / 4⌉ bytes, the first person in the lowest two bits: 0 twice
allele 1, 1 missing, 2 one of each, 3 twice allele 2. Dosages count allele 1, as PLINK does.

Counting reads the packed bytes where they lie: 32 people at a time and never a matrix of genotypes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.files import open_plain
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.reading.parts import part
from sfumato.dna.reading.plink_tables import Family, read_bim, read_fam
from sfumato.dna.reading.rows import Rows
from sfumato.dna.sites import Sites
from sfumato.dna.source import MISSING, SITES_AT_ONCE, Block

_MAGIC = b"\x6c\x1b"
_SITE_MAJOR, _PERSON_MAJOR = 1, 0
_START = 3
_COUNTED_AT_ONCE = 1 << 20
"""bytes that are counted at once: few enough to stay in the cache of a core"""


@dataclass(frozen=True, eq=False)
class PlinkSource:
    """A .bed file with its .bim and .fam. Made by ``open_plink``."""

    path: Path = field(repr=False)
    sites: Sites = field(repr=False)
    family: Family = field(repr=False)

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.family)

    def blocks(self, *, at_once: int = SITES_AT_ONCE, progress: Progress = SILENT) -> Iterator[Block]:
        """Go through all genotypes, with bed-reader."""
        total = len(self.sites)
        for first in range(0, total, at_once):
            last = min(first + at_once, total)
            yield Block(first, self.dosages_at(np.arange(first, last, dtype=np.int64)))
            progress.update(last / total)

    def dosages_at(self, which: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the genotypes of some sites, in the order of ``which`` (numbers from 0)."""
        with part("bed_reader").open_bed(
            self.path, iid_count=self.people, sid_count=len(self.sites), count_A1=True, num_threads=1
        ) as bed:
            dosages = bed.read(index=np.s_[:, which], dtype="int8", order="F").T
        dosages[dosages < 0] = MISSING
        return np.ascontiguousarray(dosages)

    def counts(
        self, groups: Sequence[NDArray[np.bool_]], *, progress: Progress = SILENT
    ) -> NDArray[np.int64]:
        """Count dosages in each group, straight from the packed bytes, on two threads."""
        from sfumato.dna.reading._kernels_plink import count_packed

        if any(group.shape != (self.people,) or group.dtype != np.bool_ for group in groups):
            raise AssertionError("a group is a mask over all people")
        if not groups:
            return np.zeros((0, len(self.sites), 4), np.int64)
        bytes_of_site = (self.people + 3) // 4
        words_of_site = (bytes_of_site + 7) // 8
        masks = np.stack([_even_bits(group, words_of_site) for group in groups])
        sizes = np.array([np.count_nonzero(group) for group in groups], np.int64)
        total = len(self.sites)
        found = np.empty((len(groups), total, 4), np.int64)
        packed = np.memmap(self.path, np.uint8, "r", _START, (total, bytes_of_site))
        step = max(1, _COUNTED_AT_ONCE // (8 * words_of_site))

        def count(first: int) -> int:
            here = packed[first : first + step]
            words = np.zeros((len(here), words_of_site), np.uint64)
            words.view(np.uint8)[:, :bytes_of_site] = here
            count_packed(words, masks, sizes, found, first)
            return first + len(here)

        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            for done in pool.map(count, range(0, total, step)):
                progress.update(done / total)
        return found

    def rows(self) -> Rows:
        """Return all genotypes in memory: one row for each person."""
        from sfumato.dna.reading.genotypes import rows_of_source

        return rows_of_source(self, self.family.samples, {})


def open_plink(path: Path | str) -> PlinkSource:
    """Open a .bed file; its .bim and .fam lie beside it under the same name."""
    path = Path(path)
    with open_plain(path) as file:
        start = file.read(_START)
    where = str(path)
    if not start:
        raise BadInput("the file is empty", where=where, remedy="give a .bed file of PLINK")
    if len(start) < _START or start[:2] != _MAGIC:
        raise BadInput(
            "the file does not begin as a .bed file of PLINK does", where=where, remedy="write it with PLINK"
        )
    if start[2] != _SITE_MAJOR:
        order = "one person after the other" if start[2] == _PERSON_MAJOR else "an order that is not known"
        raise BadInput(
            f"the genotypes lie in {order}, not one site after the other",
            where=where,
            remedy="write it again with plink --make-bed",
        )
    sites = read_bim(_beside(path, ".bim"))
    family = read_fam(_beside(path, ".fam"))
    expected = _START + len(sites) * ((len(family) + 3) // 4)
    size = path.stat().st_size
    if size != expected:
        raise BadInput(
            f"the file has {size:,} bytes, but {len(sites):,} sites of its .bim and {len(family):,} people "
            f"of its .fam make {expected:,}",
            where=where,
            remedy="the three files do not belong together, or one of them is cut short",
        )
    return PlinkSource(path, sites, family)


def _beside(path: Path, suffix: str) -> Path:
    found = path.with_suffix(suffix)
    if not found.exists():
        raise BadInput(f"there is no {suffix} file beside it", where=str(path), remedy="put it there")
    return found


def _even_bits(group: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Return a group with the even bit of each of its people set."""
    bits = np.zeros(words * 64, np.uint8)
    bits[: 2 * len(group) : 2] = group
    return np.packbits(bits, bitorder="little").view(np.uint64)
