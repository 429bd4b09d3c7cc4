"""Rows as bits, so that levels and distances of any lattice are counts of bits.

Every function of sets with f(∅) = 0 is, in one way only, a sum over the sets that are met:

    level(x) = Σ over S of w(S)·[x ∩ S ≠ ∅]        (Möbius inversion; Rota 1964)

and whether a union meets S is the *or* of whether its parts do. So with a bit for each S whose weight is not
0 (w bits where it is more than 1) the join of rows is the *or* of words, and its level a count of bits. Of
bases, S runs over the single bases; a gap meets all four of these and lacks a bit *is a base* of weight
4 − gap_level; of genotypes it runs over {0/0}, {1/1}, {0/0, 0/1}, {0/1, 1/1}. Bits that all rows share are
left out.

Where no weight is negative, d(x, y) = 2·level(x ∨ y) − level(x) − level(y) is the number of bits in which x
and y differ, and hence a metric. This holds for genotypes and for bases with a gap of any level.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.methods._kernels_bits import distances, pack
from sfumato.hierarchy.iupac import SIZE, Lattice

ROWS_AT_ONCE = 1024


def weights(lattice: Lattice) -> dict[int, int]:
    """Return w(S) of each set S that has one.

    >>> from sfumato.hierarchy.iupac import genotypes, iupac
    >>> weights(genotypes())
    {1: 1, 3: 1, 4: 1, 6: 1, 7: -1}
    >>> weights(iupac(gap_level=2))
    {15: 2, 17: 1, 18: 1, 20: 1, 24: 1, 31: -2}
    """
    everything = int(np.bitwise_or.reduce(list(lattice.masks.values())))
    level = [int(lattice.levels[lattice.closed[mask]]) if mask else 0 for mask in range(everything + 1)]
    subsets = [mask for mask in range(1, everything + 1) if mask & everything == mask]
    found: dict[int, int] = {}
    for mask in subsets:
        missed = level[everything] - level[everything & ~mask]
        found[mask] = missed - sum(found[part] for part in subsets if part < mask and part & mask == part)
    return {mask: weight for mask, weight in found.items() if weight}


@dataclass(frozen=True, eq=False)
class Bits:
    """Rows as words; the first ``plus`` words count as more, those after them as less."""

    words: NDArray[np.uint64] = field(repr=False)
    plus: int

    def __len__(self) -> int:
        return len(self.words)

    @property
    def metric(self) -> bool:
        """Whether the distance of these rows is sure to be a metric."""
        return bool(self.plus == self.words.shape[1])

    @classmethod
    def of(cls, cells: NDArray[np.uint8], lattice: Lattice) -> Bits:
        """Pack the rows of a matrix of sets."""
        present = _present(cells)
        masks = np.arange(SIZE)
        more: list[tuple[int, int]] = []
        less: list[tuple[int, int]] = []
        for met, weight in weights(lattice).items():
            meets = np.uint32(np.bitwise_or.reduce(np.where(masks & met, np.uint32(1) << masks, 0)))
            varies = (present & meets != 0) & (present & ~meets != 0)
            for column in np.flatnonzero(varies).tolist():
                (more if weight > 0 else less).extend([(column, met)] * abs(weight))
        plus = (len(more) + 63) // 64
        words = max(1, plus + (len(less) + 63) // 64)
        table = np.array(more + less, np.int64).reshape(-1, 2)
        columns, sets = np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])
        plus = plus if less else words
        return cls(pack(_own(cells), columns, sets, words, len(more), plus), plus)

    def distances(self) -> NDArray[np.int32]:
        """d(x, y) of every two rows, of which there are few."""
        return distances(self.words, self.plus)


def _present(cells: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The sets that occur in each column, one bit for each of 32."""
    found = np.zeros(cells.shape[1], np.uint32)
    for first in range(0, len(cells), ROWS_AT_ONCE):
        some = np.uint32(1) << cells[first : first + ROWS_AT_ONCE].astype(np.uint32)
        found |= np.bitwise_or.reduce(some, axis=0)
    return found


def _own(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells as kernels want them: in one piece and writable."""
    return np.require(cells, np.uint8, ["C", "W"])
