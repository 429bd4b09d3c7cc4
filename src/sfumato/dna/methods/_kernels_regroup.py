"""Loops of large neighbourhood search: a few groups that lie near each other are dissolved and built anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.dna.methods._kernels_haplotype import NEVER, cost_of, cost_with, join_without, link, unlink


@kernel
def rebuilt(
    pool: NDArray[np.int64],
    number: int,
    groups: int,
    seed: int,
    cells: NDArray[np.uint8],
    weights: NDArray[np.int64],
    level: NDArray[np.int64],
    persons: NDArray[np.int64],
    k: int,
    place: NDArray[np.int64],
    joins: NDArray[np.uint8],
    costs: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Deal ``number`` rows of the pool to ``groups`` groups of k persons or more, beginning with one row.

    ``place`` says where each row of the pool went; the cost is returned, NEVER when it does not work out.
    """
    width = cells.shape[1]
    place[:number] = -1
    lead = seed
    for group in range(groups):
        if group > 0:
            most = -1
            farthest = -1
            for at in range(number):
                if place[at] < 0:
                    far = cost_with(cells[pool[lead]], cells[pool[at]], weights, level, NEVER)
                    if far > most:
                        most = far
                        farthest = at
            if farthest < 0:
                return NEVER
            lead = farthest
        place[lead] = group
        joins[group, :] = cells[pool[lead]]
        sizes[group] = 1
        costs[group] = cost_of(joins[group], weights, level)
        for _ in range(k - 1):
            best = NEVER
            chosen = -1
            for at in range(number):
                if place[at] >= 0:
                    continue
                known = False
                for other in range(number):
                    if place[other] == group and persons[pool[other]] == persons[pool[at]]:
                        known = True
                        break
                if known:
                    continue
                cost = cost_with(joins[group], cells[pool[at]], weights, level, best)
                if cost < best:
                    best = cost
                    chosen = at
            if chosen < 0:
                return NEVER
            place[chosen] = group
            sizes[group] += 1
            costs[group] = best
            for column in range(width):
                joins[group, column] |= cells[pool[chosen], column]
    for at in range(number):
        if place[at] >= 0:
            continue
        best = NEVER
        goal = 0
        for group in range(groups):
            cost = (sizes[group] + 1) * cost_with(joins[group], cells[pool[at]], weights, level, NEVER)
            cost -= sizes[group] * costs[group]
            if cost < best:
                best = cost
                goal = group
        place[at] = goal
        sizes[goal] += 1
        for column in range(width):
            joins[goal, column] |= cells[pool[at], column]
        costs[goal] = cost_of(joins[goal], weights, level)
    total = 0
    for group in range(groups):
        total += sizes[group] * costs[group]
    return total


@kernel
def regroup(
    cells: NDArray[np.uint8],
    weights: NDArray[np.int64],
    level: NDArray[np.int64],
    persons: NDArray[np.int64],
    k: int,
    near: NDArray[np.int64],
    chances: NDArray[np.int64],
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    sizes: NDArray[np.int64],
    group_of: NDArray[np.int64],
    costs: NDArray[np.int64],
) -> int:
    """For each of ``chances`` (row, how many groups, which row of them leads) dissolve the groups of the row
    and of rows near it, and keep what is built from them where it is cheaper. Return what was won."""
    most = chances[:, 1].max()
    width = cells.shape[1]
    pool = np.empty(len(cells), np.int64)
    place = np.empty(len(cells), np.int64)
    joins = np.empty((most, width), np.uint8)
    their_costs = np.empty(most, np.int64)
    their_sizes = np.empty(most, np.int64)
    chosen = np.empty(most, np.int64)
    whole = np.empty(width, np.uint8)
    won = 0
    for turn in range(len(chances)):
        row = chances[turn, 0]
        chosen[0] = group_of[row]
        groups = 1
        for rank in range(near.shape[1]):
            if groups == chances[turn, 1]:
                break
            there = group_of[near[row, rank]]
            fresh = True
            for at in range(groups):
                if chosen[at] == there:
                    fresh = False
                    break
            if fresh:
                chosen[groups] = there
                groups += 1
        if groups < 2:
            continue
        number = 0
        before = 0
        for at in range(groups):
            before += sizes[chosen[at]] * costs[chosen[at]]
            member = first[chosen[at]]
            while member >= 0:
                pool[number] = member
                number += 1
                member = after[member]
        now = rebuilt(
            pool,
            number,
            groups,
            chances[turn, 2] % number,
            cells,
            weights,
            level,
            persons,
            k,
            place,
            joins,
            their_costs,
            their_sizes,
        )
        if now >= before:
            continue
        won += before - now
        for at in range(number):
            unlink(pool[at], group_of[pool[at]], first, after, sizes)
        for at in range(number):
            link(pool[at], chosen[place[at]], first, after, sizes, group_of)
        for at in range(groups):
            join_without(cells, chosen[at], -1, first, after, whole)
            costs[chosen[at]] = cost_of(whole, weights, level)
    return won
