"""Counting records: who is identical, and how many hold each itemset of a size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ENOUGH = 1 << 60
"""counts of itemsets are not followed beyond this"""


@kernel
def identical(starts: NDArray[np.int64], items: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return for every record the first record that holds exactly the same items."""
    records = len(starts) - 1
    room = 16
    while room < 2 * records:
        room *= 2
    table = np.full(room, -1, np.int64)
    first = np.empty(records, np.int64)
    for record in range(records):
        begin, end = starts[record], starts[record + 1]
        mixed = np.uint64(14695981039346656037)
        for place in range(begin, end):
            mixed = (mixed ^ np.uint64(items[place] + 1)) * np.uint64(1099511628211)
        slot = np.int64((mixed ^ (mixed >> np.uint64(29))) & np.uint64(room - 1))
        while True:
            other = table[slot]
            if other < 0:
                table[slot] = record
                first[record] = record
                break
            same = starts[other + 1] - starts[other] == end - begin
            if same:
                for shift in range(end - begin):
                    if items[begin + shift] != items[starts[other] + shift]:
                        same = False
                        break
            if same:
                first[record] = other
                break
            slot = (slot + 1) & (room - 1)
    return first


@kernel
def by_item(
    starts: NDArray[np.int64], items: NDArray[np.int32], kinds: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Sort the items of every record, and list for every item where it stands.

    Returns the items, and for item a the slice ``begins[a]:begins[a + 1]`` of places (in the items) and of
    owners (records), in the order of the records.
    """
    begins = np.zeros(kinds + 1, np.int64)
    for place in range(len(items)):
        begins[items[place] + 1] += 1
    for item in range(kinds):
        begins[item + 1] += begins[item]
    owners = np.empty(len(items), np.int32)
    places = np.empty(len(items), np.int64)
    ahead = begins[:-1].copy()
    for record in range(len(starts) - 1):
        for place in range(starts[record], starts[record + 1]):
            owners[ahead[items[place]]] = record
            ahead[items[place]] += 1
    ordered = np.empty(len(items), np.int32)
    filled = starts[:-1].copy()
    for item in range(kinds):
        for slot in range(begins[item], begins[item + 1]):
            place = filled[owners[slot]]
            ordered[place] = item
            places[slot] = place
            filled[owners[slot]] += 1
    return ordered, begins, places, owners


@kernel
def choices(many: int, few: int) -> int:
    """Return in how many ways few can be chosen of many, or ``ENOUGH`` when it is more than that."""
    ways = 1
    for taken in range(few):
        if ways > ENOUGH // many:
            return ENOUGH
        ways = ways * (many - taken) // (taken + 1)
    return ways


@kernel
def held_by_fewest(
    size: int,
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    begins: NDArray[np.int64],
    at_places: NDArray[np.int64],
    at_owners: NDArray[np.int32],
    widest: int,
    least: int,
    first_only: bool,
    most: int,
    worst: NDArray[np.int64],
) -> tuple[int, int, int, int]:
    """Count the records of every itemset of exactly ``size`` ≥ 2 items that some record holds.

    Itemsets grow item by item. Those who hold the items so far are listed by the places behind the last
    one, these lists are dealt out by the next item, and at the last item a counter for each is enough: no
    combination is ever stored, however long a record is. Returns how many itemsets were looked at, how many
    less than ``least`` records hold, the fewest that hold one (written to ``worst``), and the work left of
    ``most`` (below 0: given up). With ``first_only`` it ends with the first item that starts a broken one.
    """
    kinds = len(begins) - 1
    looked, broken, fewest = 0, 0, ENOUGH
    count = np.zeros(kinds, np.int64)
    touched = np.empty(kinds, np.int32)
    places = np.empty((size - 1, widest), np.int64)
    owners = np.empty((size - 1, widest), np.int32)
    child = np.empty((size - 1, kinds), np.int32)
    begin = np.empty((size - 1, kinds + 1), np.int64)
    number = np.zeros(size - 1, np.int64)
    turn = np.zeros(size - 1, np.int64)
    prefix = np.empty(size, np.int64)
    for anchor in range(kinds):
        length = begins[anchor + 1] - begins[anchor]
        for slot in range(length):
            places[0, slot] = at_places[begins[anchor] + slot]
            owners[0, slot] = at_owners[begins[anchor] + slot]
        child[0, 0], number[0], turn[0] = anchor, 1, 0
        begin[0, 0], begin[0, 1] = 0, length
        level = 0
        while level >= 0:
            if turn[level] == number[level]:
                level -= 1
                continue
            low, high = begin[level, turn[level]], begin[level, turn[level] + 1]
            prefix[level] = child[level, turn[level]]
            turn[level] += 1
            more = size - level - 1
            seen = 0
            if high - low == 1:
                # One record alone: whatever is chosen of the rest of it, only this record holds it.
                record, place = owners[level, low], places[level, low]
                rest = starts[record + 1] - place - 1
                if rest >= more:
                    ways = choices(rest, more)
                    looked = min(looked + ways, ENOUGH)
                    if weights[record] < least:
                        broken = min(broken + ways, ENOUGH)
                    if weights[record] < fewest:
                        fewest = weights[record]
                        worst[: level + 1] = prefix[: level + 1]
                        for shift in range(more):
                            worst[level + 1 + shift] = items[place + 1 + shift]
                continue
            if more == 1:
                for slot in range(low, high):
                    record = owners[level, slot]
                    weight = weights[record]
                    most -= starts[record + 1] - places[level, slot]
                    for place in range(places[level, slot] + 1, starts[record + 1]):
                        item = items[place]
                        if count[item] == 0:
                            touched[seen] = item
                            seen += 1
                        count[item] += weight
                looked = min(looked + seen, ENOUGH)
                for slot in range(seen):
                    item = touched[slot]
                    support = count[item]
                    count[item] = 0
                    if support < least:
                        broken = min(broken + 1, ENOUGH)
                    if support < fewest:
                        fewest = support
                        worst[: size - 1] = prefix[: size - 1]
                        worst[size - 1] = item
            else:
                for slot in range(low, high):
                    last = starts[owners[level, slot] + 1] - more + 1
                    most -= last - places[level, slot]
                    for place in range(places[level, slot] + 1, last):
                        item = items[place]
                        if count[item] == 0:
                            touched[seen] = item
                            seen += 1
                        count[item] += 1
                begin[level + 1, 0] = 0
                for slot in range(seen):
                    item = touched[slot]
                    child[level + 1, slot] = item
                    begin[level + 1, slot + 1] = begin[level + 1, slot] + count[item]
                    count[item] = begin[level + 1, slot]
                for slot in range(low, high):
                    record = owners[level, slot]
                    for place in range(places[level, slot] + 1, starts[record + 1] - more + 1):
                        target = count[items[place]]
                        places[level + 1, target] = place
                        owners[level + 1, target] = record
                        count[items[place]] += 1
                for slot in range(seen):
                    count[touched[slot]] = 0
                number[level + 1], turn[level + 1] = seen, 0
                level += 1
            if most < 0:
                return looked, broken, fewest, most
        if first_only and broken > 0:
            break
    return looked, broken, fewest, most
