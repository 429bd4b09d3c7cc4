"""Local search over groups of rows: move a row, swap two, found a group, dissolve one; shake, and undo."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.dna.methods._kernels_bits import (
    Groups,
    is_enough,
    join_without,
    level_of,
    level_of_both,
    put,
    take,
)

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
MOST_TIMES = 4
"""groups of more than so many times k rows are hosts only: looking at all swaps would take too long"""
LOGGED, WAITING, FIRST, CURSOR = 0, 1, 2, 3
NEVER = 2**40
"""added to the loss by what the caller must undo"""


class Desk(NamedTuple):
    """What the search writes on. Rows near r are ``near[starts[r]:starts[r + 1]]``, the nearest first."""

    starts: I64
    near: I64
    rest: U64
    other: U64
    seen: I64
    rows: I64
    log: I64
    """moves so far: row, the group that it left"""
    queue: I64
    """rows to look at, a ring"""
    queued: NDArray[np.bool_]
    counts: I64
    """how many moves are logged, how many rows wait, where the ring begins, where a free group is sought"""


@kernel
def _move(groups: Groups, desk: Desk, row: int, to: int) -> None:
    at = desk.counts[LOGGED]
    desk.log[at, 0] = row
    desk.log[at, 1] = groups.group[row]
    desk.counts[LOGGED] = at + 1
    take(groups, row)
    put(groups, row, to)


@kernel
def _undo(groups: Groups, desk: Desk) -> None:
    for back in range(desk.counts[LOGGED]):
        at = desk.counts[LOGGED] - 1 - back
        take(groups, desk.log[at, 0])
        put(groups, desk.log[at, 0], desk.log[at, 1])
    desk.counts[LOGGED] = 0


@kernel
def _wake(groups: Groups, desk: Desk, g: int) -> None:
    """Let the rows of a group wait in the queue."""
    member = groups.head[g]
    while member >= 0:
        if not desk.queued[member]:
            desk.queued[member] = True
            last = (desk.counts[FIRST] + desk.counts[WAITING]) % len(desk.queue)
            desk.queue[last] = member
            desk.counts[WAITING] += 1
        member = groups.after[member]


@kernel
def _published(groups: Groups, g: int) -> int:
    """The levels of a group's published rows, all together."""
    return int(groups.size[g] * groups.level[g])


@kernel
def _best_swap(groups: Groups, desk: Desk, r: int, h: int, least: int) -> tuple[int, int]:
    """Return the row of group h that r had best be swapped with, and what that adds, if less than ``least``;
    ``rest`` on the desk is the join of the group of r without r."""
    g = groups.group[r]
    before = _published(groups, g) + _published(groups, h)
    best = -1
    t = groups.head[h]
    while t >= 0:
        mine = groups.size[g] * level_of_both(desk.rest, groups.bits[t], groups.plus)
        if mine - before < least:
            join_without(groups, h, t, desk.other)
            theirs = groups.size[h] * level_of_both(desk.other, groups.bits[r], groups.plus)
            if mine + theirs - before < least and (
                not groups.repeated
                or (is_enough(groups, g, r, t, desk.seen) and is_enough(groups, h, t, r, desk.seen))
            ):
                least = mine + theirs - before
                best = t
        t = groups.after[t]
    return best, least


@kernel
def _found_group(groups: Groups, desk: Desk, r: int) -> int:
    """Found a group of r and rows near it that their groups can spare, if that lowers the loss; return by
    how much it changed."""
    free = desk.counts[CURSOR]
    for _ in range(len(groups.head)):
        if groups.size[free] == 0:
            break
        free = (free + 1) % len(groups.head)
    desk.counts[CURSOR] = free
    if groups.size[free] > 0:
        return 0
    logged = desk.counts[LOGGED]
    change = 0
    at = desk.starts[r] - 1
    while at < desk.starts[r + 1] and groups.size[free] < groups.enough:
        row = r if at < desk.starts[r] else desk.near[at]
        at += 1
        g = groups.group[row]
        if g == free or not is_enough(groups, g, row, -1, desk.seen):
            continue
        stranger = True
        member = groups.head[free]
        while member >= 0 and stranger:
            stranger = groups.owner[member] != groups.owner[row]
            member = groups.after[member]
        if stranger:
            change -= _published(groups, g)
            _move(groups, desk, row, free)
            change += _published(groups, g)
    change += _published(groups, free)
    if groups.size[free] == groups.enough and change < 0:
        for at in range(logged, desk.counts[LOGGED]):
            _wake(groups, desk, desk.log[at, 1])
        _wake(groups, desk, free)
        return change
    for back in range(desk.counts[LOGGED] - logged):
        at = desk.counts[LOGGED] - 1 - back
        take(groups, desk.log[at, 0])
        put(groups, desk.log[at, 0], desk.log[at, 1])
    desk.counts[LOGGED] = logged
    return 0


@kernel
def _improve(groups: Groups, desk: Desk, r: int) -> int:
    """Make the best move of row r if one lowers the loss; return by how much it changed."""
    g = groups.group[r]
    join_without(groups, g, r, desk.rest)
    may_leave = is_enough(groups, g, r, -1, desk.seen)
    saved = _published(groups, g) - (groups.size[g] - 1) * level_of(desk.rest, groups.plus)
    least = 0
    best = -1
    with_row = -1
    last = -1
    for at in range(desk.starts[r], desk.starts[r + 1]):
        h = groups.group[desk.near[at]]
        if h in (g, last):
            continue
        last = h
        if may_leave:
            joined = level_of_both(groups.join[h], groups.bits[r], groups.plus)
            added = (groups.size[h] + 1) * joined - _published(groups, h) - saved
            if added < least:
                least, best, with_row = added, h, -1
        if groups.size[h] <= MOST_TIMES * groups.enough:
            t, added = _best_swap(groups, desk, r, h, least)
            if t >= 0:
                least, best, with_row = added, h, t
    if best < 0:
        return _found_group(groups, desk, r) if may_leave else 0
    _move(groups, desk, r, best)
    if with_row >= 0:
        _move(groups, desk, with_row, g)
    _wake(groups, desk, g)
    _wake(groups, desk, best)
    return int(least)


@kernel
def _settle(groups: Groups, desk: Desk) -> int:
    """Improve rows until none waits; return by how much the loss changed."""
    change = 0
    while desk.counts[WAITING] > 0 and desk.counts[LOGGED] + 2 * groups.enough + 2 < len(desk.log):
        r = desk.queue[desk.counts[FIRST]]
        desk.counts[FIRST] = (desk.counts[FIRST] + 1) % len(desk.queue)
        desk.counts[WAITING] -= 1
        desk.queued[r] = False
        change += _improve(groups, desk, r)
    return change


@kernel
def exchange(groups: Groups, desk: Desk) -> int:
    """Improve all rows until no move of one lowers the loss; return by how much it changed."""
    for g in range(len(groups.head)):
        _wake(groups, desk, g)
    change = 0
    while desk.counts[WAITING] > 0:
        desk.counts[LOGGED] = 0
        change += _settle(groups, desk)
    desk.counts[LOGGED] = 0
    return change


@kernel
def _dissolve(groups: Groups, desk: Desk, g: int) -> int:
    """Let each row of a group join the group that it adds least to; return by how much the loss changed."""
    change = -_published(groups, g)
    size = 0
    member = groups.head[g]
    while member >= 0:
        desk.rows[size] = member
        size += 1
        member = groups.after[member]
    for at in range(size):
        r = desk.rows[at]
        best = -1
        least = 2**62
        for place in range(desk.starts[r], desk.starts[r + 1]):
            h = groups.group[desk.near[place]]
            if h != g:
                joined = level_of_both(groups.join[h], groups.bits[r], groups.plus)
                added = (groups.size[h] + 1) * joined - _published(groups, h)
                if added < least:
                    best, least = h, added
        if best < 0:
            return NEVER
        change += least
        _move(groups, desk, r, best)
        _wake(groups, desk, best)
    return int(change)


@kernel
def _swap(groups: Groups, desk: Desk, r: int, s: int) -> int:
    """Swap row r with a row of the group of s that is not s; return by how much the loss changed."""
    g, h = groups.group[r], groups.group[s]
    t = groups.head[h]
    if t == s:
        t = groups.after[t]
    if (
        g == h
        or t < 0
        or (
            groups.repeated
            and not (is_enough(groups, g, r, t, desk.seen) and is_enough(groups, h, t, r, desk.seen))
        )
    ):
        return 0
    change = -_published(groups, g) - _published(groups, h)
    _move(groups, desk, r, h)
    _move(groups, desk, t, g)
    _wake(groups, desk, g)
    _wake(groups, desk, h)
    return int(change + _published(groups, g) + _published(groups, h))


@kernel
def shake(groups: Groups, desk: Desk, draws: I64) -> int:
    """Disturb one place at a time and settle again; undo what did not help. Return the change of the loss.

    Each row of ``draws`` is three numbers by chance: which row, which of those near it, which disturbance.
    """
    total = 0
    for at in range(len(draws)):
        r = draws[at, 0] % len(groups.group)
        number = desk.starts[r + 1] - desk.starts[r]
        if number == 0:
            continue
        desk.counts[LOGGED] = 0
        # Swaps that cost nothing are kept, since the search goes on elsewhere from there. Dissolving a group
        # for nothing is not: groups of identical rows would grow without end.
        dissolving = draws[at, 2] % 4 == 0 and groups.size[groups.group[r]] <= len(desk.rows)
        if dissolving:
            change = _dissolve(groups, desk, groups.group[r])
        else:
            change = _swap(groups, desk, r, desk.near[desk.starts[r] + draws[at, 1] % number])
        change += _settle(groups, desk)
        while desk.counts[WAITING] > 0:
            desk.queued[desk.queue[desk.counts[FIRST]]] = False
            desk.counts[FIRST] = (desk.counts[FIRST] + 1) % len(desk.queue)
            desk.counts[WAITING] -= 1
        if change > 0 or (dissolving and change == 0):
            _undo(groups, desk)
        else:
            total += change
    return total
