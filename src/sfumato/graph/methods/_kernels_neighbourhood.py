"""Keys of neighbourhoods in a network that grows: numbers that isomorphic neighbourhoods share.

The reverse need not hold: these numbers lead a search, and what it finds is checked by canonical forms. The
neighbours of node v are ``room[starts[v]:starts[v] + counts[v]]``, in no order, with space behind them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ROUNDS = 4
"""how often neighbours look at those near them"""


@kernel
def stirred(number: np.uint64) -> np.uint64:
    """Scatter a number over all 64 bits, one to one."""
    number = number + np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@kernel
def component_keys(
    node: np.int64,
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    room: NDArray[np.int32],
    labels: NDArray[np.int64],
    mark: NDArray[np.int64],
    component: NDArray[np.int64],
    key: NDArray[np.uint64],
) -> int:
    """Say for each neighbour of a node in which component of the neighbourhood it lies, and that one's key.

    ``mark`` holds −1 for every node, before and after. Returns the number of edges among the neighbours.
    """
    low = starts[node]
    size = counts[node]
    for at in range(size):
        mark[room[low + at]] = at
    bounds = np.zeros(size + 1, np.int64)
    for at in range(size):
        other = room[low + at]
        inside = 0
        for step in range(starts[other], starts[other] + counts[other]):
            if mark[room[step]] >= 0:
                inside += 1
        bounds[at + 1] = bounds[at] + inside
    near = np.empty(bounds[size], np.int64)
    written = 0
    for at in range(size):
        other = room[low + at]
        for step in range(starts[other], starts[other] + counts[other]):
            if mark[room[step]] >= 0:
                near[written] = mark[room[step]]
                written += 1
    now = np.empty(size, np.uint64)
    after = np.empty(size, np.uint64)
    for at in range(size):
        ends = np.uint64(bounds[at + 1] - bounds[at])
        now[at] = stirred(np.uint64(labels[room[low + at]]) * np.uint64(0x9FB21C651E98DF25) + ends)
        component[at] = -1
    for _ in range(ROUNDS):
        for at in range(size):
            total = np.uint64(0)
            for step in range(bounds[at], bounds[at + 1]):
                total += now[near[step]]
            after[at] = stirred(now[at] * np.uint64(3) + stirred(total))
        now, after = after, now
    waiting = np.empty(size, np.int64)
    found = 0
    for first in range(size):
        if component[first] >= 0:
            continue
        component[first] = found
        waiting[0] = first
        reached = 1
        head = 0
        total = np.uint64(0)
        while head < reached:
            here = waiting[head]
            head += 1
            total += stirred(now[here])
            for step in range(bounds[here], bounds[here + 1]):
                other = near[step]
                if component[other] < 0:
                    component[other] = found
                    waiting[reached] = other
                    reached += 1
        whole = stirred(total + np.uint64(reached))
        for at in range(reached):
            key[waiting[at]] = whole
        found += 1
    for at in range(size):
        mark[room[low + at]] = -1
    edges: int = bounds[size] // 2
    return edges


@kernel
def neighbourhood_keys(
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    room: NDArray[np.int32],
    labels: NDArray[np.int64],
    mark: NDArray[np.int64],
    keys: NDArray[np.uint64],
    inside: NDArray[np.int64],
) -> None:
    """Write the key of the neighbourhood of each of some nodes, and how many edges it has.

    The key is the sum of the keys of its components and of one for the label of the node itself.
    """
    most = 0
    for at in range(len(nodes)):
        most = max(most, counts[nodes[at]])
    component = np.empty(most, np.int64)
    key = np.empty(most, np.uint64)
    for at in range(len(nodes)):
        node = nodes[at]
        inside[at] = component_keys(node, starts, counts, room, labels, mark, component, key)
        total = stirred(np.uint64(labels[node]))
        last = -1
        # Components are numbered in the order of their first neighbours.
        for step in range(counts[node]):
            if component[step] > last:
                last = component[step]
                total += key[step]
        keys[at] = total
