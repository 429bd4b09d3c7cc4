"""Loops of grouping: rows that are published alike, at the least weighted level of what they have in common.

A group of rows with the join z costs |group| · Σ_j weight_j · level(z_j). Members of a group are a chain:
``first[group]``, then ``after[row]`` until −1. Joins are kept as plain *or* of cells; ``level`` knows what
each is closed to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

NEVER = 1 << 62


@kernel
def cost_of(join: NDArray[np.uint8], weights: NDArray[np.int64], level: NDArray[np.int64]) -> int:
    """Return the weighted level of a join."""
    total = 0
    for column in range(len(join)):
        total += weights[column] * level[join[column]]
    return total


@kernel
def cost_with(
    join: NDArray[np.uint8],
    row: NDArray[np.uint8],
    weights: NDArray[np.int64],
    level: NDArray[np.int64],
    limit: int,
) -> int:
    """Return the weighted level of a join with one more row; past the limit it is not counted further."""
    total = 0
    for column in range(len(join)):
        total += weights[column] * level[join[column] | row[column]]
        if total >= limit:
            return NEVER
    return total


@kernel
def join_without(
    cells: NDArray[np.uint8],
    group: int,
    skipped: int,
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    join: NDArray[np.uint8],
) -> None:
    """Write the join of all members of a group but one (−1 is all)."""
    join[:] = 0
    row = first[group]
    while row >= 0:
        if row != skipped:
            for column in range(len(join)):
                join[column] |= cells[row, column]
        row = after[row]


@kernel
def persons_without(
    group: int,
    skipped: int,
    added: int,
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    persons: NDArray[np.int64],
    marks: NDArray[np.int64],
    stamp: int,
) -> int:
    """Count the distinct persons of a group without one row and with another (−1 is none)."""
    found = 0
    row = first[group]
    while row >= 0:
        if row != skipped and marks[persons[row]] != stamp:
            marks[persons[row]] = stamp
            found += 1
        row = after[row]
    if added >= 0 and marks[persons[added]] != stamp:
        found += 1
    return found


@kernel
def unlink(
    row: int, group: int, first: NDArray[np.int64], after: NDArray[np.int64], sizes: NDArray[np.int64]
) -> None:
    """Take a row out of its group."""
    sizes[group] -= 1
    if first[group] == row:
        first[group] = after[row]
        return
    at = first[group]
    while after[at] != row:
        at = after[at]
    after[at] = after[row]


@kernel
def link(
    row: int,
    group: int,
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    sizes: NDArray[np.int64],
    group_of: NDArray[np.int64],
) -> None:
    """Put a row into a group."""
    after[row] = first[group]
    first[group] = row
    sizes[group] += 1
    group_of[row] = group


@kernel
def improve(
    cells: NDArray[np.uint8],
    weights: NDArray[np.int64],
    level: NDArray[np.int64],
    persons: NDArray[np.int64],
    k: int,
    near: NDArray[np.int64],
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    sizes: NDArray[np.int64],
    group_of: NDArray[np.int64],
    costs: NDArray[np.int64],
) -> int:
    """Go through the rows once: each moves to the group of a near row, or changes places with a member of it,
    where that costs less. Return what was won. ``costs`` are the weighted levels of the groups' joins."""
    n, width = cells.shape
    mine = np.empty(width, np.uint8)
    theirs = np.empty(width, np.uint8)
    whole = np.empty(width, np.uint8)
    marks = np.full(persons.max() + 1, -1, np.int64)
    tried = np.full(len(first), -1, np.int64)
    stamp = 0
    won = 0
    for row in range(n):
        here = group_of[row]
        join_without(cells, here, row, first, after, mine)
        stamp += 1
        may_leave = persons_without(here, row, -1, first, after, persons, marks, stamp) >= k
        without = cost_of(mine, weights, level) if may_leave else np.int64(0)
        best = 0
        goal = -1
        partner = -1
        for rank in range(near.shape[1]):
            there = group_of[near[row, rank]]
            if there == here or tried[there] == row:
                continue
            tried[there] = row
            before = sizes[here] * costs[here] + sizes[there] * costs[there]
            if may_leave:
                join_without(cells, there, -1, first, after, whole)
                joined = cost_with(whole, cells[row], weights, level, NEVER)
                now = (sizes[here] - 1) * without + (sizes[there] + 1) * joined
                if before - now > best:
                    best = before - now
                    goal = there
                    partner = -1
            other = first[there]
            while other >= 0:
                limit = (before - best) // sizes[here] + 1
                in_mine = cost_with(mine, cells[other], weights, level, limit)
                if in_mine < NEVER:
                    join_without(cells, there, other, first, after, theirs)
                    limit = (before - best - sizes[here] * in_mine) // sizes[there] + 1
                    in_theirs = cost_with(theirs, cells[row], weights, level, limit)
                    if in_theirs < NEVER:
                        now = sizes[here] * in_mine + sizes[there] * in_theirs
                        if before - now > best:
                            stamp += 2
                            if (
                                persons_without(here, row, other, first, after, persons, marks, stamp - 1)
                                >= k
                                and persons_without(there, other, row, first, after, persons, marks, stamp)
                                >= k
                            ):
                                best = before - now
                                goal = there
                                partner = other
                other = after[other]
        if goal >= 0:
            unlink(row, here, first, after, sizes)
            if partner >= 0:
                unlink(partner, goal, first, after, sizes)
                link(partner, here, first, after, sizes, group_of)
            link(row, goal, first, after, sizes, group_of)
            for group in (here, goal):
                join_without(cells, group, -1, first, after, whole)
                costs[group] = cost_of(whole, weights, level)
            won += best
    return won
