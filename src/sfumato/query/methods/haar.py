"""The Haar wavelet of whole numbers: a total, and for each pair of halves their difference.

A. Haar (1910); X. Xiao, G. Wang & J. Gehrke, "Differential privacy via wavelet transforms" (2011), who take
half the difference of averages and weigh it by the number of leaves: times that weight it is the difference
of sums, a whole number that one person changes by 1. So noise of one scale for all differences is their
mechanism, without a fraction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.query.methods.axes import Overlap
from sfumato.query.methods.range_error import Descent, Floats, Integers


@dataclass(frozen=True)
class Haar:
    """The wavelet over an order of any length: neighbours are paired, one that is left over goes up alone.

    There are as many coefficients as cells. Of one person, the total and one difference at each level change
    by ±1: 1 + ⌈log₂ size⌉ in all.

    >>> wavelet = Haar(5)
    >>> wavelet.forward(np.array([3, 1, 4, 1, 5])).tolist()  # total, (3+1+4+1)−5, (3+1)−(4+1), 3−1, 4−1
    [14, 4, -1, 2, 3]
    >>> wavelet.inverse(np.array([14.0, 4, -1, 2, 3])).tolist()
    [3.0, 1.0, 4.0, 1.0, 5.0]
    """

    size: int

    @property
    def levels(self) -> int:
        """⌈log₂ size⌉."""
        return (self.size - 1).bit_length()

    @property
    def touched(self) -> int:
        """How many coefficients one person changes at most."""
        return 1 + self.levels

    @property
    def coefficients(self) -> int:
        """How many coefficients there are."""
        return self.size

    @property
    def _sizes(self) -> list[int]:
        """Nodes on each level, from the root down to the leaves."""
        sizes = [self.size]
        while sizes[0] > 1:
            sizes.insert(0, (sizes[0] + 1) // 2)
        return sizes

    def overlaps(self) -> list[Overlap]:
        """Return what two people may have in common: the ways from the root that differ in what matters.

        Those whose ways part j levels below the root share the total and j differences, and change the next
        one in opposite ways. Below the root both ways can be of full length; at the root one goes through
        the half that may not be full. Shorter ways change less and have as much in common.
        """
        full = self.touched
        found = [Overlap(full, full, full)]
        found += [Overlap(full, full, 1 + j, 1) for j in range(1, self.levels)]
        if self.levels:
            rest = self.size - 2 ** (self.levels - 1)
            other = 2 + (rest - 1).bit_length()
            found += [Overlap(full, other, 1, 1), Overlap(other, full, 1, 1)]
        return found

    def forward(self, cells: Integers) -> Integers:
        """Return the total and the differences, coarse ones first; further axes are kept."""
        found: list[Integers] = []
        sums = cells
        while len(sums) > 1:
            left, right = sums[: len(sums) // 2 * 2 : 2], sums[1::2]
            found.insert(0, left - right)
            sums = np.concatenate([left + right, sums[len(sums) // 2 * 2 :]])
        return np.concatenate([sums, *found])

    def inverse(self, noisy: Floats) -> Floats:
        """Return the cells: each half is (whole ± difference) / 2."""
        sums, start = np.asarray(noisy[:1], np.float64), 1
        for size in self._sizes[1:]:
            pairs = size // 2
            down = np.empty((size, *sums.shape[1:]))
            difference = noisy[start : start + pairs]
            down[: 2 * pairs : 2] = (sums[:pairs] + difference) / 2
            down[1 : 2 * pairs : 2] = (sums[:pairs] - difference) / 2
            down[2 * pairs :] = sums[pairs:]
            sums, start = down, start + pairs
        return sums

    def shares(self) -> Floats:
        """Return for each position its share of what the whole is corrected by: halves of halves."""
        return self.descent().shares

    def descent(self) -> Descent:
        """Return how estimates go down, when each coefficient was measured with variance 1.

        A half is whole/2 ± difference/2: as if each half had been measured with variance 1/2.
        """
        sizes = self._sizes
        if len(sizes) == 1:
            return Descent((np.zeros(1, np.int64),), (np.ones(1),), 1.0)
        return Descent(
            tuple(np.arange(size) // 2 for size in sizes[1:]),
            tuple(np.full(size, 0.5) for size in sizes[1:]),
            1.0,
        )
