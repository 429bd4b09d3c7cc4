"""Finds the boxes that hold a point: a tree of boxes, each with the hull and the common part of those below.

A box has a range of codes in every column. A point outside the hull of a node is in none of its boxes; one
inside the common part is in all of them, which then need not be looked at one by one. So a point costs about
the logarithm of the number of boxes, and no more where many of them hold it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

_LEAF = 4
"""boxes that are not divided any further"""
_DEPTH = 256
"""nodes that wait at most: the tree divides in the middle, so it is never deep"""


@kernel
def _divide(order: I64, keys: I64, first: int, last: int, middle: int) -> None:
    """Put the boxes with the smaller keys before the middle and those with the greater behind it."""
    low, high = first, last - 1
    while low < high:
        pivot = keys[order[(low + high) // 2]]
        i, j = low, high
        while i <= j:
            while keys[order[i]] < pivot:
                i += 1
            while keys[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def _widest(lows: I64, highs: I64, order: I64, first: int, last: int) -> int:
    """Choose the column along which most boxes of their usual width fit beside each other."""
    best, chosen = -1.0, 0
    for j in range(lows.shape[0]):
        least, most, width = lows[j, order[first]] + highs[j, order[first]], np.int64(-1), np.int64(0)
        for i in range(first, last):
            centre = lows[j, order[i]] + highs[j, order[i]]
            least = min(least, centre)
            most = max(most, centre)
            width += highs[j, order[i]] - lows[j, order[i]]
        fitting = (most - least) * (last - first) / (width + 1.0)
        if fitting > best:
            best, chosen = fitting, j
    return chosen


@kernel
def _boundary(groups: I64, order: I64, first: int, last: int) -> int:
    """Return the place nearest to the middle where one group ends and the next begins."""
    middle = (first + last) // 2
    for step in range(last - first):
        for place in (middle - step, middle + step):
            if first < place < last and groups[order[place - 1]] != groups[order[place]]:
                return place
    return middle


@kernel
def build(lows: I64, highs: I64, groups: I64, order: I64, spans: I64) -> int:
    """Arrange boxes as a tree; return the number of its nodes.

    Node n holds the boxes ``order[spans[n, 0]:spans[n, 1]]``. If it is divided, the lower half is node n + 1
    and the upper half node ``spans[n, 2]``; else that is 0. ``order`` comes sorted by ``groups``, which are
    divided first: a box that says nothing of a column would widen the hull of all that stand with it.
    """
    waiting = np.zeros((_DEPTH, 3), np.int64)
    waiting[0, 1], waiting[0, 2] = order.shape[0], -1
    pending, nodes = 1, 0
    keys = np.zeros(order.shape[0], np.int64)
    while pending > 0:
        pending -= 1
        first, last, parent = waiting[pending, 0], waiting[pending, 1], waiting[pending, 2]
        spans[nodes, 0], spans[nodes, 1], spans[nodes, 2] = first, last, 0
        if parent >= 0:
            spans[parent, 2] = nodes
        if groups[order[first]] != groups[order[last - 1]]:
            middle = _boundary(groups, order, first, last)
        elif last - first > _LEAF:
            j = _widest(lows, highs, order, first, last)
            for i in range(first, last):
                keys[order[i]] = lows[j, order[i]] + highs[j, order[i]]
            middle = (first + last) // 2
            _divide(order, keys, first, last, middle)
        else:
            middle = last
        if middle < last:
            # The upper half waits until the lower one is done, and then enters itself with its parent.
            waiting[pending, 0], waiting[pending, 1], waiting[pending, 2] = middle, last, nodes
            waiting[pending + 1, 0], waiting[pending + 1, 1], waiting[pending + 1, 2] = first, middle, -1
            pending += 2
        nodes += 1
    return nodes


@kernel
def measure(boxes: I64, scattered: U8, persons: I64, rows: I64, spans: I64, hulls: I64, sums: I64) -> None:
    """Sum up the boxes of every node, which are in the order of the tree.

    ``boxes[b, j]`` is the lowest code in column j and the one behind the highest. ``hulls[n, j]`` are the
    bounds of the hull and of the common part; a box that leaves out some codes of its range has none.
    ``sums[n]`` are rows, persons and the persons of the largest.
    """
    for n in range(spans.shape[0] - 1, -1, -1):
        for j in range(boxes.shape[1]):
            hulls[n, j, 0], hulls[n, j, 1] = np.int64(1) << 62, -1
            hulls[n, j, 2], hulls[n, j, 3] = -1, np.int64(1) << 62
        if spans[n, 2] == 0:
            for b in range(spans[n, 0], spans[n, 1]):
                for j in range(boxes.shape[1]):
                    hulls[n, j, 0] = min(hulls[n, j, 0], boxes[b, j, 0])
                    hulls[n, j, 1] = max(hulls[n, j, 1], boxes[b, j, 1])
                    hulls[n, j, 2] = max(hulls[n, j, 2], boxes[b, j, 0])
                    hulls[n, j, 3] = min(hulls[n, j, 3], boxes[b, j, 1])
                    if scattered[b, j] == 1:
                        hulls[n, j, 3] = -1
                sums[n, 0] += rows[b]
                sums[n, 1] += persons[b]
                sums[n, 2] = max(sums[n, 2], persons[b])
            continue
        for half in (n + 1, spans[n, 2]):
            for j in range(boxes.shape[1]):
                hulls[n, j, 0] = min(hulls[n, j, 0], hulls[half, j, 0])
                hulls[n, j, 1] = max(hulls[n, j, 1], hulls[half, j, 1])
                hulls[n, j, 2] = max(hulls[n, j, 2], hulls[half, j, 2])
                hulls[n, j, 3] = min(hulls[n, j, 3], hulls[half, j, 3])
            sums[n, 0] += sums[half, 0]
            sums[n, 1] += sums[half, 1]
            sums[n, 2] = max(sums[n, 2], sums[half, 2])


@kernel
def _holds(box: int, point: int, points: I64, boxes: I64, flag_starts: I64, flags: U8) -> bool:
    for j in range(points.shape[1]):
        code = points[point, j]
        if code < 0:
            continue
        if code < boxes[box, j, 0] or code >= boxes[box, j, 1]:
            return False
        if flag_starts[box, j] >= 0 and flags[flag_starts[box, j] + code - boxes[box, j, 0]] == 0:
            return False
    return True


@kernel
def _place(node: int, point: int, points: I64, hulls: I64) -> int:
    """Say whether a point is in none (0), some (1) or surely all (2) of the boxes of a node."""
    everywhere = 2
    for j in range(points.shape[1]):
        code = points[point, j]
        if code < 0:
            continue
        if code < hulls[node, j, 0] or code >= hulls[node, j, 1]:
            return 0
        if code < hulls[node, j, 2] or code >= hulls[node, j, 3]:
            everywhere = 1
    return everywhere


@kernel
def _merge(reach: int, rows: int, largest: int, kept: I64, at: int) -> None:
    """Keep what fewer reach; what as many reach adds its rows. Nothing was kept while the number is 0."""
    if reach > 0 and (kept[at, 0] == 0 or reach < kept[at, 0]):
        kept[at, 0], kept[at, 1], kept[at, 2] = reach, rows, largest
    elif reach > 0 and reach == kept[at, 0]:
        kept[at, 1] += rows
        kept[at, 2] = max(kept[at, 2], largest)


@kernel
def count(
    points: I64,
    weights: I64,
    boxes: I64,
    flag_starts: I64,
    flags: U8,
    rows: I64,
    persons: I64,
    spans: I64,
    hulls: I64,
    sums: I64,
    totals: I64,
    reached: I64,
) -> None:
    """Write the boxes, rows, persons and the persons of the largest for every point to ``totals``.

    Add the weights of each point to ``reached`` of every box that holds it. A code of −1 is any.
    """
    waiting = np.zeros(_DEPTH, np.int64)
    owed = np.zeros((spans.shape[0], 2), np.int64)
    for p in range(points.shape[0]):
        pending = 1
        waiting[0] = 0
        while pending > 0:
            pending -= 1
            n = waiting[pending]
            place = _place(n, p, points, hulls)
            if place == 2:
                totals[p, 0] += spans[n, 1] - spans[n, 0]
                totals[p, 1] += sums[n, 0]
                totals[p, 2] += sums[n, 1]
                totals[p, 3] = max(totals[p, 3], sums[n, 2])
                owed[n, 0] += weights[p, 0]
                owed[n, 1] += weights[p, 1]
            elif place == 1 and spans[n, 2] > 0:
                waiting[pending], waiting[pending + 1] = spans[n, 2], n + 1
                pending += 2
            elif place == 1:
                for b in range(spans[n, 0], spans[n, 1]):
                    if _holds(b, p, points, boxes, flag_starts, flags):
                        totals[p, 0] += 1
                        totals[p, 1] += rows[b]
                        totals[p, 2] += persons[b]
                        totals[p, 3] = max(totals[p, 3], persons[b])
                        reached[b, 0] += weights[p, 0]
                        reached[b, 1] += weights[p, 1]
    for n in range(spans.shape[0]):
        for w in range(2):
            if spans[n, 2] > 0:
                owed[n + 1, w] += owed[n, w]
                owed[spans[n, 2], w] += owed[n, w]
            else:
                for b in range(spans[n, 0], spans[n, 1]):
                    reached[b, w] += owed[n, w]


@kernel
def narrow(
    points: I64,
    boxes: I64,
    flag_starts: I64,
    flags: U8,
    rows: I64,
    persons: I64,
    spans: I64,
    hulls: I64,
    reached: I64,
    found: I64,
    shares: F64,
) -> None:
    """Look for the boxes that hold a point and that the fewest reach.

    ``found[p]`` gets that least number (0 where no box holds the point), the rows of all boxes with it, and
    the persons of the largest of them; ``shares[p]`` the sum of persons / reached over all that hold it.
    """
    waiting = np.zeros(_DEPTH, np.int64)
    below, sums = np.zeros((spans.shape[0], 3), np.int64), np.zeros(spans.shape[0])
    for n in range(spans.shape[0] - 1, -1, -1):
        if spans[n, 2] > 0:
            for half in (n + 1, spans[n, 2]):
                _merge(below[half, 0], below[half, 1], below[half, 2], below, n)
                sums[n] += sums[half]
        else:
            for b in range(spans[n, 0], spans[n, 1]):
                _merge(reached[b], rows[b], persons[b], below, n)
                sums[n] += persons[b] / max(1, reached[b])
    for p in range(points.shape[0]):
        pending = 1
        waiting[0] = 0
        while pending > 0:
            pending -= 1
            n = waiting[pending]
            place = _place(n, p, points, hulls)
            if place == 2:
                _merge(below[n, 0], below[n, 1], below[n, 2], found, p)
                shares[p] += sums[n]
            elif place == 1 and spans[n, 2] > 0:
                waiting[pending], waiting[pending + 1] = spans[n, 2], n + 1
                pending += 2
            elif place == 1:
                for b in range(spans[n, 0], spans[n, 1]):
                    if _holds(b, p, points, boxes, flag_starts, flags):
                        _merge(reached[b], rows[b], persons[b], found, p)
                        shares[p] += persons[b] / max(1, reached[b])


@kernel
def collect(
    points: I64, boxes: I64, flag_starts: I64, flags: U8, spans: I64, hulls: I64, starts: I64, listed: I64
) -> None:
    """List the boxes that hold each point, those of point p from ``starts[p]`` on."""
    waiting = np.zeros(_DEPTH, np.int64)
    for p in range(points.shape[0]):
        at = starts[p]
        pending = 1
        waiting[0] = 0
        while pending > 0:
            pending -= 1
            n = waiting[pending]
            place = _place(n, p, points, hulls)
            if place == 1 and spans[n, 2] > 0:
                waiting[pending], waiting[pending + 1] = spans[n, 2], n + 1
                pending += 2
            elif place > 0:
                for b in range(spans[n, 0], spans[n, 1]):
                    if place == 2 or _holds(b, p, points, boxes, flag_starts, flags):
                        listed[at] = b
                        at += 1
