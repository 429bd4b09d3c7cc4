"""Clusters as small rows of integers, the growth of a union, and an exact search for the nearest.

Descriptions are those of ``_kernels_hulls``. Clusters stand in an order in which neighbours are near.
Over them lies a tree of hulls: node i of level 0 covers the clusters from FAN · i on, and so on up.

What is called often is handed plain arrays: taking them out of a tuple costs more than the work itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table.methods.clustering._kernels_hulls import (
    BEGIN,
    END,
    KIND,
    MISSING,
    OFFSET,
    ORDERED,
    TREE_OFFSET,
    UNORDERED,
    VALUES,
    absorb,
    ones,
    range_width,
    union_width,
    widths,
)

if TYPE_CHECKING:
    from sfumato.table.methods.clustering.space import Clusters, Hulls, Layout, Members

FAN = 8
"""clusters or nodes under one node"""
BITS = 63
"""values in one word: the sign is left alone"""
_LEAST_GAIN = 1e-9
"""a smaller one may be nothing but rounding"""

Flags = NDArray[np.bool_]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def describe(codes: I32, order: I64, starts: I64, weights: I64, y: Layout, c: Clusters) -> None:
    """Describe clusters: number i holds the cells ``order[starts[i]:starts[i + 1]]``."""
    single = np.zeros((1, c.words.shape[1]), np.int64)
    for i in range(c.rows.shape[0]):
        for at in range(starts[i], starts[i + 1]):
            cell = order[at]
            c.rows[i] += weights[cell]
            for j in range(y.plan.shape[0]):
                code = codes[j, cell]
                begin = y.plan[j, BEGIN]
                if y.plan[j, KIND] == UNORDERED:
                    for word in range(begin, y.plan[j, END]):
                        single[0, word] = 0
                    single[0, begin + code // BITS] = 1 << (code % BITS)
                else:
                    single[0, begin] = code if y.plan[j, KIND] == ORDERED else 0
                    single[0, begin + 1] = code
            if at == starts[i]:
                c.words[i] = single[0]
            else:
                absorb(c.words, i, single, 0, y.plan, y.tree)
        c.width[i] = widths(c.words, i, c.words, i, y.plan, y.scale, y.axis, y.tree, y.shares)


@kernel
def enter(i: int, c: Clusters, h: Hulls, plan: I64, tree: I32) -> None:
    """Widen all hulls above a cluster."""
    node = i
    for level in range(h.first.shape[0] - 1):
        node //= FAN
        at = h.first[level] + node
        if h.rows[at] < 0:
            h.words[at] = c.words[i]
            h.rows[at] = c.rows[i]
        else:
            absorb(h.words, at, c.words, i, plan, tree)
            h.rows[at] = min(h.rows[at], c.rows[i])


@kernel
def raise_hulls(candidate: Flags, y: Layout, c: Clusters, h: Hulls) -> None:
    """Build the hulls of all levels over the clusters that are candidates."""
    for i in range(c.rows.shape[0]):
        if candidate[i]:
            enter(i, c, h, y.plan, y.tree)


@kernel
def least_widening(
    j: int, one: I64, i: int, hulls: I64, node: int, plan: I64, scale: F64, axis: F64, tree: I32, shares: F64
) -> tuple[float, float]:
    """How wide column j of a union of cluster i with one from under a hull is at least.

    And by how much this other one widens at least. Where the hull touches the cluster nothing is known:
    that is returned as 0.
    """
    at = plan[j, BEGIN]
    if plan[j, KIND] == UNORDERED:
        values = 0
        for word in range(at, plan[j, END]):
            if one[i, word] & hulls[node, word]:
                return 0.0, 0.0
            values += ones(one[i, word])
        return (values + 1) * scale[j], values * scale[j]
    if plan[j, KIND] == ORDERED:
        missing, offset = plan[j, MISSING], plan[j, OFFSET]
        if hulls[node, at] > one[i, at + 1]:
            width = range_width(one[i, at], hulls[node, at], missing, offset, axis)
        elif hulls[node, at + 1] < one[i, at]:
            width = range_width(hulls[node, at + 1], one[i, at + 1], missing, offset, axis)
        else:
            return 0.0, 0.0
        # Missing makes a union as wide as the axis, however wide its parts were.
        unclear = one[i, at + 1] == missing or hulls[node, at + 1] == missing
        return width, 0.0 if unclear else width
    base = plan[j, TREE_OFFSET] + max(one[i, at], hulls[node, at]) * plan[j, VALUES]
    first, second = one[i, at + 1], hulls[node, at + 1]
    if tree[base + first] == tree[base + second]:
        return 0.0, 0.0
    while tree[base + first] != tree[base + second]:
        base += plan[j, VALUES]
    inside = shares[plan[j, TREE_OFFSET] + hulls[node, at] * plan[j, VALUES] + second]
    return shares[base + first], shares[base + first] - inside


@kernel
def look_at(
    node: int,
    i: int,
    best: F64,
    own: F64,
    candidate: Flags,
    words: I64,
    rows: I64,
    width: F64,
    plan: I64,
    scale: F64,
    axis: F64,
    tree: I32,
    shares: F64,
) -> None:
    """Compare the clusters under a node of level 0; ``best`` holds the least growth and its cluster.

    A comparison ends when the columns so far, and what cluster i alone has in the others (``own``), are
    too much.
    """
    alone = own.sum()
    cost = rows[i] * width[i]
    for b in range(node * FAN, min((node + 1) * FAN, rows.shape[0])):
        if b == i or not candidate[b]:
            continue
        both = rows[i] + rows[b]
        before = cost + rows[b] * width[b]
        total = alone
        for j in range(plan.shape[0]):
            total += union_width(j, words, i, words, b, plan, scale, axis, tree, shares) - own[j]
            if both * total - before >= best[0]:
                break
        growth = max(0.0, both * total - before)
        if growth < best[0]:
            best[0] = growth
            best[1] = b


@kernel
def push(bound: float, node: int, size: int, bounds: F64, nodes: I64) -> None:
    """Put a node into a heap of ``size`` nodes, the one with the least bound on top."""
    at = size
    while at > 0 and bounds[(at - 1) // 2] > bound:
        bounds[at] = bounds[(at - 1) // 2]
        nodes[at] = nodes[(at - 1) // 2]
        at = (at - 1) // 2
    bounds[at] = bound
    nodes[at] = node


@kernel
def pop(size: int, bounds: F64, nodes: I64) -> None:
    """Take the top off a heap of ``size`` nodes."""
    bound, node = bounds[size - 1], nodes[size - 1]
    at = 0
    while 2 * at + 1 < size - 1:
        child = 2 * at + 1
        if child + 1 < size - 1 and bounds[child + 1] < bounds[child]:
            child += 1
        if bounds[child] >= bound:
            break
        bounds[at] = bounds[child]
        nodes[at] = nodes[child]
        at = child
    bounds[at] = bound
    nodes[at] = node


@kernel
def nearest(
    i: int, candidate: Flags, best: F64, bounds: F64, nodes: I64, y: Layout, c: Clusters, h: Hulls
) -> None:
    """Find the candidate whose union with cluster i grows least: nodes with the least bound first.

    No cluster B under a hull makes the union with A grow by less than

        rows(A) · (w(A∪B) − w(A)) + rows(B) · (w(A∪B) − w(B))

    with what is known of B from the hull.

    ``best`` comes with a growth and a cluster that is known already, or with infinity and -1.
    """
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    words, rows, width = c.words, c.rows, c.width
    hulls, fewest, first = h.words, h.rows, h.first
    columns = plan.shape[0]
    own = np.empty(columns, np.float64)
    for j in range(columns):
        own[j] = union_width(j, words, i, words, i, plan, scale, axis, tree, shares)
    look_at(i // FAN, i, best, own, candidate, words, rows, width, plan, scale, axis, tree, shares)
    bounds[0] = 0.0
    nodes[0] = first[first.shape[0] - 2]
    size = 1
    while size > 0 and bounds[0] < best[0]:
        node = nodes[0]
        pop(size, bounds, nodes)
        size -= 1
        level = 0
        while node >= first[level + 1]:
            level += 1
        place = node - first[level]
        if level == 0:
            if place != i // FAN:
                look_at(place, i, best, own, candidate, words, rows, width, plan, scale, axis, tree, shares)
            continue
        end = first[level - 1] + min((place + 1) * FAN, first[level] - first[level - 1])
        for child in range(first[level - 1] + place * FAN, end):
            if fewest[child] < 0:
                continue
            # Column by column, until it is too much.
            bound = 0.0
            j = 0
            while j < columns and bound < best[0]:
                width_of, more = least_widening(j, words, i, hulls, child, plan, scale, axis, tree, shares)
                bound += rows[i] * max(0.0, width_of - own[j]) + fewest[child] * more
                j += 1
            if bound < best[0]:
                push(bound, child, size, bounds, nodes)
                size += 1


@kernel
def nearest_of_each(
    asking: I64, candidate: Flags, y: Layout, c: Clusters, h: Hulls, partner: I64, growth: F64
) -> None:
    """Find the nearest candidate of some clusters; what is there of partner and growth is a first guess."""
    best = np.empty(2, np.float64)
    bounds = np.empty(h.rows.shape[0] + 1, np.float64)
    nodes = np.empty(h.rows.shape[0] + 1, np.int64)
    for at in range(asking.shape[0]):
        best[0] = growth[at]
        best[1] = partner[at]
        nearest(asking[at], candidate, best, bounds, nodes, y, c, h)
        growth[at] = best[0]
        partner[at] = int(best[1])


@kernel
def hull_without(cluster: int, cell: int, out: I64, m: Members, points: I64, plan: I64, tree: I32) -> None:
    """Describe a cluster without one of its cells."""
    begun = False
    at = m.head[cluster]
    while at >= 0:
        if at != cell:
            if begun:
                absorb(out, 0, points, at, plan, tree)
            else:
                out[0] = points[at]
                begun = True
        at = m.following[at]


@kernel
def hand_over(cell: int, one: int, other: int, persons: I64, m: Members) -> None:
    """Take a cell from one cluster and give it to the other."""
    if m.head[one] == cell:
        m.head[one] = m.following[cell]
    else:
        before = m.head[one]
        while m.following[before] != cell:
            before = m.following[before]
        m.following[before] = m.following[cell]
    m.following[cell] = m.head[other]
    m.head[other] = cell
    m.owner[cell] = other
    m.persons[one] -= persons[cell]
    m.persons[other] += persons[cell]
    m.cells[one] -= 1
    m.cells[other] += 1


@kernel
def take_in(other: int, cell: int, y: Layout, points: Clusters, c: Clusters, h: Hulls) -> None:
    """Describe a cluster with one more cell. Hulls only widen: their bounds remain true."""
    absorb(c.words, other, points.words, cell, y.plan, y.tree)
    c.rows[other] += points.rows[cell]
    c.width[other] = widths(c.words, other, c.words, other, y.plan, y.scale, y.axis, y.tree, y.shares)
    enter(other, c, h, y.plan, y.tree)


@kernel
def write(c: Clusters, i: int, words: I64, at: int, rows: int, width: float) -> None:
    """Write a description in the place of cluster i."""
    c.words[i] = words[at]
    c.rows[i] = rows
    c.width[i] = width


@kernel
def exchange_cells(
    turn: I64, k: int, persons: I64, y: Layout, points: Clusters, m: Members, c: Clusters, h: Hulls
) -> float:
    """Give cells to other clusters wherever the loss falls; return by how much it fell.

    A cluster is given away as a whole, each cell to its nearest, or single cells leave it as long as k
    persons stay behind. A cell stands in the place of its cluster while the nearest is looked for.
    """
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    candidate = np.ones(c.rows.shape[0], np.bool_)
    best = np.empty(2, np.float64)
    bounds = np.empty(h.rows.shape[0] + 1, np.float64)
    nodes = np.empty(h.rows.shape[0] + 1, np.int64)
    hull = np.empty((2, c.words.shape[1]), np.int64)
    target = np.empty(points.rows.shape[0], np.int64)
    won = 0.0
    for one in turn:
        hull[1] = c.words[one]
        all_rows, all_width = c.rows[one], c.width[one]
        candidate[one] = False
        left = all_rows * all_width
        cell = m.head[one]
        while cell >= 0 and left > _LEAST_GAIN:
            write(c, one, points.words, cell, points.rows[cell], points.width[cell])
            left -= points.rows[cell] * points.width[cell]
            best[0] = left
            best[1] = -1.0
            nearest(one, candidate, best, bounds, nodes, y, c, h)
            target[cell] = int(best[1])
            left -= best[0]
            cell = m.following[cell]
        whole = cell < 0 and left > _LEAST_GAIN
        following = m.head[one]
        while whole and following >= 0:
            cell = following
            following = m.following[cell]
            take_in(target[cell], cell, y, points, c, h)
            hand_over(cell, one, target[cell], persons, m)
        if whole:
            won += left
            continue
        write(c, one, hull, 1, all_rows, all_width)
        following = m.head[one]
        while following >= 0:
            cell = following
            following = m.following[cell]
            if m.cells[one] < 2 or m.persons[one] - persons[cell] < k:
                continue
            hull_without(one, cell, hull, m, points.words, plan, tree)
            width = widths(hull, 0, hull, 0, plan, scale, axis, tree, shares)
            rows = c.rows[one] - points.rows[cell]
            gain = c.rows[one] * c.width[one] - rows * width - points.rows[cell] * points.width[cell]
            if gain <= _LEAST_GAIN:
                continue
            hull[1] = c.words[one]
            all_rows, all_width = c.rows[one], c.width[one]
            write(c, one, points.words, cell, points.rows[cell], points.width[cell])
            best[0] = gain - _LEAST_GAIN
            best[1] = -1.0
            nearest(one, candidate, best, bounds, nodes, y, c, h)
            write(c, one, hull, 1, all_rows, all_width)
            if best[1] >= 0:
                other = int(best[1])
                take_in(other, cell, y, points, c, h)
                hand_over(cell, one, other, persons, m)
                write(c, one, hull, 0, rows, width)
                won += gain - best[0]
        candidate[one] = True
    return won


@kernel
def gather(k: int, persons: I64, y: Layout, c: Clusters, h: Hulls, owner: I64) -> None:
    """Grow one cluster after the other to k persons, each from the cell farthest from the one before.

    Cells that are left when fewer than k persons remain keep themselves as owners.
    """
    plan, scale, axis, tree, shares = y.plan, y.scale, y.axis, y.tree, y.shares
    cells = c.rows.shape[0]
    free = np.ones(cells, np.bool_)
    best = np.empty(2, np.float64)
    bounds = np.empty(h.rows.shape[0] + 1, np.float64)
    nodes = np.empty(h.rows.shape[0] + 1, np.int64)
    left = persons.sum()
    seed = c.words[:1].copy()
    while left >= k:
        start = -1
        farthest = -1.0
        for cell in range(cells):
            if free[cell]:
                width = widths(seed, 0, c.words, cell, plan, scale, axis, tree, shares)
                if width > farthest:
                    farthest = width
                    start = cell
        seed[0] = c.words[start]
        free[start] = False
        size = persons[start]
        while size < k:
            best[0] = np.inf
            best[1] = -1.0
            nearest(start, free, best, bounds, nodes, y, c, h)
            cell = int(best[1])
            free[cell] = False
            owner[cell] = start
            size += persons[cell]
            absorb(c.words, start, c.words, cell, plan, tree)
            c.rows[start] += c.rows[cell]
            c.width[start] = widths(c.words, start, c.words, start, plan, scale, axis, tree, shares)
        left -= size
