"""What any itemset tells about one sensitive item: only the largest itemsets of its records matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def holds_all(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    record: int,
    wanted: NDArray[np.int32],
    begin: int,
    end: int,
) -> bool:
    """Say whether a record holds the items ``wanted[begin:end]``."""
    for slot in range(begin, end):
        low, high = starts[record], starts[record + 1]
        while low < high:
            middle = (low + high) // 2
            if items[middle] < wanted[slot]:
                low = middle + 1
            else:
                high = middle
        if low == starts[record + 1] or items[low] != wanted[slot]:
            return False
    return True


@kernel
def roomier(pile: NDArray[np.int32], needed: int) -> NDArray[np.int32]:
    """Return a pile with room for so many entries, with what it held."""
    if needed <= len(pile):
        return pile
    larger = np.empty(max(needed, 2 * len(pile)), np.int32)
    larger[: len(pile)] = pile
    return larger


@kernel
def told_by_closed(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    begins: NDArray[np.int64],
    owners: NDArray[np.int32],
    with_it: NDArray[np.int32],
    without: NDArray[np.int32],
    itself: int,
    allowed: NDArray[np.int64],
    first_only: bool,
    most: int,
    figures: NDArray[np.int64],
    worst: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Find the itemset that tells most about the sensitive item that the records ``with_it`` hold.

    Of all itemsets with the same holders among these, the largest has the fewest holders elsewhere, so it is
    enough to try the closed ones: each is reached once, by the extension that keeps its beginning (Uno,
    Asai, Uchida, Arimura 2004). ``itself`` is the number of the sensitive item if it may be known (−1 else).
    Returns how many itemsets were looked at, how many break the bound (``allowed[s]`` of s holders), and the
    work left of ``most``. ``figures`` takes joint and support of the worst, ``worst`` its items.
    """
    looked, broken, kinds = 0, 0, len(begins) - 1
    has = np.zeros(len(weights), np.bool_)
    count = np.zeros(kinds, np.int64)
    touched = np.empty(kinds, np.int32)
    inside = np.zeros(kinds, np.bool_)
    closed = np.empty(kinds, np.int32)
    longest = 0
    for record in with_it:
        has[record] = True
        longest = max(longest, starts[record + 1] - starts[record])
    # A frame is a closed itemset: its children's items, where their records begin, the records elsewhere.
    levels = longest + 2
    number = np.zeros(levels, np.int64)
    turn = np.zeros(levels, np.int64)
    names_at = np.zeros(levels, np.int64)
    lists_at = np.zeros(levels, np.int64)
    bounds_at = np.zeros(levels, np.int64)
    top = np.zeros(levels, np.int64)
    held = np.zeros(levels, np.int64)
    elsewhere_from = np.zeros(levels, np.int64)
    elsewhere_to = np.zeros(levels, np.int64)
    pile = np.empty(max(4 * len(with_it), 64), np.int32)
    bounds = np.empty(64, np.int64)
    negative = np.empty(max(2 * len(without), 64), np.int32)
    negative[: len(without)] = without
    pile[: len(with_it)] = with_it
    pile[len(with_it)] = -1
    names_at[0], top[0], number[0] = len(with_it), len(with_it) + 1, 1
    bounds[0], bounds[1] = 0, len(with_it)
    elsewhere_to[0] = len(without)
    level = 0
    while level >= 0:
        if turn[level] == number[level]:
            level -= 1
            if level >= 0:
                for slot in range(held[level], held[level + 1]):
                    inside[closed[slot]] = False
            continue
        core = pile[names_at[level] + turn[level]]
        low = lists_at[level] + bounds[bounds_at[level] + turn[level]]
        high = lists_at[level] + bounds[bounds_at[level] + turn[level] + 1]
        turn[level] += 1
        seen, positive = 0, 0
        for slot in range(low, high):
            record = pile[slot]
            positive += weights[record]
            most -= 1 + starts[record + 1] - starts[record]
            for place in range(starts[record], starts[record + 1]):
                if count[items[place]] == 0:
                    touched[seen] = items[place]
                    seen += 1
                count[items[place]] += 1
        size, fresh = held[level], True
        for slot in range(seen):
            item = touched[slot]
            if count[item] == high - low and item != itself and not inside[item]:
                if item < core:
                    fresh = False
                    break
                closed[size] = item
                size += 1
        if fresh:
            negative = roomier(negative, 2 * elsewhere_to[level] - elsewhere_from[level])
            end, others = elsewhere_to[level], 0
            rarest = kinds
            for slot in range(held[level], size):
                rarest = min(rarest, closed[slot])
            among = elsewhere_to[level] - elsewhere_from[level]
            if rarest < kinds and begins[rarest + 1] - begins[rarest] < among:
                # Fewer hold the rarest new item than hold all the old ones.
                most -= begins[rarest + 1] - begins[rarest]
                for slot in range(begins[rarest], begins[rarest + 1]):
                    record = owners[slot]
                    if not has[record] and holds_all(starts, items, record, closed, 0, size):
                        negative[end] = record
                        end += 1
                        others += weights[record]
            else:
                most -= among
                for slot in range(elsewhere_from[level], elsewhere_to[level]):
                    record = negative[slot]
                    if holds_all(starts, items, record, closed, held[level], size):
                        negative[end] = record
                        end += 1
                        others += weights[record]
            looked += 1
            support = positive + others
            breaks = positive > allowed[support]
            broken += breaks
            if positive * figures[1] > figures[0] * support:
                figures[0], figures[1] = positive, support
                worst[:] = -1
                worst[:size] = closed[:size]
            # The children: every later item that some but not all of these records hold.
            first_name = top[level]
            names = 0
            pile = roomier(pile, first_name + seen)
            bounds_from = bounds_at[level] + number[level] + 1
            if bounds_from + seen + 1 > len(bounds):
                longer = np.empty(2 * (bounds_from + seen + 1), np.int64)
                longer[: len(bounds)] = bounds
                bounds = longer
            bounds[bounds_from] = 0
            for slot in range(seen):
                item = touched[slot]
                if item > core and count[item] < high - low and item != itself:
                    pile[first_name + names] = item
                    bounds[bounds_from + names + 1] = bounds[bounds_from + names] + count[item]
                    names += 1
            pile = roomier(pile, first_name + names + bounds[bounds_from + names])
            for slot in range(seen):
                count[touched[slot]] = -1
            for slot in range(names):
                count[pile[first_name + slot]] = bounds[bounds_from + slot]
            for slot in range(low, high):
                record = pile[slot]
                for place in range(starts[record], starts[record + 1]):
                    if count[items[place]] >= 0:
                        pile[first_name + names + count[items[place]]] = record
                        count[items[place]] += 1
            for slot in range(held[level], size):
                inside[closed[slot]] = True
            level += 1
            held[level] = size
            number[level], turn[level] = names, 0
            names_at[level], lists_at[level], bounds_at[level] = first_name, first_name + names, bounds_from
            top[level] = first_name + names + bounds[bounds_from + names]
            elsewhere_from[level], elsewhere_to[level] = elsewhere_to[level - 1], end
            if first_only and broken > 0:
                break
        for slot in range(seen):
            count[touched[slot]] = 0
        if most < 0:
            break
    return looked, broken, most
