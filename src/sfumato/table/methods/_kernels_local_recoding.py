"""Loops of local recoding: cells grouped at a node, classes closed to their lowest common nodes.

``records[c]`` holds the codes of cell c. Value v of column j has at level l its group at
``start[j] + l · values[j] + v`` in ``groups``, and in ``marks`` a random word that stands for the group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def group_at(
    left: I64,
    records: I32,
    offset: I64,
    marks: I64,
    groups: I32,
    persons: I64,
    slots: I32,
    first: I64,
    owner: I64,
    size: I64,
) -> int:
    """Group the cells in ``left`` at the node whose levels begin at ``offset``; return how many classes.

    Writes the class of each of them, the first cell of each class and its persons. Words only lead to a
    slot: whether two cells are alike is seen from their groups.
    """
    columns = records.shape[1]
    last = slots.shape[0] - 1
    slots[:] = -1
    found = 0
    for i in range(left.shape[0]):
        c = left[i]
        key = 0
        for j in range(columns):
            key += marks[offset[j] + records[c, j]]
        at = (key ^ (key >> 29)) & last
        while True:
            known = slots[at]
            if known < 0:
                slots[at] = found
                first[found] = c
                size[found] = persons[c]
                owner[i] = found
                found += 1
                break
            other = first[known]
            alike = True
            for j in range(columns):
                if groups[offset[j] + records[c, j]] != groups[offset[j] + records[other, j]]:
                    alike = False
                    break
            if alike:
                size[known] += persons[c]
                owner[i] = known
                break
            at = (at + 1) & last
    return found


@kernel
def close_classes(
    classes: I32,
    records: I32,
    start: I64,
    values: I64,
    groups: I32,
    shares: F64,
    first: I64,
    levels: I64,
    cost: F64,
) -> None:
    """Write for each class its first cell, the levels of its lowest common nodes, and Σ_j of their shares.

    A class without cells has -1 as its first cell. Cells of one class must have common nodes.
    """
    columns = records.shape[1]
    first[:] = -1
    levels[:] = 0
    for c in range(classes.shape[0]):
        i = classes[c]
        if i < 0:
            continue
        if first[i] < 0:
            first[i] = c
            continue
        for j in range(columns):
            base = start[j] + levels[i, j] * values[j]
            own = records[c, j]
            other = records[first[i], j]
            while groups[base + own] != groups[base + other]:
                base += values[j]
                levels[i, j] += 1
    for i in range(first.shape[0]):
        cost[i] = 0.0
        if first[i] >= 0:
            for j in range(columns):
                cost[i] += shares[start[j] + levels[i, j] * values[j] + records[first[i], j]]


@kernel
def costs_of_joining(
    cell: int,
    rows_of_cell: int,
    records: I32,
    start: I64,
    values: I64,
    heights: I64,
    groups: I32,
    shares: F64,
    first: I64,
    levels: I64,
    cost: F64,
    rows: I64,
    joining: F64,
) -> None:
    """Write for each class what all rows lose when the cell joins it; infinity where they share no node."""
    columns = records.shape[1]
    for i in range(first.shape[0]):
        joining[i] = np.inf
        if first[i] < 0:
            continue
        wider = 0.0
        for j in range(columns):
            level = levels[i, j]
            base = start[j] + level * values[j]
            while (
                level <= heights[j] and groups[base + records[cell, j]] != groups[base + records[first[i], j]]
            ):
                base += values[j]
                level += 1
            if level > heights[j]:
                wider = np.inf
                break
            wider += shares[base + records[cell, j]]
        joining[i] = rows[i] * (wider - cost[i]) + rows_of_cell * wider


@kernel
def widen(
    cell: int,
    i: int,
    rows_of_cell: int,
    records: I32,
    start: I64,
    values: I64,
    groups: I32,
    shares: F64,
    first: I64,
    levels: I64,
    cost: F64,
    rows: I64,
) -> None:
    """Let a cell join class i: its nodes climb as far as they must."""
    cost[i] = 0.0
    rows[i] += rows_of_cell
    for j in range(records.shape[1]):
        base = start[j] + levels[i, j] * values[j]
        while groups[base + records[cell, j]] != groups[base + records[first[i], j]]:
            base += values[j]
            levels[i, j] += 1
        cost[i] += shares[base + records[cell, j]]
