"""The generalisation lattice: one level for each column, ordered component by component."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder

Levels = NDArray[np.int64]
"""a node: the level of every column"""


@dataclass(frozen=True)
class Lattice:
    """All level vectors 0 ≤ x ≤ heights. The order is x ≤ y when x_j ≤ y_j for every column j.

    Arrays over the lattice are flat, in C order: node x lies at Σ x_j · strides_j.

    >>> lattice = Lattice((2, 1))
    >>> lattice.size, lattice.position(np.array([1, 1]))
    (6, 3)
    >>> lattice.levels(3).tolist()
    [1, 1]
    """

    heights: tuple[int, ...]

    @classmethod
    def of(cls, ladders: tuple[Ladder, ...]) -> Lattice:
        """Return the lattice over all levels of some ladders."""
        return cls(tuple(ladder.height for ladder in ladders))

    @cached_property
    def size(self) -> int:
        """How many nodes there are (an exact integer, however large)."""
        return prod(height + 1 for height in self.heights)

    @cached_property
    def shape(self) -> NDArray[np.int64]:
        """How many levels every column has."""
        return np.array(self.heights, np.int64) + 1

    @cached_property
    def strides(self) -> NDArray[np.int64]:
        """How far apart two neighbouring levels of a column lie."""
        return np.array(
            [prod(h + 1 for h in self.heights[j + 1 :]) for j in range(len(self.heights))], np.int64
        )

    @property
    def top(self) -> Levels:
        """The most general node."""
        return np.array(self.heights, np.int64)

    def position(self, levels: Levels) -> int:
        """Return where a node lies in arrays over the lattice."""
        return int(levels @ self.strides)

    def levels(self, position: int) -> Levels:
        """Return the node at a position."""
        return position // self.strides % self.shape

    def sums(self, tables: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return Σ_j tables[j][x_j] for every node x."""
        total = np.zeros(1)
        for table in tables:
            total = (total[:, None] + table[None, :]).ravel()
        return total

    def maxima(self, tables: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return max_j tables[j][x_j] for every node x."""
        largest = np.full(1, -np.inf)
        for table in tables:
            largest = np.maximum(largest[:, None], table[None, :]).ravel()
        return largest
