"""Loops over classes: ask a rule about each of them, merge what lies in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel
from sfumato.table._kernels_rules import BROKEN, SATISFIED, UNSURE, state_of_entries, state_of_sizes

if TYPE_CHECKING:
    from sfumato.table.rule_lines import Line

Ints = NDArray[np.int64]
Counts = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@kernel
def find_small(rows: Ints, least: int, broken: Flags, certain: Flags, gone: Ints) -> None:
    """Give up classes of fewer rows than any rule is content with; the others are fine so far."""
    for c in range(rows.shape[0]):
        small = 0 < rows[c] < least
        broken[c] = small
        certain[c] = small
        gone[c] = rows[c] if small else 0


@kernel
def mark_broken(states: Ints, hereditary: bool, broken: Flags, certain: Flags) -> None:
    """Add what one rule says of every class; a ``hereditary`` one says it of every part too."""
    for c in range(states.shape[0]):
        if states[c] == BROKEN:
            broken[c] = True
            certain[c] |= hereditary


@kernel
def judge_sizes(rule: Line, rows: Ints, persons: Ints, population: Ints, states: Ints, gone: Ints) -> int:
    """Ask a rule about sizes of every class; keep the state and the highest bound. Return the unsure."""
    unsure = 0
    for c in range(rows.shape[0]):
        state, lost = state_of_sizes(rule, persons[c], rows[c], population[c])
        if state == BROKEN and lost == 0 and rule.monotone:
            lost = 1
        unsure += state == UNSURE
        states[c] = state
        gone[c] = max(gone[c], lost)
    return unsure


@kernel
def judge_class(
    rule: Line,
    c: int,
    rows: Ints,
    keys: Ints,
    counts: Floats,
    number: int,
    spare: Floats,
    states: Ints,
    gone: Ints,
) -> int:
    """Ask a rule about the entries of class c; return how many rows more than known are sure to go.

    The entries stand in the first lines of ``keys`` and ``counts``; the second are scratch.
    """
    state, lost = state_of_entries(rule, rows[c], keys[0], counts[0], number, keys[1], counts[1], spare)
    if state == BROKEN and lost == 0 and rule.monotone:
        lost = 1
    states[c] = state
    more = int(max(0, lost - gone[c]))
    gone[c] += more
    return more


@kernel
def judge_entries(
    rule: Line,
    rows: Ints,
    starts: Ints,
    keys: Ints,
    persons: Ints,
    longest: int,
    most: int,
    states: Ints,
    gone: Ints,
) -> int:
    """Ask a rule about sensitive values of every class; ``longest`` is the most entries of a class.

    A class that is known to be left out altogether here and below is passed over as broken. When more
    than ``most`` rows are sure to go, the others are not asked, and -1 is returned.
    """
    own_keys = np.empty((2, longest), np.int64)
    own_counts = np.empty((2, longest), np.float64)
    spare = np.empty(4 * rule.values + longest, np.float64)
    unsure = 0
    lost_in_all = 0
    for c in range(rows.shape[0]):
        lost_in_all += min(gone[c], rows[c])
    for c in range(rows.shape[0]):
        if lost_in_all > most:
            return -1
        states[c] = SATISFIED
        if rows[c] == 0:
            continue
        if gone[c] >= rows[c]:
            states[c] = BROKEN
            continue
        number = starts[c + 1] - starts[c]
        for i in range(number):
            own_keys[0, i] = keys[starts[c] + i]
            own_counts[0, i] = persons[starts[c] + i]
        lost_in_all += judge_class(rule, c, rows, own_keys, own_counts, number, spare, states, gone)
        unsure += states[c] == UNSURE
    return unsure


@kernel
def judge_matrix(rule: Line, rows: Ints, matrix: Counts, most: int, states: Ints, gone: Ints) -> int:
    """Do the same for classes whose entries are the lines of a matrix, one column for each key."""
    width = matrix.shape[1]
    own_keys = np.empty((2, width), np.int64)
    own_counts = np.empty((2, width), np.float64)
    spare = np.empty(4 * rule.values + width, np.float64)
    unsure = 0
    lost_in_all = 0
    for c in range(rows.shape[0]):
        lost_in_all += min(gone[c], rows[c])
    for c in range(rows.shape[0]):
        if lost_in_all > most:
            return -1
        states[c] = SATISFIED
        if rows[c] == 0:
            continue
        if gone[c] >= rows[c]:
            states[c] = BROKEN
            continue
        number = 0
        for key in range(width):
            if matrix[c, key] > 0:
                own_keys[0, number] = key
                own_counts[0, number] = matrix[c, key]
                number += 1
        lost_in_all += judge_class(rule, c, rows, own_keys, own_counts, number, spare, states, gone)
        unsure += states[c] == UNSURE
    return unsure


@kernel
def add_lines(owner: Ints, matrix: Ints, out: Ints) -> None:
    """Add the lines of a matrix to those of their owners (owner < 0: left out); ``out`` begins as zeros."""
    for i in range(owner.shape[0]):
        line = owner[i]
        if line >= 0:
            for at in range(matrix.shape[1]):
                out[line, at] += matrix[i, at]


@kernel
def merge_entries(
    owner: Ints,
    starts: Ints,
    keys: Ints,
    persons: Ints,
    out_starts: Ints,
    out_keys: Ints,
    out_persons: Ints,
    place: Ints,
) -> None:
    """Merge the entries of cells into those of their classes (owner < 0: left out).

    ``out_starts`` has one more entry than there are classes. ``place`` is scratch: one entry for each
    key, all -1 before and after.
    """
    classes = out_starts.shape[0] - 1
    for c in range(classes + 1):
        out_starts[c] = 0
    for cell in range(owner.shape[0]):
        if owner[cell] >= 0:
            out_starts[owner[cell] + 1] += starts[cell + 1] - starts[cell]
    for c in range(classes):
        out_starts[c + 1] += out_starts[c]
    fill = out_starts[:classes].copy()
    for cell in range(owner.shape[0]):
        c = owner[cell]
        if c >= 0:
            for i in range(starts[cell], starts[cell + 1]):
                out_keys[fill[c]] = keys[i]
                out_persons[fill[c]] = persons[i]
                fill[c] += 1
    written = 0
    for c in range(classes):
        begin = out_starts[c]
        end = out_starts[c + 1]
        out_starts[c] = written
        first = written
        for i in range(begin, end):
            key = out_keys[i]
            if place[key] < 0:
                place[key] = written
                out_keys[written] = key
                out_persons[written] = out_persons[i]
                written += 1
            else:
                out_persons[place[key]] += out_persons[i]
        for i in range(first, written):
            place[out_keys[i]] = -1
    out_starts[classes] = written


@kernel
def count_once(starts: Ints, cells: Ints, owner: Ints, seen: Ints, persons: Ints) -> None:
    """Subtract from ``persons`` of each class those who lie in several of its cells.

    Cells that are left out have a negative owner. ``seen[class]`` is scratch, filled with -1: the last
    person met in a class.
    """
    for person in range(starts.shape[0] - 1):
        for at in range(starts[person], starts[person + 1]):
            home = owner[cells[at]]
            if home < 0:
                continue
            if seen[home] == person:
                persons[home] -= 1
            seen[home] = person
