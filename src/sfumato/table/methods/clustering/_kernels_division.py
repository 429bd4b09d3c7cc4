"""Cells parted in two around cells far apart, from the top down.

Descriptions are those of ``_kernels_hulls``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table.methods.clustering._kernels_hulls import (
    absorb,
    widths,
)

if TYPE_CHECKING:
    from sfumato.table.methods.clustering.space import Clusters, Layout

_SEARCHES = 3
"""how often the farthest cell is looked for from the one found before"""

Flags = NDArray[np.bool_]
I8 = NDArray[np.int8]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def farthest(
    one: int, order: I64, words: I64, plan: I64, scale: F64, axis: F64, tree: I32, shares: F64
) -> int:
    """The cell among some whose union with another is the widest."""
    found = one
    most = -1.0
    for cell in order:
        width = widths(words, one, words, cell, plan, scale, axis, tree, shares)
        if width > most:
            most = width
            found = cell
    return found


@kernel
def give_sides(order: I64, seeds: I64, side: I8, pair: I64, y: Layout, points: I64) -> None:
    """Give every cell to the seed whose group widens less; those that lean most to one seed come first."""
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    lean = np.empty(order.shape[0], np.float64)
    width = np.empty(2, np.float64)
    wider = np.empty(2, np.float64)
    for at in range(order.shape[0]):
        lean[at] = widths(points, seeds[0], points, order[at], plan, scale, axis, tree, shares)
        lean[at] -= widths(points, seeds[1], points, order[at], plan, scale, axis, tree, shares)
    for s in range(2):
        pair[s] = points[seeds[s]]
        width[s] = widths(pair, s, pair, s, plan, scale, axis, tree, shares)
    for at in np.argsort(-np.abs(lean), kind="mergesort"):
        for s in range(2):
            wider[s] = widths(pair, s, points, order[at], plan, scale, axis, tree, shares)
        more = (wider[0] - width[0]) - (wider[1] - width[1])
        if more == 0.0:
            more = lean[at]
        s = 0 if more <= 0.0 else 1
        if order[at] == seeds[1]:
            s = 1
        side[at] = s
        width[s] = wider[s]
        absorb(pair, s, points, order[at], plan, tree)


@kernel
def fill_up(
    order: I64, side: I8, small: int, total: I64, least: int, persons: I64, pair: I64, y: Layout, points: I64
) -> bool:
    """Move the nearest cells to the smaller side until it has ``least`` persons; say whether that works."""
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    while total[small] < least:
        found = -1
        narrowest = np.inf
        for at in range(order.shape[0]):
            count = persons[order[at]]
            if side[at] != small and count > 0 and total[1 - small] - count >= least:
                width = widths(pair, small, points, order[at], plan, scale, axis, tree, shares)
                if width < narrowest:
                    narrowest = width
                    found = at
        if found < 0:
            return False
        absorb(pair, small, points, order[found], plan, tree)
        total[small] += persons[order[found]]
        total[1 - small] -= persons[order[found]]
        side[found] = small
    return True


@kernel
def divide(order: I64, first: int, least: int, persons: I64, pair: I64, y: Layout, points: I64) -> int:
    """Part some cells in two, in place; return how many are in the first part.

    Each part has ``least`` persons or more; 0 if that was not found.
    """
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    seeds = np.empty(2, np.int64)
    seeds[0] = order[first]
    for _ in range(_SEARCHES):
        seeds[1] = seeds[0]
        seeds[0] = farthest(seeds[1], order, points, plan, scale, axis, tree, shares)
    if seeds[0] == seeds[1]:
        return 0
    side = np.zeros(order.shape[0], np.int8)
    give_sides(order, seeds, side, pair, y, points)
    total = np.zeros(2, np.int64)
    for at in range(order.shape[0]):
        total[side[at]] += persons[order[at]]
    small = 0 if total[0] < total[1] else 1
    if not fill_up(order, side, small, total, least, persons, pair, y, points):
        return 0
    # The order stays as it is on both sides: near cells stay near.
    moved = np.empty(order.shape[0], np.int64)
    front = 0
    back = 0
    for at in range(order.shape[0]):
        if side[at] == 0:
            order[front] = order[at]
            front += 1
        else:
            moved[back] = order[at]
            back += 1
    for at in range(back):
        order[front + at] = moved[at]
    return front


@kernel
def divide_ranges(
    order: I64,
    starts: I64,
    draws: I64,
    k: int,
    deep: bool,
    persons: I64,
    y: Layout,
    points: Clusters,
    begins: Flags,
) -> None:
    """Part the ranges of ``order`` that have 2k persons or more, once or as ``deep`` as it goes.

    ``begins`` marks where a part begins. The first seed of a division is looked for from a cell that
    ``draws`` (numbers that are used in turn) picks.
    """
    pair = np.empty((2, points.words.shape[1]), np.int64)
    stack = np.empty((order.shape[0] + 2, 2), np.int64)
    turn = 0
    for i in range(starts.shape[0] - 1):
        stack[0, 0] = starts[i]
        stack[0, 1] = starts[i + 1]
        size = 1
        whole = True
        while size > 0:
            size -= 1
            low, high = stack[size, 0], stack[size, 1]
            begins[low] = True
            total = 0
            for at in range(low, high):
                total += persons[order[at]]
            if total < 2 * k or high - low < 2 or not (deep or whole):
                continue
            whole = False
            first = draws[turn % draws.shape[0]] % (high - low)
            turn += 1
            middle = low + divide(order[low:high], first, k, persons, pair, y, points.words)
            if middle > low:
                stack[size, 0] = middle
                stack[size, 1] = high
                stack[size + 1, 0] = low
                stack[size + 1, 1] = middle
                size += 2
