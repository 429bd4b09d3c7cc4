"""Loops that find antecedents of any size which make one sensitive code too likely.

Of all antecedents with the same holders among the records with a sensitive code, the largest is held by the
fewest others and tells most. These largest ones are the closed itemsets of the records with the code; they
are gone through once each by extensions that preserve the prefix (Uno, Asai, Uchida and Arimura, 2004).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def has_item(items: NDArray[np.int32], start: int, stop: int, item: int) -> bool:
    """Say whether a record holds an item."""
    while start < stop:
        middle = (start + stop) >> 1
        if items[middle] < item:
            start = middle + 1
        elif items[middle] > item:
            stop = middle
        else:
            return True
    return False


@kernel
def holders(
    chosen: NDArray[np.int32],
    number: int,
    target: int,
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    tid_starts: NDArray[np.int64],
    tids: NDArray[np.int32],
    with_target: NDArray[np.bool_],
) -> tuple[int, int]:
    """Count the records that hold the first ``number`` chosen items, and those of them with the target."""
    rarest = chosen[0]
    for place in range(1, number):
        item = chosen[place]
        if tid_starts[item + 1] - tid_starts[item] < tid_starts[rarest + 1] - tid_starts[rarest]:
            rarest = item
    support = joint = 0
    for place in range(tid_starts[rarest], tid_starts[rarest + 1]):
        record = tids[place]
        inside = True
        for at in range(number):
            if not has_item(items, starts[record], starts[record + 1], chosen[at]):
                inside = False
                break
        if inside:
            support += 1
            if with_target[record]:
                joint += 1
    return support, joint


@kernel
def shrink(
    chosen: NDArray[np.int32],
    number: int,
    target: int,
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    tid_starts: NDArray[np.int64],
    tids: NDArray[np.int32],
    with_target: NDArray[np.bool_],
    limit: NDArray[np.int64],
) -> int:
    """Take items out of an antecedent, frequent ones first, while it still tells too much; count the rest."""
    supports = np.empty(number, np.int64)
    for place in range(number):
        supports[place] = tid_starts[chosen[place]] - tid_starts[chosen[place] + 1]
    order = np.argsort(supports, kind="mergesort")
    frequent_first = chosen[:number][order].copy()
    trial = np.empty(number, np.int32)
    for at in range(number):
        if number == 1:
            break
        item = frequent_first[at]
        left = 0
        for place in range(number):
            if chosen[place] != item:
                trial[left] = chosen[place]
                left += 1
        support, joint = holders(trial, left, target, starts, items, tid_starts, tids, with_target)
        if joint > limit[support]:
            number = left
            chosen[:left] = trial[:left]
    return number


@kernel
def telling_antecedents(
    target: int,
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    tid_starts: NDArray[np.int64],
    tids: NDArray[np.int32],
    told_by: NDArray[np.int32],
    limit: NDArray[np.int64],
    most: int,
    budget: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], bool]:
    """Return antecedents (ragged: starts, items) that tell the target too often, shrunk, at most ``most``.

    ``tids`` are the records of each item, ``told_by`` the records with the target. The last result says
    whether the search ended before ``budget`` slots were looked at; antecedents that grow out of one that
    tells too much are left to the next search.
    """
    domain = len(tid_starts) - 1
    records = len(starts) - 1
    longest = 1
    for place in range(len(told_by)):
        longest = max(longest, starts[told_by[place] + 1] - starts[told_by[place]])
    with_target = np.zeros(records, np.bool_)
    for place in range(len(told_by)):
        with_target[told_by[place]] = True
    inside = np.zeros(domain, np.bool_)
    inside[target] = True
    count = np.zeros(domain, np.int64)
    found_starts = np.zeros(most + 1, np.int64)
    found_items = np.empty(1024, np.int32)
    found = 0
    # One frame for each item added by hand: its records, its items, where to go on.
    held = np.empty(max(1024, len(told_by) + records), np.int32)
    frame_low = np.zeros(longest + 2, np.int64)
    frame_high = np.zeros(longest + 2, np.int64)
    frame_next = np.zeros(longest + 2, np.int64)
    frame_first = np.zeros(longest + 2, np.int64)
    frame_closed = np.zeros(longest + 2, np.int64)
    candidates = np.empty(1024, np.int32)
    candidate_stop = np.zeros(longest + 2, np.int64)
    closed = np.empty(longest + 1, np.int32)
    chosen = np.empty(longest + 1, np.int32)
    depth = 0
    closed_used = 0
    # The root: all records; items that every record with the target holds belong to every closed set.
    for record in range(records):
        held[record] = record
    frame_high[0] = records
    core = -1
    entering = True
    while depth >= 0:
        low, high = frame_low[depth], frame_high[depth]
        if entering:
            # Closure over the records with the target; the others must hold all of it.
            joint = 0
            for place in range(low, high):
                record = held[place]
                if with_target[record]:
                    joint += 1
                    budget -= starts[record + 1] - starts[record]
                    for slot in range(starts[record], starts[record + 1]):
                        count[items[slot]] += 1
            prefix_kept = joint > 0
            fresh = closed_used
            many = candidate_stop[depth - 1] if depth > 0 else 0
            frame_first[depth] = many
            for place in range(low, high):
                record = held[place]
                if not with_target[record]:
                    continue
                for slot in range(starts[record], starts[record + 1]):
                    item = items[slot]
                    number = count[item]
                    count[item] = 0
                    if number == 0 or inside[item]:
                        continue
                    if number == joint:
                        if item < core:
                            prefix_kept = False
                        inside[item] = True
                        closed[closed_used] = item
                        closed_used += 1
                    elif item > core:
                        if many == len(candidates):
                            grown = np.empty(2 * many, np.int32)
                            grown[:many] = candidates
                            candidates = grown
                        candidates[many] = item
                        many += 1
            candidate_stop[depth] = many
            frame_next[depth] = frame_first[depth]
            frame_closed[depth] = fresh
            telling = False
            if prefix_kept:
                kept = low
                for place in range(low, high):
                    record = held[place]
                    budget -= 1
                    whole = True
                    if not with_target[record]:
                        for at in range(fresh, closed_used):
                            if not has_item(items, starts[record], starts[record + 1], closed[at]):
                                whole = False
                                break
                    if whole:
                        held[kept] = record
                        kept += 1
                frame_high[depth] = high = kept
                telling = closed_used > 0 and joint > limit[high - low]
                if telling:
                    chosen[:closed_used] = closed[:closed_used]
                    number = shrink(
                        chosen, closed_used, target, starts, items, tid_starts, tids, with_target, limit
                    )
                    at = found_starts[found]
                    if at + number > len(found_items):
                        wider = np.empty(2 * (at + number), np.int32)
                        wider[:at] = found_items[:at]
                        found_items = wider
                    found_items[at : at + number] = chosen[:number]
                    found += 1
                    found_starts[found] = at + number
                    if found == most:
                        break
            if not prefix_kept or telling:
                frame_next[depth] = candidate_stop[depth]
            entering = False
        if budget < 0:
            break
        if frame_next[depth] == candidate_stop[depth]:
            for at in range(frame_closed[depth], closed_used):
                inside[closed[at]] = False
            closed_used = frame_closed[depth]
            depth -= 1
            if depth >= 0:
                # The item that was added by hand comes off, too.
                closed_used -= 1
                inside[closed[closed_used]] = False
            continue
        item = candidates[frame_next[depth]]
        frame_next[depth] += 1
        many = high
        if depth == 0 and closed_used == 0:
            for place in range(tid_starts[item], tid_starts[item + 1]):
                if many == len(held):
                    more = np.empty(2 * many, np.int32)
                    more[:many] = held
                    held = more
                held[many] = tids[place]
                many += 1
        else:
            for place in range(low, high):
                record = held[place]
                if has_item(items, starts[record], starts[record + 1], item):
                    if many == len(held):
                        more = np.empty(2 * many, np.int32)
                        more[:many] = held
                        held = more
                    held[many] = record
                    many += 1
            budget -= high - low
        inside[item] = True
        closed[closed_used] = item
        closed_used += 1
        depth += 1
        frame_low[depth] = high
        frame_high[depth] = many
        core = item
        entering = True
    return found_starts[: found + 1].copy(), found_items[: found_starts[found]].copy(), budget >= 0
