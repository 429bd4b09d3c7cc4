"""Kernels: how many shortest paths lead through each node (U. Brandes 2001)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def add_betweenness(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    pivots: NDArray[np.int64],
    between: NDArray[np.float64],
) -> None:
    """Add to ``between`` the share of shortest paths from each pivot to all nodes that pass each node."""
    nodes = len(offsets) - 1
    steps = np.empty(nodes, np.int32)
    queue = np.empty(nodes, np.int32)
    paths = np.empty(nodes, np.float64)
    beyond = np.empty(nodes, np.float64)
    for number in range(len(pivots)):
        pivot = pivots[number]
        steps[:] = -1
        paths[:] = 0.0
        beyond[:] = 0.0
        steps[pivot] = 0
        paths[pivot] = 1.0
        queue[0] = pivot
        head = 0
        tail = 1
        while head < tail:
            node = queue[head]
            head += 1
            for at in range(offsets[node], offsets[node + 1]):
                other = neighbours[at]
                if steps[other] < 0:
                    steps[other] = steps[node] + 1
                    queue[tail] = other
                    tail += 1
                if steps[other] == steps[node] + 1:
                    paths[other] += paths[node]
        for place in range(tail - 1, 0, -1):
            node = queue[place]
            share = (1.0 + beyond[node]) / paths[node]
            for at in range(offsets[node], offsets[node + 1]):
                other = neighbours[at]
                if steps[other] == steps[node] - 1:
                    beyond[other] += paths[other] * share
            between[node] += beyond[node]
