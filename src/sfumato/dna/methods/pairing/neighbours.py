"""The rows that are nearest to each row, without a matrix of all distances.

Identical rows are one point. Every two points are compared once, in blocks of rows (so that progress can be
shown), and each keeps a heap of the nearest: memory is n·K, not n².
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.methods._kernels_bits import nearest
from sfumato.dna.methods.pairing.distances import Bits

COMPARED_AT_ONCE = 20_000_000
"""pairs of rows between two reports of progress"""
TWINS = 4
"""of many identical rows so many are looked at"""
_FAR = np.int64(2**62)


@dataclass(frozen=True, eq=False)
class Points:
    """Distinct rows: the point of each row, and some rows of each point (−1 where there are fewer)."""

    of_row: NDArray[np.int64] = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    near: NDArray[np.int64] = field(repr=False)
    """points × K: the points nearest to each, the nearest first"""

    @property
    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Two rows for each two points of which one is near the other."""
        left = np.repeat(np.arange(len(self.near), dtype=np.int64), self.near.shape[1])
        right = self.near.ravel()
        pairs = np.unique(np.minimum(left, right) * len(self.near) + np.maximum(left, right))
        low, high = pairs // max(1, len(self.near)), pairs % max(1, len(self.near))
        return self.rows[low, 0], self.rows[high, 0]

    def candidates(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows near each row, as one array, and where those of each row begin in it."""
        points = np.concatenate([np.arange(len(self.near), dtype=np.int64)[:, None], self.near], axis=1)
        near = self.rows[points].reshape(len(points), -1)[self.of_row]
        there = (near >= 0) & (near != np.arange(len(near))[:, None])
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int64)
        return starts, near[there]


def points_of(bits: Bits, neighbours: int, progress: Progress = SILENT) -> Points:
    """Find the distinct rows and for each the nearest others."""
    as_bytes = np.ascontiguousarray(bits.words).view(np.dtype((np.void, 8 * bits.words.shape[1]))).ravel()
    _, first, of_row = np.unique(as_bytes, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # points stand in the order of their first rows, which is by chance
    of_row = rank[of_row].astype(np.int64)
    order = np.argsort(of_row, kind="stable")
    begins = np.searchsorted(of_row[order], np.arange(len(first)))
    place = np.arange(len(order)) - begins[of_row[order]]
    rows = np.full((len(first), TWINS), -1, np.int64)
    kept = place < TWINS
    rows[of_row[order][kept], place[kept]] = order[kept]
    words = np.ascontiguousarray(bits.words[rows[:, 0]])
    return Points(of_row, rows, _nearest(words, bits.plus, min(neighbours, len(first) - 1), progress))


def _nearest(words: NDArray[np.uint64], plus: int, number: int, progress: Progress) -> NDArray[np.int64]:
    n = len(words)
    near = np.full((n, number), -1, np.int64)
    if not number:
        return near
    far = np.full((n, number), _FAR, np.int64)
    first = 0
    while first < n:
        last = min(n, max(first + 1, int((first * first + 2 * COMPARED_AT_ONCE) ** 0.5)))
        nearest(words, plus, number, first, last, far, near)
        progress.update((last / n) ** 2, f"{last:,} of {n:,} distinct rows compared")
        first = last
    return np.ascontiguousarray(np.take_along_axis(near, np.argsort(far, axis=1, kind="stable"), axis=1))
