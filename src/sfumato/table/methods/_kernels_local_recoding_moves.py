"""The moves of local recoding: cells leave dear classes for others that lose little by taking them in.

Laid out as in ``_kernels_local_recoding``. The cells of class i are a chain: ``head[i]``, then
``after[head[i]]`` and so on until -1. ``cost[i]`` is what a row of the class loses, summed over the columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

MOST_CELLS = 1024
SLACK = 1e-9
"""what a move must save at least: less may be an error of rounding"""

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def link(classes: I32, rows: I64, persons: I64, head: I64, after: I64, total: I64, people: I64) -> None:
    """Chain the cells of each class, and count its rows and persons."""
    head[:] = -1
    total[:] = 0
    people[:] = 0
    for c in range(classes.shape[0] - 1, -1, -1):
        i = classes[c]
        if i >= 0:
            after[c] = head[i]
            head[i] = c
            total[i] += rows[c]
            people[i] += persons[c]


@kernel
def cheapest_home(
    cell: int,
    weight: int,
    without: int,
    records: I32,
    start: I64,
    values: I64,
    heights: I64,
    groups: I32,
    shares: F64,
    head: I64,
    levels: I64,
    cost: F64,
    total: I64,
    answer: F64,
) -> int:
    """Return the class in which a cell is housed at the least loss to all; ``answer[0]`` is that loss."""
    columns = records.shape[1]
    best = np.inf
    home = -1
    for i in range(head.shape[0]):
        first = head[i]
        if first < 0 or i == without:
            continue
        wider = 0.0
        loss = 0.0
        for j in range(columns):
            level = levels[i, j]
            base = start[j] + level * values[j]
            own = records[cell, j]
            other = records[first, j]
            while level <= heights[j] and groups[base + own] != groups[base + other]:
                base += values[j]
                level += 1
            if level > heights[j]:
                loss = np.inf
                break
            wider += shares[base + own]
            loss = weight * wider + max(0.0, total[i] * (wider - cost[i]))
            if loss >= best:
                break
        if loss < best:
            best = loss
            home = i
    answer[0] = best
    return home


@kernel
def enclose(
    i: int,
    left_out: int,
    records: I32,
    start: I64,
    values: I64,
    groups: I32,
    shares: F64,
    head: I64,
    after: I64,
    node: I64,
) -> float:
    """Write the levels of the lowest common nodes of a class without one cell; return what a row loses."""
    columns = records.shape[1]
    node[:] = 0
    first = -1
    c = head[i]
    while c >= 0:
        if c != left_out:
            if first < 0:
                first = c
            else:
                for j in range(columns):
                    base = start[j] + node[j] * values[j]
                    while groups[base + records[c, j]] != groups[base + records[first, j]]:
                        base += values[j]
                        node[j] += 1
        c = after[c]
    lost = 0.0
    if first >= 0:
        for j in range(columns):
            lost += shares[start[j] + node[j] * values[j] + records[first, j]]
    return lost


@kernel
def take_out(i: int, cell: int, head: I64, after: I64) -> None:
    """Take a cell out of the chain of its class."""
    if head[i] == cell:
        head[i] = after[cell]
        return
    c = head[i]
    while after[c] != cell:
        c = after[c]
    after[c] = after[cell]


@kernel
def bring_in(
    i: int,
    cell: int,
    classes: I32,
    records: I32,
    start: I64,
    values: I64,
    groups: I32,
    shares: F64,
    rows: I64,
    persons: I64,
    head: I64,
    after: I64,
    levels: I64,
    cost: F64,
    total: I64,
    people: I64,
) -> None:
    """Put a cell into a class, whose nodes climb as far as they must."""
    cost[i] = 0.0
    for j in range(records.shape[1]):
        base = start[j] + levels[i, j] * values[j]
        while groups[base + records[cell, j]] != groups[base + records[head[i], j]]:
            base += values[j]
            levels[i, j] += 1
        cost[i] += shares[base + records[cell, j]]
    classes[cell] = i
    after[cell] = head[i]
    head[i] = cell
    total[i] += rows[cell]
    people[i] += persons[cell]


@kernel
def move_cells(
    order: I64,
    k: int,
    budget: int,
    classes: I32,
    records: I32,
    start: I64,
    values: I64,
    heights: I64,
    groups: I32,
    shares: F64,
    rows: I64,
    persons: I64,
    head: I64,
    after: I64,
    levels: I64,
    cost: F64,
    total: I64,
    people: I64,
) -> int:
    """Let classes, in the given order, dissolve or give up single cells where all rows then lose less.

    Stops when a class would take more than is left of the ``budget`` of comparisons of a cell with a class;
    returns what is left. Classes of more than ``MOST_CELLS`` cells are passed over.
    """
    columns = records.shape[1]
    answer = np.empty(1, np.float64)
    node = np.empty(columns, np.int64)
    cells = np.empty(MOST_CELLS, np.int64)
    homes = np.empty(MOST_CELLS, np.int64)
    price = np.empty(MOST_CELLS, np.float64)
    for at in range(order.shape[0]):
        a = order[at]
        if head[a] < 0 or cost[a] <= 0.0:
            continue
        count = 0
        c = head[a]
        while c >= 0 and count < MOST_CELLS:
            cells[count] = c
            count += 1
            c = after[c]
        if c >= 0:
            continue
        if budget < count * head.shape[0]:
            return budget
        budget -= count * head.shape[0]
        together = 0.0
        for i in range(count):
            homes[i] = cheapest_home(
                cells[i],
                rows[cells[i]],
                a,
                records,
                start,
                values,
                heights,
                groups,
                shares,
                head,
                levels,
                cost,
                total,
                answer,
            )
            price[i] = answer[0]
            together += answer[0]
        if together + SLACK < total[a] * cost[a]:
            # Each was asked as if alone: those who come later are asked again.
            head[a] = -1
            total[a] = 0
            people[a] = 0
            for i in range(count):
                home = cheapest_home(
                    cells[i],
                    rows[cells[i]],
                    a,
                    records,
                    start,
                    values,
                    heights,
                    groups,
                    shares,
                    head,
                    levels,
                    cost,
                    total,
                    answer,
                )
                bring_in(
                    home,
                    cells[i],
                    classes,
                    records,
                    start,
                    values,
                    groups,
                    shares,
                    rows,
                    persons,
                    head,
                    after,
                    levels,
                    cost,
                    total,
                    people,
                )
            continue
        while True:
            chosen = -1
            most = SLACK
            for i in range(count):
                c = cells[i]
                if classes[c] == a and people[a] - persons[c] >= k and head[homes[i]] >= 0:
                    lost = enclose(a, c, records, start, values, groups, shares, head, after, node)
                    gain = total[a] * cost[a] - (total[a] - rows[c]) * lost - price[i]
                    if gain > most:
                        most = gain
                        chosen = i
            if chosen < 0:
                break
            c = cells[chosen]
            take_out(a, c, head, after)
            total[a] -= rows[c]
            people[a] -= persons[c]
            cost[a] = enclose(a, -1, records, start, values, groups, shares, head, after, node)
            for j in range(columns):
                levels[a, j] = node[j]
            bring_in(
                homes[chosen],
                c,
                classes,
                records,
                start,
                values,
                groups,
                shares,
                rows,
                persons,
                head,
                after,
                levels,
                cost,
                total,
                people,
            )
            price[chosen] = np.inf
    return budget
