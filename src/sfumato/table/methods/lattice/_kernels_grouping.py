"""Grouping by integer keys: which class every key falls into, sizes of classes, what is suppressed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Slots = NDArray[np.int32]

_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def plan_climb(
    low: Ints,
    high: Ints,
    groups: Ints,
    column_word: Ints,
    column_shift: Ints,
    column_mask: Ints,
    offsets: Ints,
    keep: Ints,
    word: Ints,
    shift: Ints,
    mask: Ints,
    offset: Ints,
) -> tuple[int, float]:
    """Write where the columns lie that climb from one node to another, and the mask of what stays.

    Columns that climb to the only group there is are blank afterwards and need no looking up. Returns
    how many do, and how many keys there can be.
    """
    for w in range(keep.shape[0]):
        keep[w] = -1
    changes = 0
    possible = 1.0
    for j in range(low.shape[0]):
        possible *= groups[j, high[j]]
        if low[j] == high[j]:
            continue
        keep[column_word[j]] &= ~(column_mask[j] << column_shift[j])
        if groups[j, high[j]] > 1:
            word[changes] = column_word[j]
            shift[changes] = column_shift[j]
            mask[changes] = column_mask[j]
            offset[changes] = offsets[j, low[j], high[j]]
            changes += 1
    return changes, possible


@kernel
def climbed(old: int, stay: int, shift: Ints, mask: Ints, offset: Ints, changes: int, climb: Ints) -> int:
    """Let the columns of a key of one word climb: column c of ``changes`` stands at ``shift[c]``."""
    key = old & stay
    for c in range(changes):
        key |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
    return key


@kernel
def find_or_add(key: int, slots: Slots, base: int, bits: int, known: Ints, found: int) -> int:
    """Return which of the ``found`` known keys this is; a new one is added as the next.

    ``slots`` is an open hash table; entries below ``base`` are left from earlier calls and count as
    free, so that it need not be cleared.
    """
    wrap = (np.int64(1) << bits) - 1
    place = np.int64((np.uint64(key) * _MIX) >> np.uint64(64 - bits))
    while True:
        entry = np.int64(slots[place]) - base
        if entry < 0:
            slots[place] = base + found
            known[found] = key
            return found
        if known[entry] == key:
            return int(entry)
        place = (place + 1) & wrap


@kernel
def climb_wide(
    keys: Ints,
    i: int,
    keep: Ints,
    word: Ints,
    shift: Ints,
    mask: Ints,
    offset: Ints,
    changes: int,
    climb: Ints,
    key: Ints,
) -> None:
    """Do as ``climbed`` for key i of several words; write it to ``key``."""
    words = key.shape[0]
    for w in range(words):
        key[w] = keys[i * words + w] & keep[w]
    for c in range(changes):
        old = keys[i * words + word[c]]
        key[word[c]] |= climb[offset[c] + ((old >> shift[c]) & mask[c])]


@kernel
def find_or_add_wide(key: Ints, slots: Slots, base: int, bits: int, known: Ints, found: int) -> int:
    """Do as ``find_or_add`` for a key of several words."""
    words = key.shape[0]
    wrap = (np.int64(1) << bits) - 1
    mixed = np.uint64(0)
    for w in range(words):
        mixed = (mixed ^ (mixed >> np.uint64(32)) ^ np.uint64(key[w])) * _MIX
    place = np.int64(mixed >> np.uint64(64 - bits))
    while True:
        entry = np.int64(slots[place]) - base
        if entry < 0:
            slots[place] = base + found
            for w in range(words):
                known[found * words + w] = key[w]
            return found
        same = True
        for w in range(words):
            if known[entry * words + w] != key[w]:
                same = False
        if same:
            return int(entry)
        place = (place + 1) & wrap


@kernel
def class_of_each(
    keys: Ints,
    words: int,
    keep: Ints,
    word: Ints,
    shift: Ints,
    mask: Ints,
    offset: Ints,
    changes: int,
    climb: Ints,
    slots: Slots,
    base: int,
    bits: int,
    out_keys: Ints,
    owner: Ints,
) -> int:
    """Let some columns of every key climb; write the keys that come out and which of them each becomes.

    ``keep`` blanks the columns that climb. Classes are numbered by their first key; returns how many.
    """
    key = np.zeros(words, np.int64)
    found = 0
    for i in range(owner.shape[0]):
        if words == 1:
            one = climbed(keys[i], keep[0], shift, mask, offset, changes, climb)
            entry = find_or_add(one, slots, base, bits, out_keys, found)
        else:
            climb_wide(keys, i, keep, word, shift, mask, offset, changes, climb, key)
            entry = find_or_add_wide(key, slots, base, bits, out_keys, found)
        owner[i] = entry
        if entry == found:
            found += 1
    return found


@kernel
def added_up(owner: Ints, counts: Ints, found: int) -> Ints:
    """Add counts up by their owners."""
    total = np.zeros(found, np.int64)
    for i in range(owner.shape[0]):
        total[owner[i]] += counts[i]
    return total


@kernel
def sizes(rows: Ints, persons: Ints, smallest: int, totals: Ints) -> None:
    """Write the rows suppressed, classes kept, classes in all, Σ size² of those kept and of all."""
    suppressed = 0
    kept = 0
    squares = 0
    lost_squares = 0
    for i in range(rows.shape[0]):
        size = rows[i]
        if persons[i] < smallest:
            suppressed += size
            lost_squares += size * size
        else:
            kept += 1
            squares += size * size
    totals[0] = suppressed
    totals[1] = kept
    totals[2] = rows.shape[0]
    totals[3] = squares
    totals[4] = squares + lost_squares


@kernel
def suppressed_rows(
    keys: Ints,
    rows: Ints,
    persons: Ints,
    smallest: int,
    words: int,
    word: Ints,
    shift: Ints,
    mask: Ints,
    widths: Ints,
    histogram: Ints,
) -> None:
    """Count for each column the suppressed rows of every group at the node's level."""
    columns = widths.shape[0]
    for j in range(columns):
        for g in range(widths[j]):
            histogram[j, g] = 0
    for i in range(rows.shape[0]):
        if persons[i] < smallest:
            for j in range(columns):
                histogram[j, (keys[i * words + word[j]] >> shift[j]) & mask[j]] += rows[i]


@kernel
def smallest_below(known_levels: Ints, known_sizes: Ints, known: int, levels: Ints) -> int:
    """Return which of the known nodes below ``levels`` has the fewest classes."""
    best = -1
    for s in range(known):
        if best >= 0 and known_sizes[s] >= known_sizes[best]:
            continue
        below = True
        for j in range(levels.shape[0]):
            if known_levels[s, j] > levels[j]:
                below = False
                break
        if below:
            best = s
    return best
