"""One round of propagation: for every node of two networks the best counterpart in the other, at once.

Likeness is kept in whole numbers, so that sums do not depend on the order in which nodes are numbered.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ONE = 1 << 18
"""a likeness of 1: squares of as many as 2²⁷ candidates can be summed"""


@kernel
def known_neighbours(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], mate: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count for each node the neighbours that have a counterpart."""
    known = np.zeros(len(offsets) - 1, np.int64)
    for node in range(len(known)):
        for at in range(offsets[node], offsets[node + 1]):
            if mate[neighbours[at]] >= 0:
                known[node] += 1
    return known


@kernel
def _rank(
    likeness: np.int64,
    other: np.int64,
    witnesses: np.int64,
    node: np.int64,
    best: NDArray[np.int64],
) -> None:
    """Let a candidate stand for a place: columns are best, its witnesses, first, second, count, sums."""
    if likeness > best[node, 2]:
        best[node, 3] = best[node, 2]
        best[node, 2] = likeness
        best[node, 0] = other
        best[node, 1] = witnesses
    elif likeness > best[node, 3]:
        best[node, 3] = likeness
    best[node, 4] += 1
    best[node, 5] += likeness
    best[node, 6] += likeness * likeness


@kernel
def _stands_out(best: NDArray[np.int64], node: np.int64, threshold: float) -> bool:
    """Say whether (first − second) / σ reaches the threshold, σ over candidates and one that has nothing."""
    count = float(best[node, 4] + 1)
    mean = best[node, 5] / count
    spread = math.sqrt(max(best[node, 6] / count - mean * mean, 0.0))
    gap = float(best[node, 2] - best[node, 3])
    return gap > 0.0 and gap >= threshold * spread


@kernel
def matched(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    offsets_there: NDArray[np.int64],
    neighbours_there: NDArray[np.int32],
    mate: NDArray[np.int64],
    known: NDArray[np.int64],
    known_there: NDArray[np.int64],
    threshold: float,
    least: np.int64,
) -> NDArray[np.int64]:
    """Return for each node here the node there where each is the other's best and both stand out, or −1.

    ``mate`` are the counterparts so far; a pair needs ``least`` of them as common neighbours.
    """
    here, there = len(offsets) - 1, len(offsets_there) - 1
    common = np.zeros(there, np.int64)
    touched = np.empty(there, np.int64)
    best = np.zeros((here, 7), np.int64)
    best_there = np.zeros((there, 7), np.int64)
    for node in range(here):
        reached = 0
        for at in range(offsets[node], offsets[node + 1]):
            image = mate[neighbours[at]]
            if image < 0:
                continue
            for place in range(offsets_there[image], offsets_there[image + 1]):
                other = neighbours_there[place]
                if common[other] == 0:
                    touched[reached] = other
                    reached += 1
                common[other] += 1
        degree = offsets[node + 1] - offsets[node]
        for place in range(reached):
            other = touched[place]
            degree_there = offsets_there[other + 1] - offsets_there[other]
            cosine = common[other] / math.sqrt(float(known[node] * known_there[other]))
            alike = min(degree, degree_there) / max(degree, degree_there)
            likeness = np.int64(cosine * alike * ONE)
            _rank(likeness, other, common[other], np.int64(node), best)
            _rank(likeness, np.int64(node), common[other], other, best_there)
            common[other] = 0
    found = np.full(here, -1, np.int64)
    for node in range(here):
        if best[node, 1] < least or not _stands_out(best, np.int64(node), threshold):
            continue
        other = best[node, 0]
        if best_there[other, 0] == node and _stands_out(best_there, other, threshold):
            found[node] = other
    return found
