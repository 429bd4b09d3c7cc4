"""Where a small connected pattern lies in a network: search with pruning, by hand-kept stacks.

A pattern has its places ordered so that each, but the first, is connected to an earlier one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def _connected(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], one: np.int64, other: np.int64
) -> bool:
    if offsets[one + 1] - offsets[one] > offsets[other + 1] - offsets[other]:
        one, other = other, one
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
def _anchor(
    offsets: NDArray[np.int64], adjacent: NDArray[np.uint8], image: NDArray[np.int64], place: int
) -> np.int64:
    """Return the placed neighbour of a place that has the fewest neighbours itself."""
    best = np.int64(-1)
    for earlier in range(place):
        if adjacent[place, earlier]:
            node = image[earlier]
            if best < 0 or offsets[node + 1] - offsets[node] < offsets[best + 1] - offsets[best]:
                best = node
    return best


@kernel
def _fits(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    adjacent: NDArray[np.uint8],
    image: NDArray[np.int64],
    place: int,
    node: np.int64,
    exactly: bool,
) -> bool:
    """Say whether a node can stand at a place, given those before it."""
    for earlier in range(place):
        if image[earlier] == node:
            return False
    for earlier in range(place):
        if adjacent[place, earlier]:
            if not _connected(offsets, neighbours, image[earlier], node):
                return False
        elif exactly and _connected(offsets, neighbours, image[earlier], node):
            return False
    return True


@kernel
def contains(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    adjacent: NDArray[np.uint8],
    degree: NDArray[np.int64],
    steps: np.int64,
    answer: NDArray[np.int8],
) -> None:
    """Say for each node whether the pattern lies in the network with its first place at that node.

    ``degree`` is that of each place within the pattern. 1: it does; 0: it does not; 2: not found out within
    so many ``steps``.
    """
    places = len(degree)
    image = np.empty(places, np.int64)
    anchor = np.empty(places, np.int64)
    cursor = np.empty(places, np.int64)
    for root in range(len(offsets) - 1):
        answer[root] = 0
        if offsets[root + 1] - offsets[root] < degree[0]:
            continue
        if places == 1:
            answer[root] = 1
            continue
        image[0] = root
        place = 1
        anchor[1] = root
        cursor[1] = offsets[root]
        spent = 0
        while place > 0:
            if cursor[place] >= offsets[anchor[place] + 1]:
                place -= 1
                continue
            if spent >= steps:
                answer[root] = 2
                break
            spent += 1
            node = np.int64(neighbours[cursor[place]])
            cursor[place] += 1
            if offsets[node + 1] - offsets[node] < degree[place]:
                continue
            if not _fits(offsets, neighbours, adjacent, image, place, node, False):
                continue
            image[place] = node
            if place == places - 1:
                answer[root] = 1
                break
            place += 1
            anchor[place] = _anchor(offsets, adjacent, image, place)
            cursor[place] = offsets[anchor[place]]


@kernel
def occurrences(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    adjacent: NDArray[np.uint8],
    degree: NDArray[np.int64],
    steps: np.int64,
    found: NDArray[np.int64],
) -> tuple[int, bool]:
    """Find where nodes with exactly these degrees have exactly these edges among them.

    Fills the rows of ``found`` with nodes in the order of places; returns how many rows, and whether the
    search ended before its time because ``steps`` or rows were used up.
    """
    places = len(degree)
    image = np.empty(places, np.int64)
    anchor = np.empty(places, np.int64)
    cursor = np.empty(places, np.int64)
    many = 0
    spent = 0
    for root in range(len(offsets) - 1):
        if offsets[root + 1] - offsets[root] != degree[0]:
            continue
        image[0] = root
        place = 1
        anchor[1] = root
        cursor[1] = offsets[root]
        while place > 0:
            if cursor[place] >= offsets[anchor[place] + 1]:
                place -= 1
                continue
            if spent >= steps:
                return many, True
            spent += 1
            node = np.int64(neighbours[cursor[place]])
            cursor[place] += 1
            if offsets[node + 1] - offsets[node] != degree[place]:
                continue
            if not _fits(offsets, neighbours, adjacent, image, place, node, True):
                continue
            image[place] = node
            if place == places - 1:
                if many == len(found):
                    return many, True
                for step in range(places):
                    found[many, step] = image[step]
                many += 1
                continue
            place += 1
            anchor[place] = _anchor(offsets, adjacent, image, place)
            cursor[place] = offsets[anchor[place]]
    return many, False
