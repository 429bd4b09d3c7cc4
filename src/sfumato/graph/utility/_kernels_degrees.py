"""Kernels: the degrees that a grouping leads to expect."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

NEGLIGIBLE = 1e-14


@kernel
def _log_choose(many: int, some: int) -> float:
    return math.lgamma(many + 1.0) - math.lgamma(some + 1.0) - math.lgamma(many - some + 1.0)


@kernel
def _convolve_drawn(
    chance: NDArray[np.float64],
    low: int,
    high: int,
    mine: int,
    pairs: int,
    edges: int,
    work: NDArray[np.float64],
) -> tuple[int, int]:
    """Add to a degree the edges that fall on ``mine`` of the ``pairs`` when ``edges`` are drawn.

    ``chance[low:high]`` are the chances of degrees; what is negligible at the ends is cut off.
    """
    fewest = max(0, edges - (pairs - mine))
    most = min(edges, mine)
    work[low + fewest : high + most] = 0.0
    all_ = _log_choose(pairs, edges)
    for drawn in range(fewest, most + 1):
        share = math.exp(_log_choose(mine, drawn) + _log_choose(pairs - mine, edges - drawn) - all_)
        if share < NEGLIGIBLE:
            continue
        for degree in range(low, high):
            work[degree + drawn] += chance[degree] * share
    low += fewest
    high += most
    while low < high - 1 and work[low] < NEGLIGIBLE:
        low += 1
    while high - 1 > low and work[high - 1] < NEGLIGIBLE:
        high -= 1
    chance[low:high] = work[low:high]
    return low, high


@kernel
def expected_degrees(
    sizes: NDArray[np.int64],
    inside: NDArray[np.int64],
    starts: NDArray[np.int64],
    others: NDArray[np.int64],
    between: NDArray[np.int64],
    expected: NDArray[np.float64],
) -> None:
    """Add to ``expected[d]`` how many nodes have degree d, on average over all possible worlds.

    ``others[starts[g]:starts[g + 1]]`` are the groups that group g is linked to, with ``between`` edges.
    """
    chance = np.empty(len(expected), np.float64)
    work = np.empty(len(expected), np.float64)
    for group in range(len(sizes)):
        size = sizes[group]
        chance[0] = 1.0
        low, high = 0, 1
        low, high = _convolve_drawn(chance, low, high, size - 1, size * (size - 1) // 2, inside[group], work)
        for at in range(starts[group], starts[group + 1]):
            there = sizes[others[at]]
            low, high = _convolve_drawn(chance, low, high, there, size * there, between[at], work)
        for degree in range(low, high):
            expected[degree] += size * chance[degree]
