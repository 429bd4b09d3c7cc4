"""Where genotypes lie: the sites of a study. All of it is public; nothing here is about a person."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sites:
    """Sites of two alleles each, in the order of the file. Arrays of the same length, of text but for
    ``position`` (from 1)."""

    chromosome: NDArray[np.object_] = field(repr=False)
    position: NDArray[np.int64] = field(repr=False)
    name: NDArray[np.object_] = field(repr=False)
    """the rs number or another public name; chromosome:position where the file gives none"""
    reference: NDArray[np.object_] = field(repr=False)
    alternate: NDArray[np.object_] = field(repr=False)

    def __len__(self) -> int:
        return len(self.position)

    def some(self, which: NDArray[np.int64]) -> Sites:
        """Return some of the sites, in the order given."""
        return Sites(
            self.chromosome[which],
            self.position[which],
            self.name[which],
            self.reference[which],
            self.alternate[which],
        )


def numbered(count: int) -> Sites:
    """Return made-up sites for examples and tests.

    >>> len(numbered(3)), numbered(3).name[0]
    (3, '1:1')
    """
    at = np.arange(1, count + 1, dtype=np.int64)
    return Sites(
        np.full(count, "1", np.object_),
        at,
        np.array([f"1:{place}" for place in at], np.object_),
        np.full(count, "A", np.object_),
        np.full(count, "G", np.object_),
    )
