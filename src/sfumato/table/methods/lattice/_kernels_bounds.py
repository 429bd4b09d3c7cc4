"""Bounds over the whole lattice, kept in one flat array: cones of nodes as nested loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def raise_below(
    bounds: Floats, strides: Ints, levels: Ints, terms: Floats, join_max: bool, floor: float
) -> None:
    """Raise the bound of every node x ≤ levels to the join of terms[j, x_j], and at least to ``floor``."""
    columns = levels.shape[0]
    at = np.zeros(columns, np.int64)
    last = columns - 1
    so_far = np.zeros(columns)
    place = np.int64(0)
    fresh = 0
    while True:
        for j in range(fresh, last):
            before = so_far[j - 1] if j > 0 else (-np.inf if join_max else 0.0)
            so_far[j] = max(before, terms[j, at[j]]) if join_max else before + terms[j, at[j]]
        before = so_far[last - 1] if last > 0 else (-np.inf if join_max else 0.0)
        for level in range(levels[last] + 1):
            value = max(before, terms[last, level]) if join_max else before + terms[last, level]
            if value < floor:
                value = floor
            if value > bounds[place + level]:
                bounds[place + level] = value
        j = last - 1
        while j >= 0:
            if at[j] < levels[j]:
                at[j] += 1
                place += strides[j]
                break
            place -= at[j] * strides[j]
            at[j] = 0
            j -= 1
        if j < 0:
            return
        fresh = j


@kernel
def lift_cone(bounds: Floats, strides: Ints, low: Ints, high: Ints, floor: float) -> None:
    """Raise the bound of every node low ≤ x ≤ high to at least ``floor``."""
    columns = low.shape[0]
    at = low.copy()
    last = columns - 1
    place = np.int64(0)
    for j in range(last):
        place += low[j] * strides[j]
    while True:
        for level in range(low[last], high[last] + 1):
            if bounds[place + level] < floor:
                bounds[place + level] = floor
        j = last - 1
        while j >= 0:
            if at[j] < high[j]:
                at[j] += 1
                place += strides[j]
                break
            place -= (at[j] - low[j]) * strides[j]
            at[j] = low[j]
            j -= 1
        if j < 0:
            return


@kernel
def settle_above(bounds: Floats, values: Floats, strides: Ints, low: Ints, high: Ints, least: float) -> None:
    """Close every node low ≤ x ≤ high whose value is known from its levels and is at least ``least``."""
    columns = low.shape[0]
    at = low.copy()
    last = columns - 1
    place = np.int64(0)
    for j in range(last):
        place += low[j] * strides[j]
    while True:
        for level in range(low[last], high[last] + 1):
            if values[place + level] >= least:
                bounds[place + level] = np.inf
        j = last - 1
        while j >= 0:
            if at[j] < high[j]:
                at[j] += 1
                place += strides[j]
                break
            place -= (at[j] - low[j]) * strides[j]
            at[j] = low[j]
            j -= 1
        if j < 0:
            return


@kernel
def live_steps_up(bounds: Floats, strides: Ints, heights: Ints, levels: Ints, cut: float, live: Ints) -> None:
    """Count for each column the live nodes that one step up there would newly cover."""
    columns = levels.shape[0]
    at = np.zeros(columns, np.int64)
    for column in range(columns):
        live[column] = 0
        if levels[column] == heights[column]:
            continue
        at[:] = 0
        at[column] = levels[column] + 1
        place = at[column] * strides[column]
        while True:
            if bounds[place] < cut:
                live[column] += 1
            j = columns - 1
            while j >= 0:
                if j != column:
                    if at[j] < levels[j]:
                        at[j] += 1
                        place += strides[j]
                        break
                    place -= at[j] * strides[j]
                    at[j] = 0
                j -= 1
            if j < 0:
                break


@kernel
def next_live(bounds: Floats, order: Ints, start: int, cut: float) -> int:
    """Return the first index from ``start`` downwards in ``order`` whose node is live, or -1."""
    at = start
    while at >= 0:
        if bounds[order[at]] < cut:
            return at
        at -= 1
    return at


@kernel
def live_in_order(bounds: Floats, order: Ints, cut: float, live: Ints) -> int:
    """Write the live nodes in order; returns how many there are."""
    found = 0
    for i in range(order.shape[0]):
        if bounds[order[i]] < cut:
            live[found] = order[i]
            found += 1
    return found


@kernel
def meet(live: Ints, count: int, strides: Ints, shape: Ints, lowest: Ints) -> None:
    """Write the lowest level of each column among some nodes."""
    for j in range(shape.shape[0]):
        lowest[j] = shape[j]
    for i in range(count):
        for j in range(shape.shape[0]):
            level = (live[i] // strides[j]) % shape[j]
            if level < lowest[j]:
                lowest[j] = level


@kernel
def cheapest_within(bounds: Floats, measure: Floats, most: float) -> int:
    """Return the node of the lowest bound among those whose measure is at most ``most``, or -1."""
    best = -1
    for x in range(bounds.shape[0]):
        if measure[x] <= most and bounds[x] < np.inf and (best < 0 or bounds[x] < bounds[best]):
            best = x
    return best
