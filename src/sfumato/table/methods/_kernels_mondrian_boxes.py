"""What a box shows: ranges, value sets, lowest common groups; equal ones get one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ORDERED = 0
UNORDERED = 1

_ODD = 0x1E3779B97F4A7C15
_POSITIVE = 0x7FFFFFFFFFFFFFFF

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@kernel
def sort_in_place(values: I32) -> None:
    """Shell sort: the lists are short, and many."""
    size = values.shape[0]
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            value = values[i]
            at = i
            while at >= gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap //= 3


@kernel
def gather(records: I32, low: int, high: int, j: int, seen: I64, stamp: int, values: I32) -> int:
    """Collect the distinct codes of a column in a range of cells; return how many there are."""
    size = 0
    for row in range(low, high):
        value = records[row, j]
        if seen[value] != stamp:
            seen[value] = stamp
            values[size] = value
            size += 1
    return size


@kernel
def describe(values: I32, size: int, kind: int, missing: int, tree: I32) -> int:
    """Turn distinct codes into what a box shows, in place; return its length.

    On an axis: the smallest and the largest code, and whether some are missing besides. Of unordered
    values: all of them, sorted. In a tree: the lowest common level and its group.
    """
    if kind == UNORDERED:
        sort_in_place(values[:size])
        return size
    if kind == ORDERED:
        low = values[0]
        high = values[0] if values[0] != missing else -1
        mixed = 0
        for i in range(1, size):
            if values[i] == missing or low == missing:
                mixed = 1
            low = min(low, values[i])
            if values[i] != missing:
                high = max(high, values[i])
        values[0] = low
        values[1] = high if high >= 0 else missing
        values[2] = mixed
        return 3
    level = 0
    for i in range(1, size):
        while tree[level, values[i]] != tree[level, values[0]]:
            level += 1
    values[1] = tree[level, values[0]]
    values[0] = level
    return 2


@kernel
def number(values: I32, size: int, table: I64, begins: I64, store: I32, known: I64) -> int:
    """Find a description among the ``known[0]`` that there are, or append it; return its number."""
    hashed = size
    for i in range(size):
        hashed = (hashed ^ values[i]) * _ODD
        hashed ^= hashed >> 29
    slot = (hashed & _POSITIVE) % table.shape[0]
    while table[slot] >= 0:
        found = int(table[slot])
        start = begins[found]
        same = begins[found + 1] - start == size
        i = 0
        while same and i < size:
            same = store[start + i] == values[i]
            i += 1
        if same:
            return found
        slot = (slot + 1) % table.shape[0]
    new = int(known[0])
    start = begins[new]
    for i in range(size):
        store[start + i] = values[i]
    begins[new + 1] = start + size
    table[slot] = new
    known[0] += 1
    return new


@kernel
def describe_boxes(
    records: I32,
    starts: I64,
    j: int,
    kind: int,
    missing: int,
    tree: I32,
    table: I64,
    begins: I64,
    store: I32,
    boxes: I32,
) -> int:
    """Number what the boxes show in column j; return how many different things that is.

    Box i holds the rows from ``starts[i]`` to ``starts[i + 1]``. Description v is
    ``store[begins[v]:begins[v + 1]]``; ``table`` is a hash table filled with -1.
    """
    seen = np.full(tree.shape[1], -1, np.int64)
    values = np.empty(tree.shape[1] + 3, np.int32)
    known = np.zeros(1, np.int64)
    begins[0] = 0
    for box in range(boxes.shape[0]):
        size = gather(records, starts[box], starts[box + 1], j, seen, box, values)
        size = describe(values, size, kind, missing, tree)
        boxes[box] = number(values, size, table, begins, store, known)
    return int(known[0])


@kernel
def trace_ranges(records: I32, splits: I64, j: int, begins: I64, store: I32, region: I32) -> None:
    """Follow the cuts along an axis. Region r is from code ``store[2r]`` to ``store[2r + 1]``.

    Region 0 is there already: the whole axis. A cut of a region makes two new ones, left and right.
    ``region[row]`` becomes the region of the box that begins at the row.
    """
    regions = 1
    region[0] = 0
    begins[0] = 0
    begins[1] = 2
    for s in range(splits.shape[0]):
        low, middle, high = splits[s, 0], splits[s, 1], splits[s, 2]
        old = region[low]
        region[middle] = old
        if splits[s, 3] != j:
            continue
        last = records[low, j]
        for row in range(low, middle):
            last = max(last, records[row, j])
        first = records[middle, j]
        for row in range(middle, high):
            first = min(first, records[row, j])
        store[2 * regions] = store[2 * old]
        store[2 * regions + 1] = max(last, first - 1)
        store[2 * regions + 2] = first
        store[2 * regions + 3] = store[2 * old + 1]
        begins[regions + 1] = 2 * regions + 2
        begins[regions + 2] = 2 * regions + 4
        region[low] = regions
        region[middle] = regions + 1
        regions += 2


@kernel
def trace_sets(
    records: I32, splits: I64, j: int, codes: int, fill: bool, begins: I64, store: I32, region: I32
) -> None:
    """Follow the cuts along unordered values. Region r is ``store[begins[r]:begins[r + 1]]``.

    As above; codes that no record of the cut box has go right. The first call, without ``fill``,
    writes only ``begins``; so the second can be given a store that is large enough.
    """
    seen = np.full(codes, -1, np.int64)
    left = np.empty(codes, np.int32)
    regions = 1
    region[0] = 0
    begins[0] = 0
    begins[1] = codes
    for s in range(splits.shape[0]):
        low, middle, high = splits[s, 0], splits[s, 1], splits[s, 2]
        old = region[low]
        region[middle] = old
        if splits[s, 3] != j:
            continue
        lefts = gather(records, low, middle, j, seen, 2 * s, left)
        both = 0
        for row in range(middle, high):
            if seen[records[row, j]] == 2 * s:
                seen[records[row, j]] = 2 * s + 1
                both += 1
        at = begins[regions] + lefts
        begins[regions + 1] = at
        begins[regions + 2] = at + begins[old + 1] - begins[old] - lefts + both
        if fill:
            sort_in_place(left[:lefts])
            for i in range(lefts):
                store[at - lefts + i] = left[i]
            for i in range(begins[old], begins[old + 1]):
                if seen[store[i]] != 2 * s:
                    store[at] = store[i]
                    at += 1
        region[low] = regions
        region[middle] = regions + 1
        regions += 2
