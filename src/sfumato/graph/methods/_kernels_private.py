"""Kernels of private statistics: projection, isotonic regression, degrees that some network has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def add_within(pairs: NDArray[np.int64], theta: int, degrees: NDArray[np.int64]) -> int:
    """Add edges in their order, each only where both ends have fewer than ``theta``; return how many were."""
    added = 0
    for at in range(len(pairs)):
        one, other = pairs[at, 0], pairs[at, 1]
        if degrees[one] < theta and degrees[other] < theta:
            degrees[one] += 1
            degrees[other] += 1
            added += 1
    return added


@kernel
def pool_adjacent(values: NDArray[np.float64], fitted: NDArray[np.float64]) -> None:
    """Write the nearest ascending numbers (least squares): neighbours in wrong order become their mean."""
    many = len(values)
    total = np.empty(many, np.float64)
    width = np.empty(many, np.int64)
    blocks = 0
    for at in range(many):
        total[blocks] = values[at]
        width[blocks] = 1
        blocks += 1
        while blocks > 1 and total[blocks - 2] * width[blocks - 1] >= total[blocks - 1] * width[blocks - 2]:
            total[blocks - 2] += total[blocks - 1]
            width[blocks - 2] += width[blocks - 1]
            blocks -= 1
    at = 0
    for block in range(blocks):
        mean = total[block] / width[block]
        for _ in range(width[block]):
            fitted[at] = mean
            at += 1


@kernel
def lower_to_graphic(degrees: NDArray[np.int64]) -> None:
    """Lower numbers (descending, none above the nodes less one) until they are degrees of a network.

    Havel (1955) and Hakimi (1962) connect the node with the most open ends to those with the next most; here
    a node that finds too few with open ends goes without the rest. What was connected is a network.
    """
    many = len(degrees)
    open_ends = degrees.copy()
    positive = many
    for node in range(many):
        wanted = open_ends[node]
        if wanted == 0:
            break
        while positive > node + 1 and open_ends[positive - 1] == 0:
            positive -= 1
        there = positive - node - 1
        if wanted > there:
            degrees[node] -= wanted - there
            wanted = there
        if wanted == 0:
            continue
        last = node + wanted
        value = open_ends[last]
        # Of those with equal numbers the last lose an end, so that the order stays.
        low, high = node + 1, last
        while low < high:
            middle = (low + high) // 2
            if open_ends[middle] > value:
                low = middle + 1
            else:
                high = middle
        first = low
        low, high = last, positive - 1
        while low < high:
            middle = (low + high + 1) // 2
            if open_ends[middle] < value:
                high = middle - 1
            else:
                low = middle
        for at in range(node + 1, first):
            open_ends[at] -= 1
        for at in range(low - (last - first), low + 1):
            open_ends[at] -= 1


@kernel
def most_common_neighbours(offsets: NDArray[np.int64], neighbours: NDArray[np.int32]) -> int:
    """Return the most neighbours that two nodes, connected or not, have in common."""
    nodes = len(offsets) - 1
    shared = np.zeros(nodes, np.int64)
    most = np.int64(0)
    for node in range(nodes):
        for at in range(offsets[node], offsets[node + 1]):
            middle = neighbours[at]
            for there in range(offsets[middle], offsets[middle + 1]):
                shared[neighbours[there]] += 1
        shared[node] = 0
        for at in range(offsets[node], offsets[node + 1]):
            middle = neighbours[at]
            for there in range(offsets[middle], offsets[middle + 1]):
                other = neighbours[there]
                most = max(most, shared[other])
                shared[other] = 0
    return int(most)
