"""Loops that give nodes the edges that they lack, and never take away an edge of the original.

Added edges are kept beside the network: edge e has the half-edges 2e and 2e + 1, ``end[h]`` is the node that
a half-edge leads to, and the half-edges of a node are the list ``head[v]``, ``after[head[v]]``, …, −1, with
``before`` for the way back. ``lacking[v]`` is how many edges v still needs; nodes that lack as many are in
such a list, too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
Whole = int | np.int64


@kernel
def _link(item: Whole, which: Whole, head: I64, after: I64, before: I64) -> None:
    """Put an item, a half-edge or a node, at the front of a list."""
    following = head[which]
    after[item] = following
    before[item] = -1
    if following >= 0:
        before[following] = item
    head[which] = item


@kernel
def _unlink(item: Whole, which: Whole, head: I64, after: I64, before: I64) -> None:
    """Take an item out of a list."""
    if before[item] >= 0:
        after[before[item]] = after[item]
    else:
        head[which] = after[item]
    if after[item] >= 0:
        before[after[item]] = before[item]


@kernel
def _add(edge: int, one: Whole, other: Whole, end: I64, head: I64, after: I64, before: I64) -> None:
    """Add an edge."""
    end[2 * edge] = other
    end[2 * edge + 1] = one
    _link(2 * edge, one, head, after, before)
    _link(2 * edge + 1, other, head, after, before)


@kernel
def _mark(
    node: Whole, stamp: Whole, offsets: I64, neighbours: I32, end: I64, head: I64, after: I64, mark: I64
) -> None:
    """Mark a node and all its neighbours, of the original and added ones."""
    mark[node] = stamp
    for at in range(offsets[node], offsets[node + 1]):
        mark[neighbours[at]] = stamp
    half = head[node]
    while half >= 0:
        mark[end[half]] = stamp
        half = after[half]


@kernel
def pair_lacking(
    offsets: I64,
    neighbours: I32,
    order: I64,
    lacking: I64,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Connect nodes that lack edges with each other; return how many edges there are then.

    Havel (1955) and Hakimi (1962) where some edges are taken: who lacks most is connected with those that
    lack most among the rest and are no neighbours. On a network without edges it succeeds exactly where some
    network has these degrees. Who is left lacks edges only to nodes that lack none: those left are all
    neighbours of each other. Time: the degrees of those that lack edges and the edges added.
    """
    n = len(lacking)
    most = 0
    for node in range(n):
        most = max(most, lacking[node])
    first = np.full(most + 1, -1, np.int64)
    following = np.empty(n, np.int64)
    previous = np.empty(n, np.int64)
    mark = np.full(n, -1, np.int64)
    for at in range(n):
        node = order[at]
        if lacking[node] > 0:
            _link(node, lacking[node], first, following, previous)
    for level in range(most, 0, -1):
        while first[level] >= 0:
            node = first[level]
            _unlink(node, level, first, following, previous)
            _mark(node, node, offsets, neighbours, end, head, after, mark)
            need = level
            for lower in range(level, 0, -1):
                other = first[lower]
                while other >= 0 and need > 0:
                    then = following[other]
                    if mark[other] != node:
                        _unlink(other, lower, first, following, previous)
                        if lower > 1:
                            _link(other, lower - 1, first, following, previous)
                        mark[other] = node
                        lacking[other] = lower - 1
                        _add(edges, node, other, end, head, after, before)
                        edges += 1
                        need -= 1
                    other = then
                if need == 0:
                    break
            lacking[node] = need
    return edges


@kernel
def switch_in(
    offsets: I64,
    neighbours: I32,
    lacking: I64,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
    budget: int,
) -> int:
    """Give edges to two that lack them and are neighbours already; return how many edges there are then.

    For v and w (or v twice) an added edge a–b with v, a and w, b no neighbours becomes v–a and w–b: a and b
    keep their degrees. At most about ``budget`` added edges are looked at.
    """
    n = len(lacking)
    near_one = np.full(n, -1, np.int64)
    near_other = np.full(n, -1, np.int64)
    left = np.flatnonzero(lacking)
    stamp = 0
    for i in range(len(left)):
        for j in range(i, len(left)):
            v = left[i]
            w = left[j]
            if lacking[v] < 1 + (v == w) or lacking[w] < 1:
                continue
            budget -= edges
            if budget < 0:
                return edges
            stamp += 1
            _mark(v, stamp, offsets, neighbours, end, head, after, near_one)
            _mark(w, stamp, offsets, neighbours, end, head, after, near_other)
            for edge in range(edges):
                for side in range(2):
                    half = 2 * edge + side
                    twin = 2 * edge + 1 - side
                    b = end[half]
                    a = end[twin]
                    if near_one[a] == stamp or near_other[b] == stamp:
                        continue
                    if v == w and (near_one[b] == stamp or near_other[a] == stamp):
                        continue
                    # ``half`` is a's and led to b; ``twin`` was b's and becomes v's.
                    _unlink(twin, b, head, after, before)
                    end[half] = v
                    end[twin] = a
                    _link(twin, v, head, after, before)
                    _add(edges, w, b, end, head, after, before)
                    edges += 1
                    near_one[a] = stamp
                    near_other[b] = stamp
                    lacking[v] -= 1
                    lacking[w] -= 1
                    break
                if lacking[v] < 1 + (v == w) or lacking[w] < 1:
                    break
    return edges


@kernel
def ask_for_help(
    offsets: I64,
    neighbours: I32,
    order: I64,
    k: int,
    lacking: I64,
    degree: I64,
    size: I64,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Connect nodes that lack edges with others that can have one more; return how many edges there are then.

    A node of degree d can where more than k nodes have d and k or more have d + 1: then both classes stay
    large enough. ``degree`` are the degrees to be, ``size[d]`` how many nodes are to have d. Nodes are asked
    in turn, in the order given, so that large classes help most and no node helps much more than others.
    """
    n = len(lacking)
    mark = np.full(n, -1, np.int64)
    turn = 0
    for node in range(n):
        if lacking[node] == 0:
            continue
        _mark(node, node, offsets, neighbours, end, head, after, mark)
        for _ in range(n):
            other = order[turn]
            turn = turn + 1 if turn + 1 < n else 0
            if mark[other] == node:
                continue
            d = degree[other]
            if size[d] > k and size[d + 1] >= k:
                size[d] -= 1
                size[d + 1] += 1
                degree[other] = d + 1
                mark[other] = node
                _add(edges, node, other, end, head, after, before)
                edges += 1
                lacking[node] -= 1
                if lacking[node] == 0:
                    break
    return edges


@kernel
def borrow(
    offsets: I64,
    neighbours: I32,
    order: I64,
    lacking: I64,
    edges: int,
    end: I64,
    head: I64,
    after: I64,
    before: I64,
) -> int:
    """Connect nodes that still lack edges with any others; return how many edges there are then.

    That may leave classes that are too small, which another round mends. No target exceeds n − 1, so that
    there are always others enough.
    """
    n = len(lacking)
    mark = np.full(n, -1, np.int64)
    turn = 0
    for node in range(n):
        if lacking[node] == 0:
            continue
        _mark(node, node, offsets, neighbours, end, head, after, mark)
        for _ in range(n):
            other = order[turn]
            turn = turn + 1 if turn + 1 < n else 0
            if mark[other] != node:
                mark[other] = node
                _add(edges, node, other, end, head, after, before)
                edges += 1
                lacking[node] -= 1
                if lacking[node] == 0:
                    break
    return edges


@kernel
def drop_needless(
    order: I64,
    k: int,
    degree: I64,
    size: I64,
    edges: int,
    end: I64,
    kept: NDArray[np.bool_],
) -> None:
    """Take added edges back where every class stays empty or large enough; ``kept`` says which stay."""
    for at in range(edges):
        edge = order[at]
        one = end[2 * edge]
        other = end[2 * edge + 1]
        size[degree[one]] -= 1
        size[degree[one] - 1] += 1
        size[degree[other]] -= 1
        size[degree[other] - 1] += 1
        good = True
        for node in (one, other):
            for d in (degree[node], degree[node] - 1):
                good = good and (size[d] == 0 or size[d] >= k)
        if good:
            degree[one] -= 1
            degree[other] -= 1
            kept[edge] = False
        else:
            size[degree[one]] += 1
            size[degree[one] - 1] -= 1
            size[degree[other]] += 1
            size[degree[other] - 1] -= 1
