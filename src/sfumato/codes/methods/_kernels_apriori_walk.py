"""Walking through the itemsets of records, as loops over arrays: which are rare, and have them mended."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.methods._kernels_apriori import Forest, Holders, mend_one, support
from sfumato.core.jit import kernel

RARE = -2
"""an itemset is too rare and was to be left alone"""
STUCK = -1
"""an itemset is too rare, nothing above its items is held by enough records, none may be left out"""


class Shown(NamedTuple):
    """Records as places in the processing order, ascending; ``slots`` of place p are where it stands."""

    starts: NDArray[np.int64]
    places: NDArray[np.int32]
    weight: NDArray[np.int64]
    record: NDArray[np.int32]
    slot_starts: NDArray[np.int64]
    slots: NDArray[np.int64]


@kernel
def distinct_records(
    starts: NDArray[np.int64], leaves: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number records by their sets in the order of appearance; return the numbers and who came first."""
    records = len(starts) - 1
    size = 16
    while size < 2 * records:
        size *= 2
    table = np.full(size, -1, np.int64)
    number_of = np.empty(records, np.int64)
    firsts = np.empty(records, np.int64)
    found = 0
    for record in range(records):
        mixed = np.uint64(14695981039346656037)
        for slot in range(starts[record], starts[record + 1]):
            mixed = (mixed ^ np.uint64(leaves[slot])) * np.uint64(1099511628211)
            mixed ^= mixed >> np.uint64(29)
        at = np.int64(mixed & np.uint64(size - 1))
        length = starts[record + 1] - starts[record]
        while table[at] >= 0:
            other = firsts[table[at]]
            same = starts[other + 1] - starts[other] == length
            place = 0
            while same and place < length:
                same = leaves[starts[other] + place] == leaves[starts[record] + place]
                place += 1
            if same:
                break
            at = (at + 1) & (size - 1)
        if table[at] < 0:
            table[at] = found
            firsts[found] = record
            found += 1
        number_of[record] = table[at]
    return number_of, firsts[:found].copy()


@kernel
def recoded(
    starts: NDArray[np.int64],
    leaves: NDArray[np.int32],
    place_of: NDArray[np.int32],
    rows: NDArray[np.int32],
    least: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Give the places that records show, ascending; leave out records that show fewer than ``least``.

    A leaf with a place below 0 is not shown.
    """
    number = np.int64(0)
    for index in range(len(rows)):
        number += starts[rows[index] + 1] - starts[rows[index]]
    places = np.empty(number, np.int32)
    begins = np.zeros(len(rows) + 1, np.int64)
    owners = np.empty(len(rows), np.int32)
    kept, free = 0, np.int64(0)
    for index in range(len(rows)):
        record = rows[index]
        top = free
        for slot in range(starts[record], starts[record + 1]):
            place = place_of[leaves[slot]]
            if place < 0:
                continue
            at = top
            while at > free and places[at - 1] > place:
                at -= 1
            if at > free and places[at - 1] == place:
                continue
            for move in range(top, at, -1):
                places[move] = places[move - 1]
            places[at] = place
            top += 1
        if top - free >= least:
            owners[kept] = record
            kept += 1
            begins[kept] = top
            free = top
    return begins[: kept + 1], places[:free], owners[:kept]


@kernel
def slots_by_place(
    starts: NDArray[np.int64], places: NDArray[np.int32], number: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the record of every slot and, place by place, the slots where it stands."""
    record_of = np.empty(len(places), np.int32)
    begins = np.zeros(number + 1, np.int64)
    for record in range(len(starts) - 1):
        for slot in range(starts[record], starts[record + 1]):
            record_of[slot] = record
            begins[places[slot] + 1] += 1
    for place in range(number):
        begins[place + 1] += begins[place]
    free = begins[:-1].copy()
    slots = np.empty(len(places), np.int64)
    for slot in range(len(places)):
        slots[free[places[slot]]] = slot
        free[places[slot]] += 1
    return record_of, begins, slots


@kernel
def sort(rows: NDArray[np.int32], row: int, size: int) -> None:
    """Sort the first numbers of a row (Shell, 1959, with the gaps of Knuth)."""
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap >= 1:
        for start in range(gap, size):
            number = rows[row, start]
            at = start
            while at >= gap and rows[row, at - gap] > number:
                rows[row, at] = rows[row, at - gap]
                at -= gap
            rows[row, at] = number
        gap //= 3


@kernel
def mend(
    begin: int,
    stop: int,
    low: int,
    high: int,
    enough: NDArray[np.int64],
    most: int,
    how: int,
    change: bool,
    rare: NDArray[np.int64],
    node_at: NDArray[np.int32],
    shown: Shown,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> int:
    """Walk through the itemsets of ``low`` to ``high`` places whose first lies between two; mend rare ones.

    An itemset with a place whose node the cut no longer shows is passed by. Returns how many itemsets were
    mended, ``STUCK``, or, unless ``change``, ``RARE`` at the first rare one; ``rare`` then holds its nodes.
    """
    number = len(node_at)
    total = len(shown.places)
    count = np.zeros(number, np.int64)
    held = np.zeros(number, np.int64)
    reached = np.empty((high, number), np.int32)
    reached_by = np.zeros(high, np.int64)
    upto = np.zeros(high, np.int64)
    bucket = np.empty((high, number), np.int64)
    bucket_end = np.empty((high, number), np.int64)
    pool = np.empty((max(high - 2, 0), total), np.int64)
    items = np.empty(high, np.int64)
    mended = 0
    for anchor in range(begin, stop):
        items[0] = node_at[anchor]
        if cut[forest.first[items[0]]] != items[0]:
            continue
        depth = 0
        fresh = True
        while depth >= 0:
            if fresh:
                # Count what stands behind the last item in the records that hold all items so far.
                reached_by[depth] = 0
                if depth == 0:
                    source = shown.slots
                    first, last = shown.slot_starts[anchor], shown.slot_starts[anchor + 1]
                else:
                    chosen = upto[depth - 1] - 1
                    source = pool[depth - 1]
                    first, last = bucket[depth - 1, chosen], bucket_end[depth - 1, chosen]
                if depth == 0 and low <= 1:
                    weight = np.int64(0)
                    for index in range(first, last):
                        weight += shown.weight[shown.record[source[index]]]
                    if 0 < weight < enough[0]:
                        if not change:
                            rare[0] = items[0]
                            return RARE
                        if not mend_one(items, 1, enough[0], most, how, cut, paid, left, forest, holders):
                            return STUCK
                        mended += 1
                        break
                if high == 1:
                    break
                size = 0
                for index in range(first, last):
                    slot = source[index]
                    record = shown.record[slot]
                    weight = shown.weight[record]
                    for behind in range(slot + 1, shown.starts[record + 1]):
                        place = shown.places[behind]
                        if held[place] == 0:
                            reached[depth, size] = place
                            size += 1
                        held[place] += 1
                        count[place] += weight
                sort(reached, depth, size)
                deeper = depth + 2 < high
                if deeper:
                    taken = np.int64(0)
                    for index in range(size):
                        bucket[depth, index] = taken
                        taken += held[reached[depth, index]]
                        bucket_end[depth, index] = taken
                        held[reached[depth, index]] = bucket[depth, index]
                    for index in range(first, last):
                        slot = source[index]
                        for behind in range(slot + 1, shown.starts[shown.record[slot] + 1]):
                            place = shown.places[behind]
                            pool[depth, held[place]] = behind
                            held[place] += 1
                stale = False
                kept = 0
                for index in range(size):
                    place = reached[depth, index]
                    weight = count[place]
                    count[place] = 0
                    held[place] = 0
                    if stale:
                        continue
                    items[depth + 1] = node_at[place]
                    if cut[forest.first[items[depth + 1]]] != items[depth + 1]:
                        continue
                    if depth + 2 >= low and weight < enough[depth + 1]:
                        if not change:
                            for above in range(depth + 2):
                                rare[above] = items[above]
                            return RARE
                        if not mend_one(
                            items, depth + 2, enough[depth + 1], most, how, cut, paid, left, forest, holders
                        ):
                            return STUCK
                        mended += 1
                        for above in range(depth + 1):
                            stale |= cut[forest.first[items[above]]] != items[above]
                    elif deeper:
                        reached[depth, kept] = place
                        bucket[depth, kept] = bucket[depth, index]
                        bucket_end[depth, kept] = bucket_end[depth, index]
                        kept += 1
                reached_by[depth] = 0 if stale else kept
                upto[depth] = 0
            # Go on with the next item behind, or step back.
            fresh = False
            alive = True
            for above in range(depth + 1):
                alive &= cut[forest.first[items[above]]] == items[above]
            if not alive or upto[depth] == reached_by[depth]:
                depth -= 1
                continue
            place = reached[depth, upto[depth]]
            upto[depth] += 1
            items[depth + 1] = node_at[place]
            if cut[forest.first[items[depth + 1]]] == items[depth + 1]:
                depth += 1
                fresh = True
    return mended


@kernel
def mend_records(
    begin: int,
    stop: int,
    enough: int,
    most: int,
    how: int,
    change: bool,
    rare: NDArray[np.int64],
    node_at: NDArray[np.int32],
    starts: NDArray[np.int64],
    places: NDArray[np.int32],
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> int:
    """Take whole records between two as itemsets and mend rare ones; answers as ``mend`` does."""
    items = np.empty(len(node_at), np.int64)
    mended = 0
    for record in range(begin, stop):
        number = starts[record + 1] - starts[record]
        alive = True
        for index in range(number):
            items[index] = node_at[places[starts[record] + index]]
            alive &= cut[forest.first[items[index]]] == items[index]
        if not alive or number == 0 or support(holders, items, number, enough) >= enough:
            continue
        if not change:
            for index in range(number):
                rare[index] = items[index]
            return RARE
        if not mend_one(items, number, enough, most, how, cut, paid, left, forest, holders):
            return STUCK
        mended += 1
    return mended
