"""The loops of microaggregation: a tree of boxes finds the nearest and the furthest records.

The tree is full: node i has the children 2i + 1 and 2i + 2, the leaves come last. Boxes are tight
around the records that are left, so that most of them are passed by. Bounds of a box are summed in
the order in which distances are, so rounding never puts a record outside of them: what is found is
what a search through all records finds. Of equal distances the lower record number wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.perturbation.microaggregation_tree import Crowd, Found, Middle, Rings, Tree

SQUARED = 0
ABSOLUTE = 1
CATEGORY = 2

LEAF = 32
"""records of a leaf, at most"""
UNGROUPED = -1
# Numba compiles a kernel anew for each constant that it is called with; int() hides that it is one.
NOBODY, NONE, ONE = -1, 0, 1
FAR, NEAR = 0, 1

_GRAIN = 1e-9
_RINGS_LAST = 16
"""looks at so many records for each that is left cost what drawing rings costs"""
_RINGS_FULL = 0.9
"""the share of the records in the list that must still be there"""
_TURNS = 64
"""rounds between two trials of both ways to find the furthest"""

REMAINING = 0
PERSONS = 1
GROUPS = 2

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def _lower(tree: Tree, node: int, query: F64) -> float:
    total = 0.0
    for j in range(query.shape[0]):
        gap = 0.0
        if query[j] < tree.low[node, j]:
            gap = tree.low[node, j] - query[j]
        elif query[j] > tree.high[node, j]:
            gap = query[j] - tree.high[node, j]
        if tree.kinds[j] == SQUARED:
            total += gap * gap
        elif tree.kinds[j] == ABSOLUTE:
            total += gap
        elif gap > 0.0:
            total += 1.0
    return total


@kernel
def _upper(tree: Tree, node: int, query: F64) -> float:
    total = 0.0
    for j in range(query.shape[0]):
        gap = max(abs(tree.low[node, j] - query[j]), abs(tree.high[node, j] - query[j]))
        if tree.kinds[j] == SQUARED:
            total += gap * gap
        elif tree.kinds[j] == ABSOLUTE:
            total += gap
        elif gap > 0.0:
            total += 1.0
    return total


@kernel
def _measure(tree: Tree, values: F64, leaf: int, size: int, query: F64) -> None:
    """Write the distances of the records of a leaf; column by column, so that it runs in lanes."""
    out = tree.distances
    for i in range(size):
        out[i] = 0.0
    for j in range(query.shape[0]):
        at = query[j]
        if tree.kinds[j] == SQUARED:
            for i in range(size):
                gap = values[leaf, j, i] - at
                out[i] += gap * gap
        elif tree.kinds[j] == ABSOLUTE:
            for i in range(size):
                out[i] += abs(values[leaf, j, i] - at)
        else:
            for i in range(size):
                out[i] += 1.0 if values[leaf, j, i] != at else 0.0


@kernel
def _push(tree: Tree, size: int, child: int, reach: float, reach_other: float, near_first: int) -> int:
    """Put two children onto the stack, on top the one to look at first; return how many are on it."""
    below = (reach < reach_other) == (near_first == NEAR)
    tree.stack[size] = child + 1 if below else child
    tree.stack[size + 1] = child if below else child + 1
    tree.reach[size] = reach_other if below else reach
    tree.reach[size + 1] = reach if below else reach_other
    return size + 2


@kernel
def furthest(tree: Tree, query: F64) -> int:
    """Return the record that is furthest from a point."""
    leaves = tree.records.shape[0]
    best = -1.0
    found = -1
    tree.stack[0], tree.reach[0] = 0, np.inf
    size = 1
    while size > 0:
        size -= 1
        node = tree.stack[size]
        if tree.reach[size] < best or tree.left[node] == 0:
            continue
        if node >= leaves - 1:
            leaf = node - leaves + 1
            many = tree.left[node]
            _measure(tree, tree.values, leaf, many, query)
            tree.looks[0] += 2 * LEAF
            for i in range(many):
                distance = tree.distances[i]
                record = tree.records[leaf, i]
                if distance > best or (distance == best and record < found):
                    best = distance
                    found = record
            continue
        one, other = 2 * node + 1, 2 * node + 2
        size = _push(tree, size, one, _upper(tree, one, query), _upper(tree, other, query), int(FAR))
    return found


@kernel
def _note(found: Found, crowd: Crowd, have: int, k: int, distance: float, record: int) -> int:
    """Put a record into the list of the k nearest, one for each person; return how many are in it."""
    if crowd.alone[0] == 0:
        for i in range(have):
            if crowd.owner[found.records[i]] == crowd.owner[record]:
                if found.distances[i] < distance or (
                    found.distances[i] == distance and found.records[i] < record
                ):
                    return have
                for later in range(i, have - 1):
                    found.distances[later] = found.distances[later + 1]
                    found.records[later] = found.records[later + 1]
                have -= 1
                break
    at = have if have < k else k - 1
    while at > 0 and (
        found.distances[at - 1] > distance
        or (found.distances[at - 1] == distance and found.records[at - 1] > record)
    ):
        found.distances[at] = found.distances[at - 1]
        found.records[at] = found.records[at - 1]
        at -= 1
    found.distances[at] = distance
    found.records[at] = record
    return have + 1 if have < k else k


@kernel
def nearest(tree: Tree, crowd: Crowd, found: Found, query: F64, k: int, without: int) -> int:
    """Find the nearest record of each of the k nearest persons, ``without`` one; return how many."""
    leaves = tree.records.shape[0]
    have = int(NONE)
    tree.stack[0], tree.reach[0] = 0, 0.0
    size = 1
    while size > 0:
        size -= 1
        node = tree.stack[size]
        if tree.left[node] == 0 or (have == k and tree.reach[size] > found.distances[k - 1]):
            continue
        if node >= leaves - 1:
            leaf = node - leaves + 1
            many = tree.left[node]
            _measure(tree, tree.values, leaf, many, query)
            for i in range(many):
                distance = tree.distances[i]
                record = tree.records[leaf, i]
                if record != without and (
                    have < k
                    or distance < found.distances[k - 1]
                    or (distance == found.distances[k - 1] and record < found.records[k - 1])
                ):
                    have = _note(found, crowd, have, k, distance, record)
            continue
        one, other = 2 * node + 1, 2 * node + 2
        size = _push(tree, size, one, _lower(tree, one, query), _lower(tree, other, query), int(NEAR))
    return have


@kernel
def _within(tree: Tree, found: Found, query: F64, distance: float, last: int) -> int:
    """List all records up to a distance (at it: up to a record number); return how many."""
    leaves = tree.records.shape[0]
    many_taken = 0
    tree.stack[0] = 0
    size = 1
    while size > 0:
        size -= 1
        node = tree.stack[size]
        if tree.left[node] == 0 or _lower(tree, node, query) > distance:
            continue
        if node >= leaves - 1:
            leaf = node - leaves + 1
            many = tree.left[node]
            _measure(tree, tree.values, leaf, many, query)
            for i in range(many):
                record = tree.records[leaf, i]
                if tree.distances[i] < distance or (tree.distances[i] == distance and record <= last):
                    found.taken[many_taken] = record
                    many_taken += 1
            continue
        tree.stack[size], tree.stack[size + 1] = 2 * node + 1, 2 * node + 2
        size += 2
    return many_taken


@kernel
def _remove(tree: Tree, record: int) -> None:
    """Take a record out and draw the boxes around those that are left."""
    leaves = tree.records.shape[0]
    columns = tree.values.shape[1]
    leaf, place = tree.leaf_of[record], tree.place_of[record]
    node = leaf + leaves - 1
    last = tree.left[node] - 1
    moved = tree.records[leaf, last]
    tree.records[leaf, place] = moved
    tree.place_of[moved] = place
    for j in range(columns):
        tree.values[leaf, j, place] = tree.values[leaf, j, last]
    tree.left[node] = last
    for j in range(columns):
        low, high = np.inf, -np.inf
        for i in range(last):
            low = min(low, tree.values[leaf, j, i])
            high = max(high, tree.values[leaf, j, i])
        tree.low[node, j], tree.high[node, j] = low, high
    while node > 0:
        node = (node - 1) // 2
        one, other = 2 * node + 1, 2 * node + 2
        tree.left[node] -= 1
        for j in range(columns):
            tree.low[node, j] = min(tree.low[one, j], tree.low[other, j])
            tree.high[node, j] = max(tree.high[one, j], tree.high[other, j])


@kernel
def _assign(tree: Tree, crowd: Crowd, middle: Middle, data: F64, record: int, group: I64, state: I64) -> None:
    """Give a record to the group at hand and take it out of everything."""
    group[record] = state[GROUPS]
    _remove(tree, record)
    state[REMAINING] -= 1
    owner = crowd.owner[record]
    crowd.left[owner] -= 1
    if crowd.left[owner] == 0:
        state[PERSONS] -= 1
    for j in range(data.shape[1]):
        if tree.kinds[j] == CATEGORY:
            middle.counts[middle.offsets[j] + np.int64(data[record, j])] -= 1
        else:
            middle.sums[j] -= data[record, j]


@kernel
def _take(
    tree: Tree,
    crowd: Crowd,
    found: Found,
    middle: Middle,
    data: F64,
    query: F64,
    k: int,
    group: I64,
    state: I64,
) -> int:
    """Make a group of the records around a point, until it has k persons; return how many records."""
    have = nearest(tree, crowd, found, query, k, int(NOBODY))
    if crowd.alone[0] == 1:
        many = have
        for i in range(have):
            found.taken[i] = found.records[i]
    else:
        many = _within(tree, found, query, found.distances[have - 1], found.records[have - 1])
    for i in range(many):
        _assign(tree, crowd, middle, data, found.taken[i], group, state)
    state[GROUPS] += 1
    return many


@kernel
def _centre(tree: Tree, middle: Middle, remaining: int, query: F64) -> None:
    """Write the centre of the remaining records: mean of numbers, most frequent category."""
    for j in range(query.shape[0]):
        if tree.kinds[j] == CATEGORY:
            first, end = middle.offsets[j], middle.offsets[j + 1]
            best = first
            for at in range(first, end):
                if middle.counts[at] > middle.counts[best]:
                    best = at
            query[j] = best - first
        else:
            query[j] = middle.sums[j] / remaining


@kernel
def _distance(tree: Tree, one: F64, other: F64) -> float:
    total = 0.0
    for j in range(one.shape[0]):
        gap = one[j] - other[j]
        if tree.kinds[j] == SQUARED:
            total += gap * gap
        elif tree.kinds[j] == ABSOLUTE:
            total += abs(gap)
        elif gap != 0.0:
            total += 1.0
    return total


@kernel
def _metric(tree: Tree, distance: float) -> float:
    """Turn what is measured into a distance that knows the triangle inequality."""
    return np.sqrt(distance) if tree.kinds[0] == SQUARED else distance


@kernel
def _draw_rings(tree: Tree, data: F64, group: I64, query: F64, rings: Rings) -> None:
    many = 0
    for record in range(data.shape[0]):
        if group[record] == UNGROUPED:
            rings.order[many] = record
            rings.far[many] = -_metric(tree, _distance(tree, data[record], query))
            many += 1
    by_distance = np.argsort(rings.far[:many])
    rings.order[:many] = rings.order[:many][by_distance]
    rings.far[:many] = -rings.far[:many][by_distance]
    rings.point[:] = query
    for i in range(many):
        for j in range(data.shape[1]):
            rings.values[i // LEAF, j, i % LEAF] = data[rings.order[i], j]
    rings.work[0], rings.work[1], rings.work[2] = 0, many, 0


@kernel
def _fit_rings(tree: Tree, data: F64, group: I64, remaining: int, query: F64, rings: Rings) -> None:
    """Draw the rings anew when they no longer fit: too many records are gone, or too many were measured."""
    if rings.work[2] > _RINGS_LAST * remaining or remaining < _RINGS_FULL * rings.work[1]:
        _draw_rings(tree, data, group, query, rings)
    gone = True
    while gone:
        first = rings.work[0] * LEAF
        for i in range(first, min(first + LEAF, rings.work[1])):
            if group[rings.order[i]] == UNGROUPED:
                gone = False
                break
        if gone:
            rings.work[0] += 1


@kernel
def furthest_in_rings(tree: Tree, group: I64, query: F64, rings: Rings) -> int:
    """Return the record that is furthest from a point, looking from the outside in.

    The triangle inequality ends the search: d(x, query) ≤ d(x, point) + d(point, query).
    """
    aside = _metric(tree, _distance(tree, rings.point, query))
    best = -1.0
    reached = -1.0
    found = -1
    many = rings.work[1]
    block = rings.work[0]
    while block * LEAF < many:
        first = block * LEAF
        # A grain more than what rounding can take away.
        if (rings.far[first] + aside) * (1.0 + _GRAIN) < reached:
            break
        size = min(LEAF, many - first)
        _measure(tree, rings.values, block, size, query)
        for i in range(size):
            distance = tree.distances[i]
            if distance >= best:
                record = rings.order[first + i]
                if group[record] == UNGROUPED and (distance > best or record < found):
                    best = distance
                    found = record
                    reached = _metric(tree, distance)
        block += 1
    rings.costs[1] = (block - rings.work[0]) * LEAF
    return found


@kernel
def _furthest_from_centre(tree: Tree, data: F64, group: I64, remaining: int, query: F64, rings: Rings) -> int:
    """Return the record that is furthest from the centre, which moves little from round to round."""
    _fit_rings(tree, data, group, remaining, query, rings)
    found = furthest_in_rings(tree, group, query, rings)
    rings.work[2] += rings.costs[1]
    return found


@kernel
def _furthest_from_record(tree: Tree, data: F64, record: int, group: I64, rings: Rings) -> int:
    """Return the record that is furthest from another, in the tree or in the rings: both find the same.

    Which is cheaper depends on the data, so both are tried now and then.
    """
    turn = rings.work[3] % _TURNS
    rings.work[3] += 1
    if turn == 0 or (turn > 1 and rings.costs[0] < rings.costs[2]):
        tree.looks[0] = 0
        found = furthest(tree, data[record])
        rings.costs[0] = tree.looks[0]
    else:
        found = furthest_in_rings(tree, group, data[record], rings)
        rings.costs[2] = rings.costs[1]
    return found


@kernel
def mdav(
    tree: Tree,
    crowd: Crowd,
    found: Found,
    middle: Middle,
    rings: Rings,
    data: F64,
    k: int,
    group: I64,
    state: I64,
    rounds: int,
) -> None:
    """Go on with MDAV for some rounds; fewer than 3k persons are left when it is done with pairs."""
    query = np.empty(data.shape[1], np.float64)
    for _ in range(rounds):
        if state[PERSONS] < 2 * k:
            return
        _centre(tree, middle, state[REMAINING], query)
        first = _furthest_from_centre(tree, data, group, state[REMAINING], query, rings)
        two = state[PERSONS] >= 3 * k
        _take(tree, crowd, found, middle, data, data[first], k, group, state)
        if two:
            # After the first group is gone: the furthest record is never in it, but for ties.
            second = _furthest_from_record(tree, data, first, group, rings)
            _take(tree, crowd, found, middle, data, data[second], k, group, state)


@kernel
def v_mdav(
    tree: Tree,
    crowd: Crowd,
    found: Found,
    middle: Middle,
    rings: Rings,
    data: F64,
    centre: F64,
    k: int,
    gamma: float,
    group: I64,
    state: I64,
    rounds: int,
) -> None:
    """Go on with V-MDAV for some rounds; fewer than k persons are left at its end.

    ``gamma`` is compared with ratios of what the tree measures: squared distances need it squared.
    """
    members = np.empty(data.shape[0], np.int64)
    for _ in range(rounds):
        if state[PERSONS] < k:
            return
        first = _furthest_from_centre(tree, data, group, state[REMAINING], centre, rings)
        size = _take(tree, crowd, found, middle, data, data[first], k, group, state)
        for i in range(size):
            members[i] = found.taken[i]
        grown = size
        while grown < size + k - 1 and state[PERSONS] > 0:
            inside = np.inf
            candidate = int(NOBODY)
            for i in range(grown):
                nearest(tree, crowd, found, data[members[i]], int(ONE), int(NOBODY))
                distance, record = found.distances[0], found.records[0]
                if distance < inside or (distance == inside and record < candidate):
                    inside, candidate = distance, record
            outside = np.inf
            if nearest(tree, crowd, found, data[candidate], int(ONE), candidate) == 1:
                outside = found.distances[0]
            if not inside < gamma * outside:
                break
            state[GROUPS] -= 1
            _assign(tree, crowd, middle, data, candidate, group, state)
            state[GROUPS] += 1
            members[grown] = candidate
            grown += 1
