"""Which records agree with what is known of a person, and which few codes of a person tell the most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def surest(
    items: NDArray[np.int64],
    number: int,
    hist: NDArray[np.int64],
    inside: NDArray[np.bool_],
    item_starts: NDArray[np.int64],
    item_kinds: NDArray[np.int32],
) -> tuple[int, int]:
    """Return the item that most candidates show and how many do; one that covers a known code is no news."""
    best, most = -1, 0
    for place in range(number):
        item = items[place]
        if hist[item] < most or (hist[item] == most and (best < 0 or item > best)) or hist[item] == 0:
            continue
        known = False
        for slot in range(item_starts[item], item_starts[item + 1]):
            if inside[item_kinds[slot]]:
                known = True
                break
        if not known:
            best, most = item, hist[item]
    return best, most


@kernel
def telling_codes(
    starts: NDArray[np.int64],
    kinds: NDArray[np.int32],
    row_of: NDArray[np.int64],
    begins: NDArray[np.int64],
    slots: NDArray[np.int64],
    targets: int,
    number: int,
    size: int,
    told_starts: NDArray[np.int64],
    told: NDArray[np.int32],
    item_starts: NDArray[np.int64],
    item_kinds: NDArray[np.int32],
    sensitive: bool,
    least: NDArray[np.int64],
    joint: NDArray[np.int64],
    chosen: NDArray[np.int32],
) -> None:
    """Find for every target the at most ``size`` codes that tell the most about them.

    Rows before ``targets`` are people, the others are the records that are searched. Without ``sensitive``
    the codes with the fewest records (``least``) are sought, with it those whose records show one
    sensitive item the most often (``joint`` of ``least``). Prefixes are extended by later codes of the same
    row only, so that every set of codes is met once.
    """
    children = np.empty((size + 1, number + 1), np.int32)
    bounds = np.zeros((size + 1, number + 2), np.int64)
    many = np.zeros(size + 1, np.int64)
    at = np.zeros(size + 1, np.int64)
    lists = np.empty((size + 1, len(kinds) + 1), np.int64)
    counts = np.zeros(number + 1, np.int64)
    prefix = np.zeros(size + 1, np.int32)
    inside = np.zeros(number + 1, np.bool_)
    hist = np.zeros(len(item_starts), np.int64)
    touched = np.empty(len(item_starts), np.int64)
    for kind in range(number):
        children[0, kind] = kind
        bounds[0, kind] = begins[kind]
    bounds[0, number] = begins[number]
    many[0] = number
    for slot in range(len(slots)):
        lists[0, slot] = slots[slot]
    level = 0
    at[0] = 0
    while level >= 0:
        if at[level] > 0:
            inside[prefix[level]] = False
        if at[level] >= many[level]:
            level -= 1
            continue
        child = at[level]
        at[level] += 1
        prefix[level] = children[level, child]
        inside[prefix[level]] = True
        low, high = bounds[level, child], bounds[level, child + 1]
        people, records = 0, 0
        for place in range(low, high):
            if row_of[lists[level, place]] < targets:
                people += 1
            else:
                records += 1
        if people == 0 or records == 0:
            continue
        most = 1
        if sensitive:
            items = 0
            for place in range(low, high):
                row = row_of[lists[level, place]] - targets
                if row >= 0:
                    for slot in range(told_starts[row], told_starts[row + 1]):
                        if hist[told[slot]] == 0:
                            touched[items] = told[slot]
                            items += 1
                        hist[told[slot]] += 1
            _, most = surest(touched, items, hist, inside, item_starts, item_kinds)
            for place in range(items):
                hist[touched[place]] = 0
        for place in range(low, high):
            row = row_of[lists[level, place]]
            if row < targets and most * least[row] > joint[row] * records:
                least[row], joint[row] = records, most
                for position in range(size):
                    chosen[row, position] = prefix[position] if position <= level else -1
        if level + 1 == size:
            continue
        found = 0
        for place in range(low, high):
            slot = lists[level, place]
            for later in range(slot + 1, starts[row_of[slot] + 1]):
                kind = kinds[later]
                if counts[kind] == 0:
                    children[level + 1, found] = kind
                    found += 1
                counts[kind] += 1
        total = 0
        for place in range(found):
            kind = children[level + 1, place]
            bounds[level + 1, place] = total
            total += counts[kind]
            counts[kind] = bounds[level + 1, place]
        bounds[level + 1, found] = total
        for place in range(low, high):
            slot = lists[level, place]
            for later in range(slot + 1, starts[row_of[slot] + 1]):
                kind = kinds[later]
                lists[level + 1, counts[kind]] = later
                counts[kind] += 1
        for place in range(found):
            counts[children[level + 1, place]] = 0
        many[level + 1] = found
        at[level + 1] = 0
        level += 1


@kernel
def holds_all(
    starts: NDArray[np.int64],
    kinds: NDArray[np.int32],
    row: int,
    known: NDArray[np.int32],
    first: int,
    last: int,
) -> bool:
    """Say whether a record holds all of some codes; both ascend."""
    slot, stop = starts[row], starts[row + 1]
    for place in range(first, last):
        while slot < stop and kinds[slot] < known[place]:
            slot += 1
        if slot == stop or kinds[slot] != known[place]:
            return False
    return True


@kernel
def agreeing(
    known_starts: NDArray[np.int64],
    known: NDArray[np.int32],
    own: NDArray[np.int64],
    starts: NDArray[np.int64],
    kinds: NDArray[np.int32],
    begins: NDArray[np.int64],
    holders: NDArray[np.int64],
    told_starts: NDArray[np.int64],
    told: NDArray[np.int32],
    support: NDArray[np.int64],
    item_starts: NDArray[np.int64],
    item_kinds: NDArray[np.int32],
    sensitive: bool,
    found: NDArray[np.int64],
) -> None:
    """Find the records that agree with what is known of each person.

    Row q of ``found`` gets: how many agree; whether the person's own is one (1) or not (0); the sensitive
    item that most of them show (−1 for none) and how many do; both again without the person's own record.
    Codes ascend by how many records hold them, so the first of a person is the rarest.
    """
    records = len(starts) - 1
    inside = np.zeros(len(begins), np.bool_)
    hist = np.zeros(len(item_starts), np.int64)
    touched = np.empty(len(item_starts), np.int64)
    for query in range(len(known_starts) - 1):
        first, last = known_starts[query], known_starts[query + 1]
        agree, mine, items = 0, 0, 0
        if first == last:
            agree = records
            mine = 1 if own[query] >= 0 else 0
            if sensitive:
                for item in range(len(support)):
                    if support[item] > 0:
                        hist[item] = support[item]
                        touched[items] = item
                        items += 1
        else:
            for place in range(begins[known[first]], begins[known[first] + 1]):
                row = holders[place]
                if not holds_all(starts, kinds, row, known, first, last):
                    continue
                agree += 1
                if row == own[query]:
                    mine = 1
                if sensitive:
                    for slot in range(told_starts[row], told_starts[row + 1]):
                        if hist[told[slot]] == 0:
                            touched[items] = told[slot]
                            items += 1
                        hist[told[slot]] += 1
        found[query, 0] = agree
        found[query, 1] = mine
        if not sensitive:
            continue
        for place in range(first, last):
            inside[known[place]] = True
        item, many = surest(touched, items, hist, inside, item_starts, item_kinds)
        found[query, 2], found[query, 3] = item, many
        if mine:
            for slot in range(told_starts[own[query]], told_starts[own[query] + 1]):
                hist[told[slot]] -= 1
            item, many = surest(touched, items, hist, inside, item_starts, item_kinds)
        found[query, 4], found[query, 5] = item, many
        for place in range(first, last):
            inside[known[place]] = False
        for place in range(items):
            hist[touched[place]] = 0


@kernel
def looking_like(
    known_starts: NDArray[np.int64],
    known: NDArray[np.int32],
    times: NDArray[np.int64],
    own: NDArray[np.int64],
    shown_starts: NDArray[np.int64],
    item_begins: NDArray[np.int64],
    item_holders: NDArray[np.int64],
    above_starts: NDArray[np.int64],
    above: NDArray[np.int32],
    begins: NDArray[np.int64],
    holders: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Find the records that may be the whole set of a person: every item has a known code, most are covered.

    Row q of ``found`` gets how many records there are and whether the person's own is one of them. A known
    code counts ``times`` for as many of the person's codes.
    """
    records = len(shown_starts) - 1
    hits = np.zeros(records, np.int64)
    covered = np.zeros(records, np.int64)
    seen = np.zeros(len(item_begins), np.bool_)
    empty = 0
    for row in range(records):
        if shown_starts[row] == shown_starts[row + 1]:
            empty += 1
    for query in range(len(known_starts) - 1):
        first, last = known_starts[query], known_starts[query + 1]
        for place in range(first, last):
            for slot in range(above_starts[known[place]], above_starts[known[place] + 1]):
                item = above[slot]
                if seen[item]:
                    continue
                seen[item] = True
                for holder in range(item_begins[item], item_begins[item + 1]):
                    hits[item_holders[holder]] += 1
            for holder in range(begins[known[place]], begins[known[place] + 1]):
                covered[holders[holder]] += times[place]
        most, number = 0, empty
        for place in range(first, last):
            for holder in range(begins[known[place]], begins[known[place] + 1]):
                row = holders[holder]
                if covered[row] >= 0 and hits[row] == shown_starts[row + 1] - shown_starts[row]:
                    if covered[row] > most:
                        most, number = covered[row], 0
                    if covered[row] == most:
                        number += 1
                        # Met once is enough: the same record stands under other codes, too.
                        covered[row] = -covered[row]
        mine = 0
        if own[query] >= 0:
            row = own[query]
            whole = hits[row] == shown_starts[row + 1] - shown_starts[row]
            mine = 1 if whole and abs(covered[row]) == most else 0
        found[query, 0] = number
        found[query, 1] = mine
        for place in range(first, last):
            for slot in range(above_starts[known[place]], above_starts[known[place] + 1]):
                item = above[slot]
                if not seen[item]:
                    continue
                seen[item] = False
                for holder in range(item_begins[item], item_begins[item + 1]):
                    hits[item_holders[holder]] = 0
            for holder in range(begins[known[place]], begins[known[place] + 1]):
                covered[holders[holder]] = 0
