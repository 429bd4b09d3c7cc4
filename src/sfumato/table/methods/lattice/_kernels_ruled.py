"""Grouping that remembers where every class came from, and sizes of classes that rules have judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Slots = NDArray[np.int32]
Flags = NDArray[np.bool_]

_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def roll_up_owned(
    keys: Ints,
    rows: Ints,
    persons: Ints,
    population: Ints,
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
    out_population: Ints,
    owner: Ints,
) -> int:
    """Merge classes as ``roll_up`` does, and write for each of them the class that it becomes a part of.

    ``persons`` and ``population`` may be empty: then they are not asked for.
    """
    fall = np.uint64(64 - bits)
    wrap = (np.int64(1) << bits) - 1
    key = np.zeros(words, np.int64)
    counted = persons.shape[0] > 0
    compared = population.shape[0] > 0
    found = 0
    for i in range(rows.shape[0]):
        old = keys[i * words]
        first = old & keep[0]
        if words == 1:
            for c in range(changes):
                first |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
            mixed = np.uint64(first) * _MIX
        else:
            for w in range(words):
                key[w] = keys[i * words + w] & keep[w]
            for c in range(changes):
                old = keys[i * words + word[c]]
                key[word[c]] |= climb[offset[c] + ((old >> shift[c]) & mask[c])]
            first = key[0]
            mixed = np.uint64(0)
            for w in range(words):
                mixed = (mixed ^ (mixed >> np.uint64(32)) ^ np.uint64(key[w])) * _MIX
        place = np.int64(mixed >> fall)
        while True:
            entry = np.int64(slots[place]) - base
            if entry < 0:
                entry = np.int64(found)
                slots[place] = base + found
                out_keys[found * words] = first
                for w in range(1, words):
                    out_keys[found * words + w] = key[w]
                out_rows[found] = 0
                if counted:
                    out_persons[found] = 0
                if compared:
                    out_population[found] = 0
                found += 1
                break
            same = out_keys[entry * words] == first
            for w in range(1, words):
                if out_keys[entry * words + w] != key[w]:
                    same = False
            if same:
                break
            place = (place + 1) & wrap
        owner[i] = entry
        out_rows[entry] += rows[i]
        if counted:
            out_persons[entry] += persons[i]
        if compared:
            out_population[entry] += population[i]
    return found


@kernel
def too_small(rows: Ints, persons: Ints, least_rows: int, least_persons: int) -> int:
    """Count the rows of classes that have too few rows or too few persons."""
    lost = 0
    for c in range(rows.shape[0]):
        if rows[c] < least_rows or persons[c] < least_persons:
            lost += rows[c]
    return lost


@kernel
def judged_sizes(rows: Ints, broken: Flags, gone: Ints, totals: Ints) -> None:
    """Write the rows suppressed, classes kept, classes in all, Σ size² of those kept and of all.

    Then the rows that are suppressed at least here and below, and the broken classes without rows.
    Classes without rows do not count as classes.
    """
    for t in range(totals.shape[0]):
        totals[t] = 0
    for c in range(rows.shape[0]):
        size = rows[c]
        if size == 0:
            totals[6] += broken[c]
            continue
        totals[2] += 1
        totals[4] += size * size
        totals[5] += min(gone[c], size)
        if broken[c]:
            totals[0] += size
        else:
            totals[1] += 1
            totals[3] += size * size


@kernel
def weighed(
    keys: Ints, weights: Ints, words: int, word: Ints, shift: Ints, mask: Ints, widths: Ints, histogram: Ints
) -> None:
    """Add up the weights of classes for each column by the group at the node's level."""
    columns = widths.shape[0]
    for j in range(columns):
        for g in range(widths[j]):
            histogram[j, g] = 0
    for i in range(weights.shape[0]):
        if weights[i] > 0:
            for j in range(columns):
                histogram[j, (keys[i * words + word[j]] >> shift[j]) & mask[j]] += weights[i]
