"""What a box shows: ranges, value sets, lowest common groups; equal ones get one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ORDERED = 0
UNORDERED = 1

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@kernel
def sort_in_place(values: I32, size: int) -> None:
    """Shell sort: the lists are short, and many."""
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
def describe(values: I32, size: int, kind: int, tree: I32) -> int:
    """Turn distinct codes into what a box shows, in place; return its length.

    On an axis the smallest and the largest code; of unordered values all of them, sorted; in a tree
    the lowest common level and its group.
    """
    if kind == UNORDERED:
        sort_in_place(values, size)
        return size
    low = values[0]
    high = low
    level = 0
    for i in range(1, size):
        low = min(low, values[i])
        high = max(high, values[i])
        if kind != ORDERED:
            while tree[level, values[i]] != tree[level, values[0]]:
                level += 1
    if kind != ORDERED:
        high = tree[level, values[0]]
        low = level
    values[0] = low
    values[1] = high
    return 2


@kernel
def number(values: I32, size: int, table: I64, begins: I64, store: I32, known: int) -> int:
    """Find a description among the ``known`` ones, or append it; return its number."""
    hashed = np.uint64(size)
    for i in range(size):
        hashed = (hashed ^ np.uint64(values[i])) * np.uint64(0x9E3779B97F4A7C15)
        hashed ^= hashed >> np.uint64(29)
    slots = np.uint64(table.shape[0])
    slot = np.int64(hashed % slots)
    while table[slot] >= 0:
        found = table[slot]
        start = begins[found]
        same = begins[found + 1] - start == size
        i = 0
        while same and i < size:
            same = store[start + i] == values[i]
            i += 1
        if same:
            return found
        slot = slot + 1 if slot + 1 < table.shape[0] else 0
    table[slot] = known
    start = begins[known]
    store[start : start + size] = values[:size]
    begins[known + 1] = start + size
    return known


@kernel
def describe_boxes(
    records: I32, starts: I64, j: int, kind: int, tree: I32, table: I64, begins: I64, store: I32, boxes: I32
) -> int:
    """Number what the boxes show in column j; return how many different things that is.

    Box i holds the rows from ``starts[i]`` to ``starts[i + 1]``. Description v is
    ``store[begins[v]:begins[v + 1]]``; ``table`` is a hash table filled with -1.
    """
    seen = np.full(tree.shape[1], -1, np.int64)
    values = np.empty(tree.shape[1] + 2, np.int32)
    known = 0
    begins[0] = 0
    for box in range(boxes.shape[0]):
        size = gather(records, starts[box], starts[box + 1], j, seen, box, values)
        size = describe(values, size, kind, tree)
        found = number(values, size, table, begins, store, known)
        boxes[box] = found
        known = max(known, found + 1)
    return known


@kernel
def cut_region(
    records: I32, split: I64, kind: int, left: I32, right: I32, seen: I64, stamp: int
) -> tuple[int, int, int]:
    """Gather the codes on both sides of a cut; return how many left, how many right, how many on both."""
    low, middle, high, j = split[0], split[1], split[2], split[3]
    lefts = gather(records, low, middle, j, seen, stamp, left)
    both = 0
    for row in range(middle, high):
        value = records[row, j]
        if seen[value] == stamp:
            seen[value] = stamp + 1
            both += 1
    rights = gather(records, middle, high, j, seen, stamp + 2, right)
    if kind == ORDERED:
        describe(left, lefts, kind, records)
        describe(right, rights, kind, records)
    return lefts, rights, both


@kernel
def trace_regions(
    records: I32, splits: I64, j: int, kind: int, codes: int, fill: bool, begins: I64, store: I32, region: I32
) -> None:
    """Follow the cuts along column j: into which regions do they divide the domain?

    Region 0 is the whole domain; a cut of a region makes two new ones, left and right. Region r is
    ``store[begins[r]:begins[r + 1]]``: its first and last code on an axis, else all of its codes.
    ``region[row]`` becomes the region of the box that begins at the row. Codes that no record of the
    cut box has go right. Without ``fill`` only ``begins`` is written.
    """
    seen = np.full(codes, -1, np.int64)
    left = np.empty(codes + 2, np.int32)
    right = np.empty(codes + 2, np.int32)
    regions = 1
    begins[0] = 0
    begins[1] = 2 if kind == ORDERED else codes
    if fill:
        for code in range(codes):
            if kind != ORDERED:
                store[code] = code
        if kind == ORDERED:
            store[0] = 0
            store[1] = codes - 1
    region[0] = 0
    for s in range(splits.shape[0]):
        old = region[splits[s, 0]]
        region[splits[s, 1]] = old
        if splits[s, 3] != j:
            continue
        lefts, _, both = cut_region(records, splits[s], kind, left, right, seen, 3 * s)
        start = begins[regions]
        size = begins[old + 1] - begins[old]
        begins[regions + 1] = start + (2 if kind == ORDERED else lefts)
        begins[regions + 2] = begins[regions + 1] + (2 if kind == ORDERED else size - lefts + both)
        if fill and kind == ORDERED:
            store[start] = store[begins[old]]
            store[start + 1] = max(left[1], right[0] - 1)
            store[start + 2] = right[0]
            store[start + 3] = store[begins[old] + 1]
        elif fill:
            sort_in_place(left, lefts)
            store[start : start + lefts] = left[:lefts]
            for i in range(lefts):
                if seen[left[i]] == 3 * s:
                    seen[left[i]] = -2
            at = begins[regions + 1]
            for i in range(begins[old], begins[old + 1]):
                if seen[store[i]] != -2:
                    store[at] = store[i]
                    at += 1
            for i in range(lefts):
                if seen[left[i]] == -2:
                    seen[left[i]] = -1
        region[splits[s, 0]] = regions
        region[splits[s, 1]] = regions + 1
        regions += 2
