"""What the error of cells and of ranges will be, when counts come from a tree: exactly, from metadata alone.

M. Hay, V. Rastogi, G. Miklau & D. Suciu, "Boosting the accuracy of differentially private histograms through
consistency" (2010); W. Qardaji, W. Yang & N. Li, "Understanding hierarchical methods for differentially
private histograms" (2013), who compare trees by the mean over all ranges.

Whatever the tree, estimates go down from a whole u to its parts, u_c = s_c · u + e_c: a public share of the
whole, and what was measured about this family alone. The e of different families are independent of each
other and of the whole above them, so variances add up level by level.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_ENDS = 2**16
"""beyond so many ends of ranges, as many of them, spread out, stand for all"""
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class Spread:
    """A mean variance, in two parts: of what was measured about parts, and what the whole's error adds.

    Where the whole is public the second part is gone.
    """

    parts: float
    whole: float

    @property
    def both(self) -> float:
        """The variance where the whole is only as well known as the parts tell."""
        return self.parts + self.whole


@dataclass(frozen=True)
class Descent:
    """Estimates that go down a tree.

    ``parents[level][node]`` is the number of the node above, in ascending order, from the children of the
    root down to the leaves. ``variances`` are those of the nodes' estimates before they are made to agree:
    the shares s of a family are in proportion to them, and e has the variance v − v²/Σv. ``root`` is the
    variance of the whole.
    """

    parents: tuple[Integers, ...] = field(repr=False)
    variances: tuple[Floats, ...] = field(repr=False)
    root: float

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self.parents[-1])

    @cached_property
    def _families(self) -> list[tuple[Integers, Floats, Floats, Floats]]:
        """From the leaves up: parents, variances, the sum over each family, and over earlier siblings."""
        found = []
        for parent, variance in zip(reversed(self.parents), reversed(self.variances), strict=True):
            starts = np.searchsorted(parent, np.arange(parent[-1] + 1))
            running = np.cumsum(variance) - variance
            found.append(
                (parent, variance, np.add.reduceat(variance, starts), running - running[starts][parent])
            )
        return found

    @cached_property
    def shares(self) -> Floats:
        """For each leaf its share of the whole."""
        share, node = np.ones(self.size), np.arange(self.size)
        for parent, variance, total, _ in self._families:
            share = share * variance[node] / total[parent[node]]
            node = parent[node]
        return share

    def cells(self) -> Spread:
        """Return the mean variance of a leaf."""
        weight, parts, node = np.ones(self.size), np.zeros(self.size), np.arange(self.size)
        for parent, variance, total, _ in self._families:
            mine, family = variance[node], total[parent[node]]
            parts += weight**2 * mine * (1.0 - mine / family)
            weight, node = weight * mine / family, parent[node]
        return Spread(float(parts.mean()), self.root * float((self.shares**2).mean()))

    def of(self, weights: Floats) -> Spread:
        """Return the variance of Σ weight · leaf."""
        parts = 0.0
        for parent, variance, total, _ in self._families:
            up = np.bincount(parent, weights * variance, len(total)) / total
            parts += float((variance * (weights - up[parent]) ** 2).sum())
            weights = up
        return Spread(parts, self.root * float(weights[0]) ** 2)

    def ranges(self, most_ends: int = MOST_ENDS) -> Spread:
        """Return the mean variance over all ranges of leaves i, …, j.

        With P_k the sum of the first k leaves, Σ over i < j of (P_j − P_i)² = n Σ P_k² − (Σ P_k)² for the n
        ends k: so the variances of n sums from the left, and that of their total, are enough. In large
        domains a part of the ends is taken, which changes the mean by less than a hundredth.
        """
        ends = _ends(self.size, most_ends)
        parts, whole = self._from_the_left(ends)
        together = self.of(
            np.asarray(len(ends) - np.searchsorted(ends, np.arange(self.size), "right"), float)
        )
        pairs = len(ends) * (len(ends) - 1) / 2
        return Spread(
            (len(ends) * float(parts.sum()) - together.parts) / pairs,
            (len(ends) * float(whole.sum()) - together.whole) / pairs,
        )

    def _from_the_left(self, ends: Integers) -> tuple[Floats, Floats]:
        """Return the variances of the sums of the first k leaves, for all ends k.

        In every family on the way up there is one node that is partly in the sum; those to its left are in.
        """
        node, weight, parts = np.minimum(ends, self.size - 1), (ends == self.size) * 1.0, np.zeros(len(ends))
        for parent, variance, total, before in self._families:
            mine, left, family = variance[node], before[node], total[parent[node]]
            mean = (left + weight * mine) / family
            parts += left * (1.0 - mean) ** 2 + mine * (weight - mean) ** 2 + (family - left - mine) * mean**2
            weight, node = mean, parent[node]
        return parts, self.root * weight**2


def _ends(size: int, most: int) -> Integers:
    """Return all ends of ranges, or one in each of ``most`` equal parts.

    Where in its part must not follow the tree, whose nodes are evenly spaced: multiples of the golden ratio
    fall anywhere (H. Weyl 1916).
    """
    if size <= most:
        return np.arange(size + 1)
    part = np.arange(most)
    return np.floor((part + part * _GOLDEN % 1.0) * size / most).astype(np.int64)
