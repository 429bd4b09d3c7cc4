"""Loops that find itemsets which tell too much, level by level, and choose codes that break all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def longer(array: NDArray[np.int32], used: int, more: int) -> NDArray[np.int32]:
    """Return a list with room for some more entries; what it holds is kept."""
    if used + more <= len(array):
        return array
    room = max(2 * len(array), used + more)
    grown = np.empty(room, np.int32)
    grown[:used] = array[:used]
    return grown


@kernel
def hash_of(items: NDArray[np.int32], size: int) -> np.int64:
    """Mix the items of a set into one number."""
    mixed = np.int64(size)
    for place in range(size):
        mixed = (mixed ^ np.int64(items[place])) * np.int64(0x100000001B3)
        mixed ^= (mixed >> np.int64(29)) & np.int64(0x7FFFFFFFF)
    return mixed


@kernel
def index_of_sets(sets: NDArray[np.int32]) -> NDArray[np.int64]:
    """Lay out a hash table over itemsets (rows, ascending items): 1 + the row, 0 where there is none."""
    room = 16
    while room < 2 * len(sets):
        room <<= 1
    table = np.zeros(room, np.int64)
    for row in range(len(sets)):
        entry = hash_of(sets[row], sets.shape[1]) & (room - 1)
        while table[entry] != 0:
            entry = (entry + 1) & (room - 1)
        table[entry] = row + 1
    return table


@kernel
def holds_set(table: NDArray[np.int64], sets: NDArray[np.int32], wanted: NDArray[np.int32]) -> bool:
    """Say whether an itemset is one of those in the table."""
    size = sets.shape[1]
    entry = hash_of(wanted, size) & (len(table) - 1)
    while table[entry] != 0:
        row = table[entry] - 1
        same = True
        for place in range(size):
            if sets[row, place] != wanted[place]:
                same = False
                break
        if same:
            return True
        entry = (entry + 1) & (len(table) - 1)
    return False


@kernel
def first_after(items: NDArray[np.int32], start: int, stop: int, item: int) -> int:
    """Return the first slot of a record whose item is larger than one."""
    while start < stop:
        middle = (start + stop) >> 1
        if items[middle] <= item:
            start = middle + 1
        else:
            stop = middle
    return start


@kernel
def all_subsets_hold(
    table: NDArray[np.int64], sets: NDArray[np.int32], row: int, item: int, wanted: NDArray[np.int32]
) -> bool:
    """Say whether an itemset with one item more has all of its subsets among the itemsets."""
    size = sets.shape[1]
    for left_out in range(size):
        number = 0
        for place in range(size):
            if place != left_out:
                wanted[number] = sets[row, place]
                number += 1
        wanted[number] = item
        if not holds_set(table, sets, wanted):
            return False
    return True


@kernel
def next_level(
    low: int,
    high: int,
    sets: NDArray[np.int32],
    tid_starts: NDArray[np.int64],
    tids: NDArray[np.int32],
    table: NDArray[np.int64],
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    told_starts: NDArray[np.int64],
    told: NDArray[np.int32],
    domain: int,
    limit: NDArray[np.int64],
    with_told: bool,
    keep: bool,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Extend the itemsets ``sets[low:high]`` by one item each; return those that tell too much, and the rest.

    ``tids[tid_starts[i]:tid_starts[i + 1]]`` are the records that hold itemset i, ``limit[s]`` is how many of
    s records may also hold one sensitive item, −1 when s is too few. Only itemsets are looked at all of whose
    subsets are in ``sets``, so that those found are minimal. Rows of the first result are itemsets, with
    ``with_told`` also the sensitive item that is told; itemsets and records of the rest are only
    gathered with ``keep``.
    """
    size = sets.shape[1] + 1
    width = size + 1 if with_told else size
    bad, bad_used = np.empty(1024, np.int32), 0
    kept, kept_used = np.empty(1024, np.int32), 0
    records, records_used = np.empty(1024, np.int32), 0
    lengths, lengths_used = np.empty(1024, np.int32), 0
    count = np.zeros(domain, np.int64)
    offset = np.zeros(domain, np.int64)
    joint = np.zeros(domain, np.int64)
    touched = np.empty(domain, np.int64)
    heard = np.empty(domain, np.int64)
    wanted = np.empty(size, np.int32)
    lists = np.empty(1024, np.int32)
    for row in range(low, high):
        last = sets[row, size - 2]
        number = 0
        for place in range(tid_starts[row], tid_starts[row + 1]):
            record = tids[place]
            stop = starts[record + 1]
            for slot in range(first_after(items, starts[record], stop, last), stop):
                item = items[slot]
                if count[item] == 0:
                    touched[number] = item
                    number += 1
                count[item] += 1
        total = 0
        for place in range(number):
            item = touched[place]
            offset[item] = -1
            if size > 2 and not all_subsets_hold(table, sets, row, item, wanted):
                continue
            if limit[count[item]] < 0:
                bad = longer(bad, bad_used, width)
                for at in range(size - 1):
                    bad[bad_used + at] = sets[row, at]
                bad[bad_used + size - 1] = item
                bad_used += width
            else:
                offset[item] = total
                total += count[item]
        lists = longer(lists, 0, total)
        for place in range(tid_starts[row], tid_starts[row + 1]):
            record = tids[place]
            stop = starts[record + 1]
            for slot in range(first_after(items, starts[record], stop, last), stop):
                item = items[slot]
                if offset[item] >= 0:
                    lists[offset[item]] = record
                    offset[item] += 1
        for place in range(number):
            item = touched[place]
            support = count[item]
            count[item] = 0
            if offset[item] < 0:
                continue
            begin = offset[item] - support
            many = 0
            for at in range(begin, begin + support):
                for slot in range(told_starts[lists[at]], told_starts[lists[at] + 1]):
                    if joint[told[slot]] == 0:
                        heard[many] = told[slot]
                        many += 1
                    joint[told[slot]] += 1
            breached = False
            for at in range(many):
                sensitive = heard[at]
                together = joint[sensitive]
                joint[sensitive] = 0
                outside = sensitive != item
                for known in range(size - 1):
                    outside = outside and sets[row, known] != sensitive
                if outside and together > limit[support] and (with_told or not breached):
                    breached = True
                    bad = longer(bad, bad_used, width)
                    for known in range(size - 1):
                        bad[bad_used + known] = sets[row, known]
                    bad[bad_used + size - 1] = item
                    if with_told:
                        bad[bad_used + size] = sensitive
                    bad_used += width
            if keep and not breached:
                kept = longer(kept, kept_used, size)
                for known in range(size - 1):
                    kept[kept_used + known] = sets[row, known]
                kept[kept_used + size - 1] = item
                kept_used += size
                lengths = longer(lengths, lengths_used, 1)
                lengths[lengths_used] = support
                lengths_used += 1
                records = longer(records, records_used, support)
                records[records_used : records_used + support] = lists[begin : begin + support]
                records_used += support
    begins = np.zeros(lengths_used + 1, np.int64)
    for place in range(lengths_used):
        begins[place + 1] = begins[place] + lengths[place]
    return (
        bad[:bad_used].copy().reshape(bad_used // width, width),
        kept[:kept_used].copy().reshape(kept_used // size, size),
        begins,
        records[:records_used].copy(),
    )


@kernel
def far_from_all(
    tid_starts: NDArray[np.int64],
    tids: NDArray[np.int32],
    told_starts: NDArray[np.int64],
    told: NDArray[np.int32],
    totals: NDArray[np.int64],
    most: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Mark itemsets whose records hold a sensitive item much more often, or less, than all N records do.

    ``tids`` are as in ``next_level``, ``totals[e]`` is how many of all records hold item e. Joint records of
    s lie too far when ``|N · joint − s · totals[e]| > most[s]``.
    """
    records = len(told_starts) - 1
    far = np.zeros(len(tid_starts) - 1, np.bool_)
    if len(far) == 0:
        return far
    # Without any joint record the bound is totals[e] > most[1], whatever s: such items must all be heard of.
    needed = 0
    for item in range(len(totals)):
        if totals[item] > most[1]:
            needed += 1
    joint = np.zeros(len(totals), np.int64)
    heard = np.empty(len(totals), np.int64)
    for row in range(len(far)):
        many = 0
        for place in range(tid_starts[row], tid_starts[row + 1]):
            for slot in range(told_starts[tids[place]], told_starts[tids[place] + 1]):
                if joint[told[slot]] == 0:
                    heard[many] = told[slot]
                    many += 1
                joint[told[slot]] += 1
        support = tid_starts[row + 1] - tid_starts[row]
        present = 0
        for at in range(many):
            item = heard[at]
            if totals[item] > most[1]:
                present += 1
            if abs(records * joint[item] - support * totals[item]) > most[support]:
                far[row] = True
            joint[item] = 0
        if present < needed:
            far[row] = True
    return far


@kernel
def break_all(
    rows: NDArray[np.int32], loss: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], int]:
    """Choose codes until every row (codes, −1 where there is none) has one; return them as they were chosen.

    Greedily: the code in most rows that are left, for its loss; of equal ones the first. In the end codes are
    put back that no row needs. Also returns how many rows have no code that may be chosen.
    """
    domain = len(loss)
    starts = np.zeros(domain + 1, np.int64)
    hopeless = 0
    for row in range(len(rows)):
        able = False
        for place in range(rows.shape[1]):
            code = rows[row, place]
            if code >= 0 and allowed[code]:
                starts[code + 1] += 1
                able = True
        if not able:
            hopeless += 1
    for code in range(domain):
        starts[code + 1] += starts[code]
    fill = starts[:-1].copy()
    members = np.empty(starts[-1], np.int64)
    for row in range(len(rows)):
        for place in range(rows.shape[1]):
            code = rows[row, place]
            if code >= 0 and allowed[code]:
                members[fill[code]] = row
                fill[code] += 1
    left = starts[1:] - starts[:-1]
    waiting = np.empty(domain, np.int64)
    number = 0
    for code in range(domain):
        if left[code] > 0:
            waiting[number] = code
            number += 1
    broken = np.zeros(len(rows), np.int64)
    chosen = np.empty(number, np.int64)
    many = 0
    while True:
        best = -1
        kept = 0
        for place in range(number):
            code = waiting[place]
            if left[code] > 0:
                waiting[kept] = code
                kept += 1
                if best < 0 or left[code] * loss[best] > left[best] * loss[code]:
                    best = code
        number = kept
        if best < 0:
            break
        chosen[many] = best
        many += 1
        for place in range(starts[best], starts[best + 1]):
            row = members[place]
            broken[row] += 1
            if broken[row] == 1:
                for at in range(rows.shape[1]):
                    code = rows[row, at]
                    if code >= 0 and allowed[code]:
                        left[code] -= 1
    # Codes chosen early may not be needed any more: the last choices were made for rows of their own.
    needed = 0
    for number in range(many):
        code = chosen[number]
        spare = True
        for place in range(starts[code], starts[code + 1]):
            if broken[members[place]] == 1:
                spare = False
                break
        if spare:
            for place in range(starts[code], starts[code + 1]):
                broken[members[place]] -= 1
        else:
            chosen[needed] = code
            needed += 1
    return chosen[:needed].copy(), hopeless
