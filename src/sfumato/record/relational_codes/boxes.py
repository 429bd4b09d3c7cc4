"""What clusters of records show of their quasi-identifiers, and what it would cost to merge two of them.

The loss of a cluster is its certainty penalty (J. Xu et al., KDD 2006): rows · Σ_j width_j, where the width
of a range is its share of the axis, that of a set or node its share of the values, and 0 for a single value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.table.methods._kernels_mondrian import ORDERED, TREE
from sfumato.table.methods.mondrian_columns import Column

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Extent(Protocol):
    """One column of all clusters."""

    def widths(self) -> Floats:
        """Return how wide each cluster is."""

    def with_all(self, one: int) -> Floats:
        """Return how wide each cluster would be together with one of them."""

    def absorb(self, one: int, other: int) -> None:
        """Let a cluster take in another."""


@dataclass
class Range:
    """Values on an axis, as shares of its length; with a missing value beside others it says nothing."""

    low: Floats
    high: Floats
    missing: NDArray[np.bool_]
    spans: bool
    """whether the axis has any length"""

    @classmethod
    def of(cls, column: Column, codes: NDArray[np.int32], owner: Ints, number: int) -> Range:
        """Describe clusters of cells."""
        low, high = np.full(number, np.inf), np.full(number, -np.inf)
        absent = codes == column.missing
        missing = np.zeros(number, np.bool_)
        missing[owner[absent]] = True
        there = column.axis[codes[~absent]]
        np.minimum.at(low, owner[~absent], there)
        np.maximum.at(high, owner[~absent], there)
        return cls(low, high, missing, column.span > 0)

    def _width(self, low: Floats, high: Floats, missing: NDArray[np.bool_]) -> Floats:
        valued = high >= low
        width = np.where(valued, high, 0.0) - np.where(valued, low, 0.0)
        return np.where(missing & valued, 1.0, width) if self.spans else np.zeros_like(width)

    def widths(self) -> Floats:
        """Return the length of each range."""
        return self._width(self.low, self.high, self.missing)

    def with_all(self, one: int) -> Floats:
        """Stretch each range to hold one of them."""
        return self._width(
            np.minimum(self.low, self.low[one]),
            np.maximum(self.high, self.high[one]),
            self.missing | self.missing[one],
        )

    def absorb(self, one: int, other: int) -> None:
        """Stretch a range to hold another."""
        self.low[one] = min(self.low[one], self.low[other])
        self.high[one] = max(self.high[one], self.high[other])
        self.missing[one] |= self.missing[other]


@dataclass
class Choice:
    """Values without an order, as a bit for each."""

    bits: NDArray[np.uint8]
    size: int

    @classmethod
    def of(cls, column: Column, codes: NDArray[np.int32], owner: Ints, number: int) -> Choice:
        """Describe clusters of cells."""
        bits = np.zeros((number, (len(column.domain) + 7) // 8), np.uint8)
        np.bitwise_or.at(bits, (owner, codes // 8), (1 << (codes % 8)).astype(np.uint8))
        return cls(bits, column.size)

    def _width(self, bits: NDArray[np.uint8]) -> Floats:
        values = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        return np.where(values > 1, values / self.size, 0.0)

    def widths(self) -> Floats:
        """Return the share of the values that each cluster holds."""
        return self._width(self.bits)

    def with_all(self, one: int) -> Floats:
        """Add the values of one cluster to each."""
        return self._width(self.bits | self.bits[one])

    def absorb(self, one: int, other: int) -> None:
        """Add the values of another cluster."""
        self.bits[one] |= self.bits[other]


@dataclass
class Node:
    """The groups of a hierarchy: ``group[level, cluster]`` where all of it lies in one, else −1."""

    group: Ints
    shares: Floats
    """``shares[level, code]``: how much of the hierarchy lies in the group that begins with a code"""

    @classmethod
    def of(cls, column: Column, codes: NDArray[np.int32], owner: Ints, number: int) -> Node:
        """Describe clusters of cells."""
        group = np.full((len(column.tree), number), -1, np.int64)
        for level, first in enumerate(column.tree):
            least = np.full(number, len(first), np.int64)
            most = np.full(number, -1, np.int64)
            np.minimum.at(least, owner, first[codes])
            np.maximum.at(most, owner, first[codes])
            group[level] = np.where(least == most, least, -1)
        return cls(group, column.shares)

    def _width(self, group: Ints) -> Floats:
        level = np.argmax(group >= 0, axis=0)
        width: Floats = self.shares[level, group[level, np.arange(group.shape[1])]]
        return width

    def _shared(self, one: int) -> Ints:
        return np.where(self.group == self.group[:, [one]], self.group, -1)

    def widths(self) -> Floats:
        """Return the share of the hierarchy under the lowest common node of each cluster."""
        return self._width(self.group)

    def with_all(self, one: int) -> Floats:
        """Climb from each cluster until one of them lies below, too."""
        return self._width(self._shared(one))

    def absorb(self, one: int, other: int) -> None:
        """Climb until another cluster lies below, too."""
        self.group[:, one] = np.where(self.group[:, one] == self.group[:, other], self.group[:, one], -1)


@dataclass
class Boxes:
    """All clusters with their rows; those that were taken in by another have no rows."""

    extents: list[Extent]
    rows: Ints
    width: Floats = field(repr=False)

    @classmethod
    def of(cls, columns: tuple[Column, ...], codes: NDArray[np.int32], owner: Ints, rows: Ints) -> Boxes:
        """Describe clusters: cell c, of ``rows[c]`` rows, belongs to cluster ``owner[c]``."""
        number = int(owner.max(initial=-1)) + 1
        kinds: dict[int, type[Range | Node]] = {ORDERED: Range, TREE: Node}
        extents: list[Extent] = [
            kinds.get(column.kind, Choice).of(column, codes[j], owner, number)
            for j, column in enumerate(columns)
        ]
        counted = np.bincount(owner, weights=rows, minlength=number).astype(np.int64)
        return cls(extents, counted, np.sum([extent.widths() for extent in extents], axis=0))

    def __len__(self) -> int:
        return len(self.rows)

    def loss(self) -> Floats:
        """Return the certainty penalty of each cluster, summed over its rows."""
        return self.rows * self.width

    def with_all(self, one: int) -> Floats:
        """Return the certainty penalty of each cluster together with one of them."""
        widths = np.sum([extent.with_all(one) for extent in self.extents], axis=0)
        together: Floats = (self.rows + self.rows[one]) * widths
        return together

    @property
    def most(self) -> int:
        """The penalty of showing nothing."""
        return max(int(self.rows.sum()), 1) * len(self.extents)

    def absorb(self, one: int, other: int, together: float) -> None:
        """Let a cluster take in another; ``together`` is what ``with_all`` said of both."""
        for extent in self.extents:
            extent.absorb(one, other)
        self.rows[one] += self.rows[other]
        self.rows[other] = 0
        self.width[one] = together / self.rows[one]
        self.width[other] = 0.0
