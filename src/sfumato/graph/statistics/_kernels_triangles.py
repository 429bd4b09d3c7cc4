"""Kernels: triangles, each found once from its node with the fewest neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def count_triangles(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], found: NDArray[np.int64]
) -> None:
    """Add to ``found`` the triangles that each node lies in.

    Edges lead from the node with fewer neighbours to the one with more (then by number). No node then has
    more than √2m edges leading out, and all pairs of edges one after the other are O(m√m).
    """
    nodes = len(offsets) - 1
    start = np.zeros(nodes + 1, np.int64)
    out = np.empty(len(neighbours) // 2, np.int32)
    filled = np.int64(0)
    for node in range(nodes):
        degree = offsets[node + 1] - offsets[node]
        for at in range(offsets[node], offsets[node + 1]):
            other = neighbours[at]
            more = offsets[other + 1] - offsets[other]
            if more > degree or (more == degree and other > node):
                out[filled] = other
                filled += 1
        start[node + 1] = filled
    last = np.full(nodes, -1, np.int32)
    for node in range(nodes):
        for at in range(start[node], start[node + 1]):
            last[out[at]] = node
        for at in range(start[node], start[node + 1]):
            second = out[at]
            for there in range(start[second], start[second + 1]):
                third = out[there]
                if last[third] == node:
                    found[node] += 1
                    found[second] += 1
                    found[third] += 1
