"""Kernels: networks that grow, are rewired, or are wired to given degrees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.graph._kernels_pairs import below, contains, insert, key_of, remove, word

TRIES = 1000


@kernel
def preferential(ends: NDArray[np.int64], each: int, state: NDArray[np.uint64]) -> None:
    """Fill ``ends`` (two places for each edge): a clique of ``each`` + 1 nodes, then nodes that come one by
    one and choose ``each`` different ends of the edges that were there before them."""
    filled = 0
    for one in range(each + 1):
        for other in range(one):
            ends[filled] = one
            ends[filled + 1] = other
            filled += 2
    node = each + 1
    while filled < len(ends):
        before = filled
        while filled < before + 2 * each:
            chosen = ends[below(state, before)]
            fresh = True
            for at in range(before + 1, filled, 2):
                if ends[at] == chosen:
                    fresh = False
                    break
            if fresh:
                ends[filled] = node
                ends[filled + 1] = chosen
                filled += 2
        node += 1


@kernel
def small_world(
    pairs: NDArray[np.int64],
    table: NDArray[np.int64],
    nodes: int,
    share: float,
    state: NDArray[np.uint64],
) -> None:
    """Fill ``pairs`` with a ring in which each edge is, with probability ``share``, led elsewhere."""
    reach = len(pairs) // nodes
    for step in range(reach):
        for node in range(nodes):
            other = (node + step + 1) % nodes
            pairs[step * nodes + node, 0] = node
            pairs[step * nodes + node, 1] = other
            insert(table, key_of(node, other, nodes))
    for at in range(len(pairs)):
        if np.float64(word(state) >> np.uint64(11)) * 2.0**-53 >= share:
            continue
        node = pairs[at, 0]
        for _ in range(TRIES):
            chosen = below(state, nodes)
            if chosen != node and not contains(table, key_of(node, chosen, nodes)):
                remove(table, key_of(node, pairs[at, 1], nodes))
                insert(table, key_of(node, chosen, nodes))
                pairs[at, 1] = chosen
                break


@kernel
def mended(pairs: NDArray[np.int64], table: NDArray[np.int64], nodes: int, state: NDArray[np.uint64]) -> int:
    """Exchange ends of pairs until no pair is a loop or there twice; return how many still are.

    Every node keeps its number of ends.
    """
    sound = np.zeros(len(pairs), np.bool_)
    for at in range(len(pairs)):
        one, other = pairs[at, 0], pairs[at, 1]
        sound[at] = one != other and insert(table, key_of(one, other, nodes))
    left = 0
    for at in range(len(pairs)):
        if sound[at]:
            continue
        one, other = pairs[at, 0], pairs[at, 1]
        # The pair that it was a second one of may have gone by now.
        if one != other and insert(table, key_of(one, other, nodes)):
            sound[at] = True
            continue
        for _ in range(TRIES):
            with_ = below(state, len(pairs))
            if not sound[with_]:
                continue
            third, fourth = pairs[with_, 0], pairs[with_, 1]
            if word(state) >> np.uint64(63):
                third, fourth = fourth, third
            if one == third or other == fourth:
                continue
            first, second = key_of(one, third, nodes), key_of(other, fourth, nodes)
            if first == second or contains(table, first) or contains(table, second):
                continue
            remove(table, key_of(third, fourth, nodes))
            insert(table, first)
            insert(table, second)
            pairs[at, 1] = third
            pairs[with_, 0] = other
            pairs[with_, 1] = fourth
            sound[at] = True
            break
        if not sound[at]:
            left += 1
    return left
