"""Loops of binning: how few cells of a row must climb a tree, and which class is the cheapest to join."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

NEVER = 1 << 60


@kernel
def cheapest_climb(
    own: NDArray[np.int64],
    parent: NDArray[np.int64],
    rise: NDArray[np.int64],
    most: NDArray[np.int64],
    least: int,
    climbing: NDArray[np.int64],
) -> None:
    """Find how many cells climb from each node to its parent so that no node is left with 1 … ``least`` − 1.

    Nodes are numbered children first, the root last; ``own`` are the cells at each, ``rise`` the levels that
    a cell climbs to the parent, ``most`` how many may climb. With g(t) the least cost of receiving t cells
    from the children of v:

        f(v, s) = min { g(t) + s · rise(v) : own(v) + t − s is 0 or at least ``least`` }

    The answer is written to ``climbing``.
    """
    nodes = len(own)
    widest = 0
    for node in range(nodes):
        widest += most[node]
    passing = np.full((nodes, most.max() + 1), NEVER)
    received = np.zeros((nodes, most.max() + 1), np.int64)
    taken = np.zeros((nodes, widest + 1), np.int64)
    cost = np.empty(widest + 1, np.int64)
    merged = np.empty(widest + 1, np.int64)
    for node in range(nodes):
        cost[:] = NEVER
        cost[0] = 0
        top = 0
        for child in range(node):
            if parent[child] != node:
                continue
            merged[: top + most[child] + 1] = NEVER
            for before in range(top + 1):
                if cost[before] == NEVER:
                    continue
                for more in range(most[child] + 1):
                    if passing[child, more] == NEVER:
                        continue
                    total = cost[before] + passing[child, more]
                    if total < merged[before + more]:
                        merged[before + more] = total
                        taken[child, before + more] = more
            top += most[child]
            cost[: top + 1] = merged[: top + 1]
        for given in range(top + 1):
            if cost[given] == NEVER:
                continue
            held = own[node] + given
            for more in range(min(most[node], held) + 1):
                left = held - more
                if left != 0 and left < least:
                    continue
                total = cost[given] + more * rise[node]
                if total < passing[node, more]:
                    passing[node, more] = total
                    received[node, more] = given
    climbing[nodes - 1] = 0
    for node in range(nodes - 1, -1, -1):
        given = received[node, climbing[node]]
        for child in range(node - 1, -1, -1):
            if parent[child] == node:
                climbing[child] = taken[child, given]
                given -= climbing[child]


@kernel
def climb(
    row: NDArray[np.int64],
    order: NDArray[np.int64],
    parent: NDArray[np.int64],
    climbing: NDArray[np.int64],
) -> None:
    """Move cells (numbers of nodes) to the parents of their nodes, the first columns in ``order`` first."""
    for node in range(len(parent)):
        left = climbing[node]
        for column in order:
            if left == 0:
                break
            if row[column] == node:
                row[column] = parent[node]
                left -= 1


@kernel
def cheapest_partner(
    one: int,
    classes: NDArray[np.uint8],
    sizes: NDArray[np.int64],
    rise: NDArray[np.int64],
) -> int:
    """Return the class that adds the fewest levels when joined with ``one``; classes of size 0 are gone.

    ``rise[x, y]`` is how many levels x climbs to the closest common ancestor of x and y.
    """
    best = NEVER
    found = -1
    for other in range(len(classes)):
        if other == one or sizes[other] == 0:
            continue
        total = 0
        for column in range(classes.shape[1]):
            x = classes[one, column]
            y = classes[other, column]
            if x != y:
                total += sizes[one] * rise[x, y] + sizes[other] * rise[y, x]
                if total >= best:
                    break
        if total < best:
            best = total
            found = other
    return found
