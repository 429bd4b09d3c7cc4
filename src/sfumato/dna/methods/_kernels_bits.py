"""Rows as words of bits whose number is their level, and the groups that they form."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


class Groups(NamedTuple):
    """Rows and the groups that they stand in. Group g is the list ``head[g]``, ``after[head[g]]``, …, −1."""

    bits: U64
    """rows × words: the level of a row is the number of its bits but for a constant"""
    plus: int
    """words from this one on count as less, not as more"""
    owner: I64
    """the person of each row, from 0"""
    repeated: bool
    """whether a person has several rows"""
    enough: int
    """k: the persons that every group must hold"""
    group: I64
    """the group of each row"""
    head: I64
    after: I64
    before: I64
    size: I64
    """the rows of each group; 0 says that it is none"""
    join: U64
    """groups × words: what the rows of a group hold together"""
    level: I64
    """the level of each join"""


@kernel
def ones(word: np.uint64) -> Any:
    """Count the bits of a word that are set, as a signed number."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def pack(cells: NDArray[np.uint8], columns: I64, sets: I64, words: int, less_from: int, plus: int) -> U64:
    """Set bit b of a row where its cell in ``columns[b]`` meets ``sets[b]``; bits from ``less_from`` on go
    to the words from ``plus`` on."""
    bits = np.zeros((len(cells), words), np.uint64)
    for row in range(len(cells)):
        for b in range(len(columns)):
            if cells[row, columns[b]] & sets[b]:
                place = b if b < less_from else b - less_from + (plus << 6)
                bits[row, place >> 6] |= np.uint64(1) << np.uint64(place & 63)
    return bits


@kernel
def level_of(x: U64, plus: int) -> int:
    """Count the bits of a row."""
    found: int = 0
    for word in range(plus):
        found += ones(x[word])
    for word in range(plus, len(x)):
        found -= ones(x[word])
    return found


@kernel
def level_of_both(x: U64, y: U64, plus: int) -> int:
    """Count the bits of the join of two rows."""
    found: int = 0
    for word in range(plus):
        found += ones(x[word] | y[word])
    for word in range(plus, len(x)):
        found -= ones(x[word] | y[word])
    return found


@kernel
def distance(x: U64, y: U64, plus: int) -> int:
    """d(x, y) = 2·level(x ∨ y) − level(x) − level(y): the bits in which they differ."""
    found: int = 0
    for word in range(plus):
        found += ones(x[word] ^ y[word])
    for word in range(plus, len(x)):
        found -= ones(x[word] ^ y[word])
    return found


@kernel
def distances(bits: U64, plus: int) -> NDArray[np.int32]:
    """Return the distance of every two rows."""
    n = len(bits)
    table = np.zeros((n, n), np.int32)
    for i in range(n):
        for j in range(i):
            table[i, j] = table[j, i] = distance(bits[i], bits[j], plus)
    return table


@kernel
def nearest(bits: U64, plus: int, number: int, first: int, last: int, far: I64, near: I64) -> None:
    """Compare rows first … last − 1 with all before them, and keep for each row the ``number`` nearest so
    far in ``near``, with distances in ``far``: heaps with the farthest on top, −1 where there is none."""
    for i in range(first, last):
        for j in range(i):
            d = distance(bits[i], bits[j], plus)
            if d < far[i, 0]:
                _replace_top(far[i], near[i], number, d, j)
            if d < far[j, 0]:
                _replace_top(far[j], near[j], number, d, i)


@kernel
def _replace_top(far: I64, near: I64, number: int, d: int, row: int) -> None:
    at = 0
    while True:
        child = 2 * at + 1
        if child >= number:
            break
        if child + 1 < number and far[child + 1] > far[child]:
            child += 1
        if far[child] <= d:
            break
        far[at] = far[child]
        near[at] = near[child]
        at = child
    far[at] = d
    near[at] = row


@kernel
def put(groups: Groups, row: int, g: int) -> None:
    """Add a row to a group."""
    first = groups.head[g]
    groups.after[row] = first
    groups.before[row] = -1
    if first >= 0:
        groups.before[first] = row
    groups.head[g] = row
    groups.group[row] = g
    if groups.size[g] == 0:
        groups.join[g, :] = groups.bits[row]
    else:
        groups.join[g, :] |= groups.bits[row]
    groups.size[g] += 1
    groups.level[g] = level_of(groups.join[g], groups.plus)


@kernel
def put_all(groups: Groups, into: I64) -> None:
    """Add every row to the group given for it."""
    for row in range(len(into)):
        put(groups, row, into[row])


@kernel
def take(groups: Groups, row: int) -> None:
    """Take a row out of its group, and join the others anew."""
    g = groups.group[row]
    b, a = groups.before[row], groups.after[row]
    if b >= 0:
        groups.after[b] = a
    else:
        groups.head[g] = a
    if a >= 0:
        groups.before[a] = b
    groups.size[g] -= 1
    groups.group[row] = -1
    join_without(groups, g, -1, groups.join[g])
    groups.level[g] = level_of(groups.join[g], groups.plus)


@kernel
def join_without(groups: Groups, g: int, row: int, found: U64) -> None:
    """Join the rows of a group but for one."""
    found[:] = np.uint64(0)
    member = groups.head[g]
    while member >= 0:
        if member != row:
            for word in range(len(found)):
                found[word] |= groups.bits[member, word]
        member = groups.after[member]


@kernel
def is_enough(groups: Groups, g: int, without: int, extra: int, seen: I64) -> bool:
    """Say whether a group holds k persons without one of its rows and with another row (−1: none)."""
    if not groups.repeated:
        return bool(groups.size[g] - (without >= 0) + (extra >= 0) >= groups.enough)
    found = 0
    if extra >= 0:
        seen[0] = groups.owner[extra]
        found = 1
    member = groups.head[g]
    while member >= 0 and found < groups.enough:
        if member != without:
            new = True
            for at in range(found):
                if seen[at] == groups.owner[member]:
                    new = False
                    break
            if new:
                seen[found] = groups.owner[member]
                found += 1
        member = groups.after[member]
    return found >= groups.enough


@kernel
def total_level(groups: Groups) -> int:
    """Count the bits of all rows that have a group."""
    found: int = 0
    for row in range(len(groups.bits)):
        if groups.group[row] >= 0:
            found += level_of(groups.bits[row], groups.plus)
    return found


@kernel
def distance_within(groups: Groups) -> int:
    """Add up the distances of every two rows of the same group."""
    found: int = 0
    for row in range(len(groups.bits)):
        if groups.group[row] >= 0:
            other = groups.after[row]
            while other >= 0:
                found += distance(groups.bits[row], groups.bits[other], groups.plus)
                other = groups.after[other]
    return found


@kernel
def dearest(groups: Groups) -> tuple[int, int, int]:
    """Return the row whose leaving saves most, what it saves (0: nothing), and the group that the others of
    its own must then join (−1: they are enough)."""
    rest = np.empty(groups.bits.shape[1], np.uint64)
    seen = np.empty(groups.enough + 1, np.int64)
    best, host = -1, -1
    most = 0
    for row in range(len(groups.bits)):
        g = groups.group[row]
        if g < 0:
            continue
        join_without(groups, g, row, rest)
        others = groups.size[g] - 1
        before = groups.size[g] * groups.level[g] - level_of(groups.bits[row], groups.plus)
        if is_enough(groups, g, row, -1, seen):
            saved = before - others * level_of(rest, groups.plus)
            if saved > most:
                best, most, host = row, saved, -1
            continue
        for h in range(len(groups.head)):
            if h != g and groups.size[h] > 0:
                joined = level_of_both(rest, groups.join[h], groups.plus)
                saved = before - (others + groups.size[h]) * joined + groups.size[h] * groups.level[h]
                if saved > most:
                    best, most, host = row, saved, h
    return best, most, host
