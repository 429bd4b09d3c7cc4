"""Random choices that come out the same everywhere: whole numbers drawn from raw generator bits.

The bits of PCG64 for a seed are the same on every platform and in every version of numpy; the methods
that turn them into distributions are not promised to be. So only raw bits and integer weights are used.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Dice:
    """Draws from a seed. Each ``label`` has a stream of its own, so a new draw never changes another.

    >>> Dice(7).below("coin", 2, 8).tolist() == Dice(7).below("coin", 2, 8).tolist()
    True
    """

    seed: int

    def below(self, label: str, limit: int, count: int) -> Ints:
        """Return ``count`` whole numbers from 0 to ``limit - 1``."""
        # The bias of the remainder is below limit / 2^64: nothing that a demonstration can show.
        return (self._bits(label, count) % np.uint64(limit)).astype(np.int64)

    def chance(self, label: str, per_mille: ArrayLike, count: int) -> NDArray[np.bool_]:
        """Return true with a chance in thousandths, one for all or one for each."""
        return self.below(label, 1000, count) < np.asarray(per_mille)

    def pick(self, label: str, weights: ArrayLike, count: int) -> Ints:
        """Return positions in ``weights``, each as often as its weight says."""
        return self.pick_by(label, np.asarray(weights, np.int64)[None, :], np.zeros(count, np.int64))

    def pick_by(self, label: str, weights: ArrayLike, groups: Ints) -> Ints:
        """Return for each group number a position in that row of ``weights``."""
        table = np.asarray(weights, np.int64)
        ends = table.ravel().cumsum()
        last = ends[table.shape[1] - 1 :: table.shape[1]]
        totals = table.sum(axis=1)
        place = (self._bits(label, len(groups)) % totals[groups].astype(np.uint64)).astype(np.int64)
        found = np.searchsorted(ends, (last - totals)[groups] + place, side="right")
        return np.asarray(found - groups * table.shape[1], np.int64)

    def distinct(self, label: str, limit: int, count: int) -> Ints:
        """Return ``count`` different numbers from 0 to ``limit - 1``.

        They are the points i · a + b (mod limit), with a prime to ``limit``, in an order of chance.
        """
        first, start = self.below(f"{label}: line", limit, 2).tolist()
        step = first | 1
        while np.gcd(step, limit) != 1:
            step += 2
        shuffled = np.argsort(self._bits(label, count), kind="stable")
        return np.asarray((shuffled * step + start) % limit, np.int64)

    def _bits(self, label: str, count: int) -> NDArray[np.uint64]:
        stream = np.random.SeedSequence(self.seed, spawn_key=(zlib.crc32(label.encode()),))
        return np.asarray(np.random.PCG64(stream).random_raw(count), np.uint64)
