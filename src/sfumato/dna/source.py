"""Genotypes that may be larger than memory: read block by block, counted where they lie.

A dosage is the number of alternate alleles of a person at a site: 0, 1, 2, and −1 where it is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.sites import Sites

MISSING = -1
SITES_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive sites from ``first`` on (counted from 0), all people."""

    first: int
    dosages: NDArray[np.int8] = field(repr=False)
    """sites × people, C-contiguous"""


class GenotypeSource(Protocol):
    """Where genotypes are read from: a VCF or PLINK file, or memory. May be gone through more than once."""

    @property
    def people(self) -> int:
        """How many people there are."""

    @property
    def sites(self) -> Sites:
        """The sites, in the order of the blocks."""

    def blocks(self, *, at_once: int = SITES_AT_ONCE, progress: Progress = SILENT) -> Iterator[Block]:
        """Go through all genotypes."""

    def counts(
        self, groups: Sequence[NDArray[np.bool_]], *, progress: Progress = SILENT
    ) -> NDArray[np.int64]:
        """Return groups × sites × 4: how many people of each group (a mask over the people) have dosage 0,
        1, 2, and a missing one. The one pass that frequencies and tests of association need."""


@dataclass(frozen=True, eq=False)
class InMemory:
    """Genotypes in memory, sites × people."""

    dosages: NDArray[np.int8] = field(repr=False)
    sites: Sites

    def __post_init__(self) -> None:
        if self.dosages.ndim != 2 or len(self.dosages) != len(self.sites):
            raise AssertionError("genotypes have a row for each site")

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.dosages.shape[1])

    def blocks(self, *, at_once: int = SITES_AT_ONCE, progress: Progress = SILENT) -> Iterator[Block]:
        """Go through all genotypes."""
        for first in range(0, len(self.dosages), at_once):
            yield Block(first, np.ascontiguousarray(self.dosages[first : first + at_once]))

    def counts(
        self, groups: Sequence[NDArray[np.bool_]], *, progress: Progress = SILENT
    ) -> NDArray[np.int64]:
        """Count dosages in each group."""
        found = np.zeros((len(groups), len(self.dosages), 4), np.int64)
        for at, group in enumerate(groups):
            mine = self.dosages[:, group]
            for column, dosage in enumerate((0, 1, 2, MISSING)):
                found[at, :, column] = (mine == dosage).sum(axis=1)
        return found
