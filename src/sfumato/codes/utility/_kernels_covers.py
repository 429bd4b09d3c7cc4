"""Which item of a release stands for which code of the original: plain loops over ragged arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def stands_for(starts: NDArray[np.int64], codes: NDArray[np.int32], item: int, code: int) -> bool:
    """Say whether a code is one of an item's, which ascend."""
    low, high = starts[item], starts[item + 1]
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return bool(low < starts[item + 1] and codes[low] == code)


@kernel
def smallest_covers(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    shown_starts: NDArray[np.int64],
    shown: NDArray[np.int32],
    item_starts: NDArray[np.int64],
    item_codes: NDArray[np.int32],
    sizes: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Return for every slot of the original the smallest item of its record that covers it, or −1.

    Of items that are equally large the first one counts. A code of −1 is one that no item knows.
    """
    covers = np.full(len(codes), -1, np.int32)
    for record in range(len(starts) - 1):
        for slot in range(starts[record], starts[record + 1]):
            if codes[slot] < 0:
                continue
            best = -1
            for place in range(shown_starts[record], shown_starts[record + 1]):
                item = shown[place]
                if best >= 0 and sizes[item] >= sizes[best]:
                    continue
                if stands_for(item_starts, item_codes, item, codes[slot]):
                    best = item
            covers[slot] = best
    return covers


@kernel
def untrue_items(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    shown_starts: NDArray[np.int64],
    shown: NDArray[np.int32],
    item_starts: NDArray[np.int64],
    item_codes: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Count for every record the items that cover none of its codes."""
    untrue = np.zeros(len(starts) - 1, np.int64)
    for record in range(len(starts) - 1):
        for place in range(shown_starts[record], shown_starts[record + 1]):
            found = False
            for slot in range(starts[record], starts[record + 1]):
                if codes[slot] >= 0 and stands_for(item_starts, item_codes, shown[place], codes[slot]):
                    found = True
                    break
            if not found:
                untrue[record] += 1
    return untrue


@kernel
def expected_counts(
    query_starts: NDArray[np.int64],
    query_codes: NDArray[np.int32],
    cover_starts: NDArray[np.int64],
    cover_items: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holders: NDArray[np.int32],
    sizes: NDArray[np.int64],
    records: int,
    uniform: bool,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Answer COUNT queries over sets of codes: the expected number of records, and how many could match.

    ``cover_items`` lists for each code the items that stand for it, ``holders`` for each item the records
    that show it. In a record each code of the query is read from the smallest item that covers it.
    """
    queries = len(query_starts) - 1
    expected = np.zeros(queries, np.float64)
    possible = np.zeros(queries, np.int64)
    longest = 0
    for query in range(queries):
        longest = max(longest, query_starts[query + 1] - query_starts[query])
    best = np.full((longest, records), -1, np.int32)
    touched = np.empty(records, np.int32)
    for query in range(queries):
        begin, number = query_starts[query], query_starts[query + 1] - query_starts[query]
        unknown = False
        for place in range(number):
            unknown = unknown or query_codes[begin + place] < 0
        if unknown:
            continue
        found = 0
        for place in range(number):
            code = query_codes[begin + place]
            for at in range(cover_starts[code], cover_starts[code + 1]):
                item = cover_items[at]
                for who in range(holder_starts[item], holder_starts[item + 1]):
                    record = holders[who]
                    now = best[place, record]
                    # Only records that may hold all codes before this one are of interest.
                    if place and best[place - 1, record] < 0:
                        continue
                    if now < 0:
                        if place == 0:
                            touched[found] = record
                            found += 1
                        best[place, record] = item
                    elif sizes[item] < sizes[now] or (sizes[item] == sizes[now] and item < now):
                        best[place, record] = item
        total = 0.0
        for at in range(found):
            record = touched[at]
            if number == 0 or best[number - 1, record] < 0:
                continue
            possible[query] += 1
            chance = 1.0
            for place in range(number):
                item = best[place, record]
                seen = 0
                for other in range(place):
                    seen += best[other, record] == item
                if uniform:
                    chance /= sizes[item]
                else:
                    # 2^(n−r) / (2^n − 1) for r codes in one item is 2^−r / (1 − 2^−n).
                    chance *= 0.5
                    if seen == 0:
                        chance /= 1.0 - 0.5 ** sizes[item]
            total += chance
        expected[query] = total
        for at in range(found):
            for place in range(number):
                best[place, touched[at]] = -1
    return expected, possible
