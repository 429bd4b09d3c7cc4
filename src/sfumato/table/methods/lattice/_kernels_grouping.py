"""Grouping by integer keys: roll-up of classes, their sizes, what is suppressed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Slots = NDArray[np.int32]

_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def roll_up(
    keys: Ints,
    rows: Ints,
    persons: Ints,
    twins: bool,
    keep: Ints,
    shift: Ints,
    mask: Ints,
    offset: Ints,
    changes: int,
    climb: Ints,
    slots: Slots,
    base: int,
    bits: int,
    out_keys: Ints,
    out_rows: Ints,
    out_persons: Ints,
) -> int:
    """Merge classes under keys of one word in which some columns climb to a higher level.

    Column c of the ``changes`` that climb stands at ``shift[c]``; ``keep`` blanks all of them.
    ``slots`` is an open hash table; entries below ``base`` are left from earlier calls and count as
    free, so that it need not be cleared. ``twins`` says that rows and persons are the same numbers.
    Returns the number of classes.
    """
    fall = np.uint64(64 - bits)
    wrap = (np.int64(1) << bits) - 1
    stay = keep[0]
    found = 0
    for i in range(rows.shape[0]):
        old = keys[i]
        key = old & stay
        for c in range(changes):
            key |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
        place = np.int64((np.uint64(key) * _MIX) >> fall)
        while True:
            entry = np.int64(slots[place]) - base
            if entry < 0:
                slots[place] = base + found
                out_keys[found] = key
                out_rows[found] = rows[i]
                if not twins:
                    out_persons[found] = persons[i]
                found += 1
                break
            if out_keys[entry] == key:
                out_rows[entry] += rows[i]
                if not twins:
                    out_persons[entry] += persons[i]
                break
            place = (place + 1) & wrap
    return found


@kernel
def roll_up_wide(
    keys: Ints,
    rows: Ints,
    persons: Ints,
    twins: bool,
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
    out_rows: Ints,
    out_persons: Ints,
) -> int:
    """Do the same for keys of several words."""
    fall = np.uint64(64 - bits)
    wrap = (np.int64(1) << bits) - 1
    key = np.zeros(words, np.int64)
    found = 0
    for i in range(rows.shape[0]):
        for w in range(words):
            key[w] = keys[i * words + w] & keep[w]
        for c in range(changes):
            old = keys[i * words + word[c]]
            key[word[c]] |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
        mixed = np.uint64(0)
        for w in range(words):
            mixed = (mixed ^ (mixed >> np.uint64(32)) ^ np.uint64(key[w])) * _MIX
        place = np.int64(mixed >> fall)
        while True:
            entry = np.int64(slots[place]) - base
            if entry < 0:
                slots[place] = base + found
                for w in range(words):
                    out_keys[found * words + w] = key[w]
                out_rows[found] = rows[i]
                if not twins:
                    out_persons[found] = persons[i]
                found += 1
                break
            same = True
            for w in range(words):
                if out_keys[entry * words + w] != key[w]:
                    same = False
            if same:
                out_rows[entry] += rows[i]
                if not twins:
                    out_persons[entry] += persons[i]
                break
            place = (place + 1) & wrap
    return found


@kernel
def class_of_each(
    keys: Ints,
    count: int,
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
    first: Ints,
    owner: Ints,
) -> int:
    """Write for every cell the class it falls into; classes are numbered by their first cell."""
    fall = np.uint64(64 - bits)
    wrap = (np.int64(1) << bits) - 1
    known = np.empty(count * words, np.int64)
    key = np.zeros(words, np.int64)
    found = 0
    for i in range(count):
        for w in range(words):
            key[w] = keys[i * words + w] & keep[w]
        for c in range(changes):
            old = keys[i * words + word[c]]
            key[word[c]] |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
        mixed = np.uint64(0)
        for w in range(words):
            mixed = (mixed ^ (mixed >> np.uint64(32)) ^ np.uint64(key[w])) * _MIX
        place = np.int64(mixed >> fall)
        while True:
            entry = np.int64(slots[place]) - base
            if entry < 0:
                slots[place] = base + found
                for w in range(words):
                    known[found * words + w] = key[w]
                first[found] = i
                owner[i] = found
                found += 1
                break
            same = True
            for w in range(words):
                if known[entry * words + w] != key[w]:
                    same = False
            if same:
                owner[i] = entry
                break
            place = (place + 1) & wrap
    return found


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
