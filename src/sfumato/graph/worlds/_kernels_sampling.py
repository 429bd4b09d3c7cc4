"""Distinct pairs of nodes drawn within and between groups, and the degrees that such draws give."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def _take(seen: I64, of: I64, cell: int, number: int) -> Any:
    """Note a number as taken in a cell; return whether it was free. Slots of other cells count as empty."""
    last = len(seen) - 1
    slot = np.int64((np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while of[slot] == cell:
        if seen[slot] == number:
            return False
        slot = (slot + 1) & last
    of[slot] = cell
    seen[slot] = number
    return True


@kernel
def distinct(pairs: I64, edges: I64, drawn: I64, room: int) -> I64:
    """Turn draws into distinct numbers below ``pairs`` of each cell, by Floyd's algorithm (Bentley 1987).

    The draws of a cell are uniform on {0, …, pairs − edges + i} for i = 0, …, edges − 1; every set of so many
    numbers comes out with the same probability.
    """
    seen, of = np.empty(room, np.int64), np.full(room, -1, np.int64)
    chosen = np.empty(len(drawn), np.int64)
    at = 0
    for cell in range(len(pairs)):
        for i in range(edges[cell]):
            number = drawn[at]
            if not _take(seen, of, cell, number):
                number = pairs[cell] - edges[cell] + i
                _take(seen, of, cell, number)
            chosen[at] = number
            at += 1
    return chosen


@kernel
def ends_of(sizes: I64, links: I64, edges: I64, chosen: I64) -> I64:
    """Turn numbers of pairs, first of each group and then of each link, into pairs of nodes.

    Nodes are numbered group by group. In a group pair i·(i − 1) / 2 + j is that of its nodes j < i.
    """
    first = np.zeros(len(sizes) + 1, np.int64)
    for g in range(len(sizes)):
        first[g + 1] = first[g] + sizes[g]
    ends = np.empty((len(chosen), 2), np.int64)
    at = 0
    for cell in range(len(edges)):
        for _ in range(edges[cell]):
            number = chosen[at]
            if cell < len(sizes):
                i = np.int64((1.0 + math.sqrt(1.0 + 8.0 * number)) / 2.0)
                # The root is rounded: whole numbers decide.
                while i * (i - 1) // 2 > number:
                    i -= 1
                while (i + 1) * i // 2 <= number:
                    i += 1
                ends[at, 0] = first[cell] + number - i * (i - 1) // 2
                ends[at, 1] = first[cell] + i
            else:
                one, other = links[cell - len(sizes), 0], links[cell - len(sizes), 1]
                ends[at, 0] = first[one] + number // sizes[other]
                ends[at, 1] = first[other] + number % sizes[other]
            at += 1
    return ends


@kernel
def _chances(pairs: int, mine: int, edges: int) -> Any:
    """Return the probability of 0, 1, … edges at a node: ``mine`` of ``pairs`` touch it, ``edges`` are drawn.

    Each is the one before times (mine − g)(edges − g) / (g + 1)(pairs − mine − edges + g + 1), beginning with
    a likely one and divided by their sum: factorials of large numbers would lose the digits that matter.
    """
    least, most = max(0, edges - (pairs - mine)), min(mine, edges)
    chance = np.zeros(most + 1)
    begin = min(max(int((edges + 1.0) * (mine + 1.0) / (pairs + 2.0)), least), most)
    chance[begin] = 1.0
    for g in range(begin, most):
        chance[g + 1] = chance[g] * (mine - g) / (g + 1) * (edges - g) / (pairs - mine - edges + g + 1)
    for g in range(begin, least, -1):
        chance[g - 1] = chance[g] * g / (mine - g + 1) * (pairs - mine - edges + g) / (edges - g + 1)
    return chance / chance.sum()


@kernel
def _convolve(chance: F64, length: int, scratch: F64, pairs: int, mine: int, edges: int) -> Any:
    """Add the edges that a node gets from a cell: ``mine`` of its ``pairs`` touch the node, ``edges`` are
    drawn. Return the new length of its distribution."""
    weights = _chances(pairs, mine, edges)
    most = len(weights) - 1
    for at in range(length + most):
        scratch[at] = 0.0
    for got in range(most + 1):
        if weights[got] > 0.0:
            for at in range(length):
                scratch[at + got] += weights[got] * chance[at]
    for at in range(length + most):
        chance[at] = scratch[at]
    return length + most


@kernel
def degree_distribution(sizes: I64, inside: I64, starts: I64, near: I64, between: I64, most: int) -> F64:
    """Return the expected number of nodes of each degree; ``near[starts[g]:starts[g + 1]]`` are the groups
    linked to g."""
    found = np.zeros(most + 1)
    chance, scratch = np.zeros(most + 1), np.zeros(most + 1)
    for g in range(len(sizes)):
        chance[0] = 1.0
        size = sizes[g]
        length = _convolve(chance, 1, scratch, size * (size - 1) // 2, size - 1, inside[g])
        for at in range(starts[g], starts[g + 1]):
            other = sizes[near[at]]
            length = _convolve(chance, length, scratch, size * other, other, between[at])
        for degree in range(length):
            found[degree] += size * chance[degree]
    return found
