"""Where planted accounts lie in a network: search with pruning by degrees and by the edges among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def _connected(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], one: np.int64, other: np.int64
) -> bool:
    low = offsets[one]
    high = offsets[one + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < offsets[one + 1] and neighbours[low] == other)


@kernel
def _misses(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    inside: NDArray[np.uint8],
    image: NDArray[np.int64],
    depth: int,
    node: np.int64,
    walked: int,
    left: np.int64,
) -> np.int64:
    """Count pairs with earlier accounts that are connected otherwise than planted; −1 where it cannot be.

    It cannot where the node stands already, where more than ``left`` pairs are wrong, or where it was met
    before, among the neighbours of an account before ``walked``.
    """
    misses = np.int64(0)
    for earlier in range(depth):
        if image[earlier] == node:
            return np.int64(-1)
        there = _connected(offsets, neighbours, image[earlier], node)
        if there and earlier < walked and inside[depth, earlier]:
            return np.int64(-1)
        if there != (inside[depth, earlier] != 0):
            misses += 1
            if misses > left:
                return np.int64(-1)
    return misses


@kernel
def places(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    degree: NDArray[np.int64],
    starts: NDArray[np.int64],
    inside: NDArray[np.uint8],
    known: NDArray[np.int64],
    slack: np.int64,
    allowed: NDArray[np.int64],
    most: np.int64,
    steps: np.int64,
    found: NDArray[np.int64],
) -> tuple[np.int64, np.int64, np.int64]:
    """Return how far the best place is from what was planted (−1: none), how many are as good, and steps.

    Accounts are in an order in which each has a neighbour before it. An account's degree may be off by
    ``slack``, and ``allowed[i]`` pairs of the first i + 1 accounts may be connected otherwise; distances are
    sums of both. The first best place is left in ``found``. Steps past ``steps`` say that the search was cut;
    with ``most`` places that do not differ at all it ends, too.

    A node that may miss r of its accounts is a neighbour of one of any r + 1 of them: no more are walked.
    """
    count = len(known)
    image = np.full(count, -1, np.int64)
    anchor = np.zeros(count, np.int64)
    walks = np.zeros(count, np.int64)
    at = np.zeros(count, np.int64)
    far = np.zeros(count + 1, np.int64)
    wrong = np.zeros(count + 1, np.int64)
    best, many, taken = np.int64(-1), np.int64(0), np.int64(0)
    for place in range(len(starts)):
        taken += 1
        image[0] = starts[place]
        far[1] = abs(degree[image[0]] - known[0])
        depth = 1
        anchor[1] = -1
        walks[1] = 0
        while depth >= 1:
            if anchor[depth] < 0 or at[depth] >= offsets[image[anchor[depth]] + 1]:
                # The next account whose neighbours are candidates, or back.
                nearer = anchor[depth] + 1
                while nearer < depth and not inside[depth, nearer]:
                    nearer += 1
                if nearer >= depth or walks[depth] > allowed[depth] - wrong[depth]:
                    depth -= 1
                    continue
                anchor[depth] = nearer
                walks[depth] += 1
                at[depth] = offsets[image[nearer]]
                continue
            node = np.int64(neighbours[at[depth]])
            at[depth] += 1
            taken += 1
            if taken > steps:
                return best, many, taken
            off = abs(degree[node] - known[depth])
            if off > slack or (best >= 0 and far[depth] + off > best):
                continue
            misses = _misses(
                offsets,
                neighbours,
                inside,
                image,
                depth,
                node,
                anchor[depth],
                allowed[depth] - wrong[depth],
            )
            distance = far[depth] + off + misses
            if misses < 0 or (best >= 0 and distance > best):
                continue
            image[depth] = node
            if depth < count - 1:
                far[depth + 1] = distance
                wrong[depth + 1] = wrong[depth] + misses
                depth += 1
                anchor[depth] = -1
                walks[depth] = 0
            elif best < 0 or distance < best:
                best = distance
                many = np.int64(1)
                found[:] = image
            else:
                many += 1
                if best == 0 and many >= most:
                    return best, many, taken
    return best, many, taken
