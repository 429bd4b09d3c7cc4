"""How many positions single a row out, and which of them single out most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def needed(
    holders: NDArray[np.uint64],
    place_of: NDArray[np.int64],
    mine: NDArray[np.uint64],
    values: NDArray[np.uint8],
    order: NDArray[np.int64],
) -> int:
    """Return how many positions, taken in an order, leave nobody but the owner of a row; 0 if none do.

    Bit r of ``holders[p, place_of[v]]`` says that row r may have the value v at position p; ``mine`` has the
    bits of the owner's own rows, and ``values`` what is known of the row at each position.
    """
    left = np.empty(len(mine), np.uint64)
    words = np.empty(len(mine), np.int64)
    used = 0
    for word in range(len(mine)):
        left[word] = ~mine[word]
        if left[word] != 0:
            words[used] = word
            used += 1
    if used == 0:
        return 0
    for place in range(len(order)):
        held = holders[order[place], place_of[values[order[place]]]]
        kept = 0
        for at in range(used):
            word = words[at]
            left[word] &= held[word]
            if left[word] != 0:
                words[kept] = word
                kept += 1
        used = kept
        if used == 0:
            return place + 1
    return 0


@kernel
def split(
    cells: NDArray[np.uint8],
    positions: NDArray[np.int64],
    labels: NDArray[np.int64],
    owners: NDArray[np.int64],
    people: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each position how many people stand alone, and how many classes there are, if the classes
    of the rows (``labels``) are split by its values. ``cells`` is positions × rows, people count from 0."""
    rows = len(labels)
    classes_of_value = np.full((labels.max() + 1) * 32, -1, np.int64)
    keys = np.empty(rows, np.int64)
    mine = np.empty(rows, np.int64)
    first = np.empty(rows, np.int64)
    mixed = np.empty(rows, np.bool_)
    seen = np.full(people, -1, np.int64)
    alone = np.zeros(len(positions), np.int64)
    number = np.zeros(len(positions), np.int64)
    for at in range(len(positions)):
        position = positions[at]
        found = 0
        for row in range(rows):
            key = labels[row] * 32 + cells[position, row]
            mark = classes_of_value[key]
            if mark < 0:
                mark = found
                classes_of_value[key] = mark
                keys[found] = key
                first[found] = owners[row]
                mixed[found] = False
                found += 1
            elif first[mark] != owners[row]:
                mixed[mark] = True
            mine[row] = mark
        for row in range(rows):
            if not mixed[mine[row]] and seen[owners[row]] != at:
                seen[owners[row]] = at
                alone[at] += 1
        for mark in range(found):
            classes_of_value[keys[mark]] = -1
        number[at] = found
    return alone, number
