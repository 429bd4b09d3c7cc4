"""Loops of distance-based linkage: the nearest records of many people, and the cheapest way to pair all.

Distances are squared: of a column on an axis (a − b)², of a category 1 where the codes differ. What is not
known of a person (NaN) adds nothing; a released category that says nothing (UNSAID) adds one half, which
lies between agreeing and not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table.perturbation._kernels_microaggregation import SQUARED

if TYPE_CHECKING:
    from sfumato.table.perturbation.microaggregation_tree import Tree

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

UNSAID = -1.0
"""the code of a released category that says nothing; codes of others are not negative"""
_HALF = 0.5


@kernel
def _apart(kind: int, known: float, released: float) -> float:
    """Return what a column adds to the distance of two values."""
    if np.isnan(known):
        return 0.0
    if kind == SQUARED:
        return (known - released) * (known - released)
    if known == released:
        return 0.0
    return _HALF if released == UNSAID else 1.0


@kernel
def _at_least(tree: Tree, node: int, known: F64) -> float:
    """Return how near a record in the box of a node can be."""
    total = 0.0
    for j in range(known.shape[0]):
        low, high = tree.low[node, j], tree.high[node, j]
        if np.isnan(known[j]) or low <= known[j] <= high:
            continue
        if tree.kinds[j] == SQUARED:
            gap = low - known[j] if known[j] < low else known[j] - high
            total += gap * gap
        else:
            total += _HALF if low == UNSAID else 1.0
    return total


@kernel
def nearest_records(tree: Tree, people: F64, found: I64, distances: F64) -> None:
    """Write for each person the nearest records, nearest first; as many as ``found`` has columns.

    The number of records must be no smaller. Of equal distances any may be kept: put records into a random
    order first.
    """
    wanted, leaves = found.shape[1], tree.records.shape[0]
    for i in range(people.shape[0]):
        have, size = 0, 1
        tree.stack[0], tree.reach[0] = 0, 0.0
        while size > 0:
            size -= 1
            node = tree.stack[size]
            worst = distances[i, wanted - 1] if have == wanted else np.inf
            if tree.left[node] == 0 or tree.reach[size] >= worst:
                continue
            if node < leaves - 1:
                one, other = 2 * node + 1, 2 * node + 2
                near, far = _at_least(tree, one, people[i]), _at_least(tree, other, people[i])
                if far < near:
                    one, other, near, far = other, one, far, near
                # The nearer child lies on top and is looked at first.
                tree.stack[size], tree.stack[size + 1] = other, one
                tree.reach[size], tree.reach[size + 1] = far, near
                size += 2
                continue
            leaf = node - leaves + 1
            for r in range(tree.left[node]):
                worst = distances[i, wanted - 1] if have == wanted else np.inf
                total = 0.0
                for j in range(people.shape[1]):
                    total += _apart(tree.kinds[j], people[i, j], tree.values[leaf, j, r])
                    if total >= worst:
                        break
                if total >= worst:
                    continue
                at = have if have < wanted else wanted - 1
                while at > 0 and distances[i, at - 1] > total:
                    distances[i, at], found[i, at] = distances[i, at - 1], found[i, at - 1]
                    at -= 1
                distances[i, at], found[i, at] = total, tree.records[leaf, r]
                have = min(have + 1, wanted)


@kernel
def all_distances(people: F64, records: F64, kinds: I64, costs: F64) -> None:
    """Write the distance of every person and every record."""
    for i in range(people.shape[0]):
        for r in range(records.shape[0]):
            total = 0.0
            for j in range(people.shape[1]):
                total += _apart(kinds[j], people[i, j], records[r, j])
            costs[i, r] = total


@kernel
def assign_at_least_cost(costs: F64, given: I64) -> None:
    """Give each row a column of its own so that the costs add up to the least; rows may not be more.

    Shortest augmenting paths: R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense
    and sparse linear assignment problems", Computing 38, 1987; in the form of D. F. Crouse, "On implementing
    2D rectangular assignment algorithms", IEEE Transactions on Aerospace and Electronic Systems 52, 2016.
    """
    rows, columns = costs.shape
    u, v = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1, np.int64)
    shortest, path = np.empty(columns), np.empty(columns, np.int64)
    waiting, reached = np.empty(columns, np.int64), np.empty(columns, np.int64)
    given[:] = -1
    for start in range(rows):
        shortest[:] = np.inf
        for j in range(columns):
            waiting[j] = columns - 1 - j
        left, many, row, sink, length = columns, 0, start, -1, 0.0
        while sink < 0:
            best, place = np.inf, -1
            for at in range(left):
                j = waiting[at]
                reach = length + costs[row, j] - u[row] - v[j]
                if reach < shortest[j]:
                    shortest[j], path[j] = reach, row
                if shortest[j] < best or (shortest[j] == best and owner[j] < 0):
                    best, place = shortest[j], at
            length, j = best, waiting[place]
            left -= 1
            waiting[place] = waiting[left]
            reached[many] = j
            many += 1
            if owner[j] < 0:
                sink = j
            else:
                row = owner[j]
        u[start] += length
        for at in range(many):
            j = reached[at]
            if j != sink:
                u[owner[j]] += length - shortest[j]
            v[j] -= length - shortest[j]
        j = sink
        while True:
            row = path[j]
            owner[j] = row
            given[row], j = j, given[row]
            if row == start:
                break
