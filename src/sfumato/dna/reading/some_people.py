"""Some of the people of a source, without copying genotypes: those whose state is known, or a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.sites import Sites
from sfumato.dna.source import SITES_AT_ONCE, Block, GenotypeSource


@dataclass(frozen=True, eq=False)
class SomePeople:
    """A source with the people of a mask only, in the same order.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> source = InMemory(np.array([[0, 1, 2]], np.int8), numbered(1))
    >>> half = SomePeople(source, np.array([True, False, True]))
    >>> half.people, half.counts([np.array([False, True])]).tolist()
    (2, [[[0, 0, 1, 0]]])
    """

    source: GenotypeSource
    which: NDArray[np.bool_] = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.which) != self.source.people or self.which.dtype != np.bool_:
            raise AssertionError("a mask says of each person of the source whether they are taken")

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(np.count_nonzero(self.which))

    @property
    def sites(self) -> Sites:
        """The sites of the source."""
        return self.source.sites

    def blocks(self, *, at_once: int = SITES_AT_ONCE, progress: Progress = SILENT) -> Iterator[Block]:
        """Go through the genotypes of these people."""
        for block in self.source.blocks(at_once=at_once, progress=progress):
            yield Block(block.first, np.ascontiguousarray(block.dosages[:, self.which]))

    def counts(
        self, groups: Sequence[NDArray[np.bool_]], *, progress: Progress = SILENT
    ) -> NDArray[np.int64]:
        """Count dosages in each group (masks over these people)."""
        wide = []
        for group in groups:
            mask = np.zeros(len(self.which), np.bool_)
            mask[self.which] = group
            wide.append(mask)
        return self.source.counts(wide, progress=progress)
