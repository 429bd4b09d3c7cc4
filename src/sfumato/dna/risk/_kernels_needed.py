"""How many positions single a row out, and which of them single out most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def needed(
    held: NDArray[np.uint8],
    owners: NDArray[np.int64],
    row: int,
    values: NDArray[np.uint8],
    order: NDArray[np.int64],
) -> int:
    """Return how many positions, taken in an order, leave nobody but the owner of a row; 0 if none do.

    ``held`` (positions × rows) has the bits of what a cell may be; ``values`` the one that is known of the
    row at each position.
    """
    others = np.empty(len(owners), np.int64)
    left = 0
    for other in range(len(owners)):
        if owners[other] != owners[row]:
            others[left] = other
            left += 1
    for place in range(len(order)):
        if left == 0:
            return place
        position = order[place]
        value = values[position]
        kept = 0
        for at in range(left):
            if held[position, others[at]] & value:
                others[kept] = others[at]
                kept += 1
        left = kept
    return len(order) if left == 0 else 0


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
