"""Loops that move edges: towards the original without changing degrees, and towards other degrees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.graph.methods._kernels_degree_pairing import _add, _mark

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
Whole = int | np.int64
Flags = NDArray[np.bool_]


@kernel
def _place(offsets: I64, neighbours: I32, one: int, other: int) -> int:
    """Return where ``other`` stands among the neighbours of ``one``, or −1."""
    low = offsets[one]
    high = offsets[one + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low if low < offsets[one + 1] and neighbours[low] == other else -1


@kernel
def _in_row(starts: I64, rows: I64, one: int, other: int) -> bool:
    """Say whether two nodes are connected in rows that are not sorted, by the shorter row."""
    if starts[one + 1] - starts[one] > starts[other + 1] - starts[other]:
        one, other = other, one
    at = starts[one]
    while at < starts[one + 1] and rows[at] != other:
        at += 1
    return bool(at < starts[one + 1])


@kernel
def _replace(
    node: Whole, at: Whole, value: Whole, is_right: bool, starts: I64, rows: I64, right: I64
) -> None:
    """Put another neighbour where a wrong one stood; right ones stand first in a row."""
    if is_right:
        boundary = starts[node] + right[node]
        rows[at] = rows[boundary]
        rows[boundary] = value
        right[node] += 1
    else:
        rows[at] = value


@kernel
def _wrong_place(node: Whole, value: Whole, starts: I64, rows: I64, right: I64) -> int:
    """Return where a wrong neighbour stands."""
    for at in range(starts[node] + right[node], starts[node + 1]):
        if rows[at] == value:
            return at
    return -1


@kernel
def sort_right_first(offsets: I64, neighbours: I32, starts: I64, rows: I64, right: I64) -> None:
    """Put the neighbours that a node has in the original first in its row."""
    for node in range(len(right)):
        right[node] = 0
        for at in range(starts[node], starts[node + 1]):
            if _place(offsets, neighbours, node, rows[at]) >= 0:
                boundary = starts[node] + right[node]
                rows[at], rows[boundary] = rows[boundary], rows[at]
                right[node] += 1


@kernel
def approach(
    offsets: I64, neighbours: I32, order: I64, starts: I64, rows: I64, right: I64, tries: int
) -> int:
    """Swap edges so that more of the original are there; degrees stay. Return how many swaps were made.

    For an original edge a–c that is missing, wrong edges a–b and c–d with b, d not connected become a–c and
    b–d. At most ``tries`` pairs of wrong edges are looked at for each missing edge.
    """
    mark = np.full(len(right), -1, np.int64)
    swaps = 0
    for turn in range(len(order)):
        a = order[turn]
        for at in range(starts[a], starts[a] + right[a]):
            mark[rows[at]] = a
        for position in range(offsets[a], offsets[a + 1]):
            c = np.int64(neighbours[position])
            if mark[c] == a or starts[a] + right[a] == starts[a + 1]:
                continue
            left = tries
            done = False
            for i in range(starts[a] + right[a], starts[a + 1]):
                b = rows[i]
                for j in range(starts[c] + right[c], starts[c + 1]):
                    d = rows[j]
                    left -= 1
                    if left < 0:
                        break
                    if b == d or _in_row(starts, rows, b, d):
                        continue
                    good = _place(offsets, neighbours, b, d) >= 0
                    _replace(a, i, c, True, starts, rows, right)
                    _replace(c, j, a, True, starts, rows, right)
                    _replace(b, _wrong_place(b, a, starts, rows, right), d, good, starts, rows, right)
                    _replace(d, _wrong_place(d, c, starts, rows, right), b, good, starts, rows, right)
                    done = True
                    break
                if done or left < 0:
                    break
            if done:
                mark[c] = a
                swaps += 1
    return swaps


@kernel
def _cut(one: int, at: int, offsets: I64, neighbours: I32, gone: Flags) -> None:
    """Delete the edge that stands at a position of a node's neighbours, from both sides."""
    other = neighbours[at]
    gone[at] = True
    gone[_place(offsets, neighbours, other, one)] = True


@kernel
def cut_between(offsets: I64, neighbours: I32, order: I64, surplus: I64, gone: Flags) -> None:
    """Delete edges between nodes that both have too many, those with the most first."""
    for turn in range(len(order)):
        node = order[turn]
        if surplus[node] == 0:
            continue
        begin = offsets[node]
        near = neighbours[begin : offsets[node + 1]]
        for which in np.argsort(-surplus[near], kind="mergesort"):
            at = begin + which
            other = neighbours[at]
            if surplus[node] == 0 or surplus[other] == 0:
                break
            if not gone[at]:
                _cut(node, at, offsets, neighbours, gone)
                surplus[node] -= 1
                surplus[other] -= 1


@kernel
def hand_over(
    offsets: I64,
    neighbours: I32,
    poor: I64,
    rich: I64,
    lacking: I64,
    surplus: I64,
    gone: Flags,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Move ends of edges from nodes that have too many to nodes that lack some; return the number of added.

    With w of the ``rich`` having too many and v of the ``poor`` lacking one, an edge w–x becomes v–x where v,
    x are no neighbours. Edges that were deleted before count as neighbours, as do those that were added.
    """
    mark = np.full(len(lacking), -1, np.int64)
    for v in poor:
        _mark(v, v, offsets, neighbours, end, head, after, mark)
        for w in rich:
            if lacking[v] == 0:
                break
            for at in range(offsets[w], offsets[w + 1]):
                if lacking[v] == 0 or surplus[w] == 0:
                    break
                x = np.int64(neighbours[at])
                if gone[at] or mark[x] == v:
                    continue
                _cut(w, at, offsets, neighbours, gone)
                mark[x] = v
                _add(edges, v, x, end, head, after, before)
                edges += 1
                lacking[v] -= 1
                surplus[w] -= 1
    return edges


@kernel
def cut_from_helpers(
    offsets: I64,
    neighbours: I32,
    order: I64,
    k: int,
    surplus: I64,
    degree: I64,
    size: I64,
    gone: Flags,
) -> None:
    """Delete edges of nodes that have too many to nodes that can have one less.

    A node of degree d can where more than k nodes have d and k or more have d − 1. ``degree`` are the degrees
    to be, ``size[d]`` how many nodes are to have d.
    """
    for turn in range(len(order)):
        node = order[turn]
        for at in range(offsets[node], offsets[node + 1]):
            if surplus[node] == 0:
                break
            other = neighbours[at]
            d = degree[other]
            if gone[at] or surplus[other] > 0 or d == 0 or size[d] <= k or size[d - 1] < k:
                continue
            _cut(node, at, offsets, neighbours, gone)
            size[d] -= 1
            size[d - 1] += 1
            degree[other] = d - 1
            surplus[node] -= 1


@kernel
def bridge_over(
    offsets: I64,
    neighbours: I32,
    rich: I64,
    surplus: I64,
    gone: Flags,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Take edges from nodes that have too many, two at a time; return how many edges were added.

    For v and w (or v twice) edges v–x and w–y with x, y no neighbours become x–y: x and y keep their degrees.
    """
    mark = np.full(len(surplus), -1, np.int64)
    stamp = 0
    for i in range(len(rich)):
        for j in range(i, len(rich)):
            v = rich[i]
            w = rich[j]
            for at in range(offsets[v], offsets[v + 1]):
                if surplus[v] < 1 + (v == w) or surplus[w] < 1:
                    break
                if gone[at]:
                    continue
                x = np.int64(neighbours[at])
                stamp += 1
                _mark(x, stamp, offsets, neighbours, end, head, after, mark)
                for other in range(offsets[w], offsets[w + 1]):
                    y = np.int64(neighbours[other])
                    if not gone[other] and mark[y] != stamp:
                        _cut(v, at, offsets, neighbours, gone)
                        _cut(w, other, offsets, neighbours, gone)
                        _add(edges, x, y, end, head, after, before)
                        edges += 1
                        surplus[v] -= 1
                        surplus[w] -= 1
                        break
    return edges


@kernel
def reach_into(
    offsets: I64,
    neighbours: I32,
    order: I64,
    poor: I64,
    lacking: I64,
    gone: Flags,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Give edges to nodes that lack some, two at a time; return how many edges were added.

    For v and w (or v twice) an edge a–b with v, a and w, b no neighbours becomes v–a and w–b: a and b keep
    their degrees.
    """
    near_one = np.full(len(lacking), -1, np.int64)
    near_other = np.full(len(lacking), -1, np.int64)
    stamp = 0
    for i in range(len(poor)):
        for j in range(i, len(poor)):
            v = poor[i]
            w = poor[j]
            if lacking[v] < 1 + (v == w) or lacking[w] < 1:
                continue
            stamp += 1
            _mark(v, stamp, offsets, neighbours, end, head, after, near_one)
            _mark(w, stamp, offsets, neighbours, end, head, after, near_other)
            for a in order:
                if lacking[v] < 1 + (v == w) or lacking[w] < 1:
                    break
                if near_one[a] == stamp or (v == w and near_other[a] == stamp):
                    continue
                for at in range(offsets[a], offsets[a + 1]):
                    b = np.int64(neighbours[at])
                    if gone[at] or near_other[b] == stamp or (v == w and near_one[b] == stamp):
                        continue
                    _cut(a, at, offsets, neighbours, gone)
                    _add(edges, v, a, end, head, after, before)
                    _add(edges + 1, w, b, end, head, after, before)
                    edges += 2
                    near_one[a] = stamp
                    near_other[b] = stamp
                    lacking[v] -= 1
                    lacking[w] -= 1
                    break
    return edges
