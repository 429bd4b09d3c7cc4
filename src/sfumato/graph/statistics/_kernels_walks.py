"""Kernels: walks from node to node, nearest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

NOT_YET = -1


@kernel
def label_components(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], component: NDArray[np.int64]
) -> int:
    """Number the components by their first nodes, into ``component`` (all −1); return how many there are."""
    nodes = len(offsets) - 1
    queue = np.empty(nodes, np.int32)
    many = 0
    for first in range(nodes):
        if component[first] != NOT_YET:
            continue
        component[first] = many
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            node = queue[head]
            head += 1
            for at in range(offsets[node], offsets[node + 1]):
                other = neighbours[at]
                if component[other] == NOT_YET:
                    component[other] = many
                    queue[tail] = other
                    tail += 1
        many += 1
    return many


@kernel
def steps_from(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    source: int,
    steps: NDArray[np.int32],
    queue: NDArray[np.int32],
) -> int:
    """Write into ``steps`` how far each node is, −1 where no path leads; return how many are reached.

    They lie in ``queue``, the nearest first.
    """
    steps[:] = NOT_YET
    steps[source] = 0
    queue[0] = source
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for at in range(offsets[node], offsets[node + 1]):
            other = neighbours[at]
            if steps[other] == NOT_YET:
                steps[other] = steps[node] + 1
                queue[tail] = other
                tail += 1
    return tail


@kernel
def count_steps(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    sources: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> None:
    """Add to ``pairs[d]`` how many nodes are d steps from a source, over all sources; 0 is not counted."""
    nodes = len(offsets) - 1
    steps = np.empty(nodes, np.int32)
    queue = np.empty(nodes, np.int32)
    for source in sources:
        reached = steps_from(offsets, neighbours, source, steps, queue)
        for at in range(1, reached):
            pairs[steps[queue[at]]] += 1
