"""Apriori anonymisation as loops over arrays: who holds a node, which itemsets are rare, the cheapest lift.

Leaves are numbered by their place in the tree, so that the leaves under node v are ``first[v]`` to
``end[v]``; inner nodes follow. A *cut* gives for every leaf the node that is shown for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import ones
from sfumato.core.jit import kernel

RARE = -2
"""an itemset is too rare and was to be left alone"""
STUCK = -1
"""an itemset is too rare and nothing above its items is held by enough records"""


class Forest(NamedTuple):
    """The nodes: who is above (−1: nobody may be), which leaves are under it, what showing it costs."""

    parent: NDArray[np.int32]
    first: NDArray[np.int32]
    end: NDArray[np.int32]
    cost: NDArray[np.int64]


class Holders(NamedTuple):
    """The records under each node, ascending; common nodes (``row`` ≥ 0) also as bits."""

    starts: NDArray[np.int64]
    records: NDArray[np.int32]
    row: NDArray[np.int32]
    bits: NDArray[np.uint64]
    weights: NDArray[np.int64]


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
def holders_of(
    starts: NDArray[np.int64], leaves: NDArray[np.int32], parent: NDArray[np.int32], nodes: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """List for every node the records with a leaf under it."""
    seen = np.full(nodes, -1, np.int64)
    begins = np.zeros(nodes + 1, np.int64)
    for record in range(len(starts) - 1):
        for slot in range(starts[record], starts[record + 1]):
            node = leaves[slot]
            while node >= 0 and seen[node] != record:
                seen[node] = record
                begins[node + 1] += 1
                node = parent[node]
    for node in range(nodes):
        begins[node + 1] += begins[node]
    records = np.empty(begins[nodes], np.int32)
    free = begins[:-1].copy()
    seen[:] = -1
    for record in range(len(starts) - 1):
        for slot in range(starts[record], starts[record + 1]):
            node = leaves[slot]
            while node >= 0 and seen[node] != record:
                seen[node] = record
                records[free[node]] = record
                free[node] += 1
                node = parent[node]
    return begins, records


@kernel
def bits_of_common(
    starts: NDArray[np.int64], records: NDArray[np.int32], row: NDArray[np.int32], rows: int, number: int
) -> NDArray[np.uint64]:
    """Mark the records of the nodes that have a row."""
    bits = np.zeros((rows, (number + 63) // 64), np.uint64)
    for node in range(len(row)):
        if row[node] >= 0:
            for slot in range(starts[node], starts[node + 1]):
                record = np.int64(records[slot])
                bits[row[node], record >> 6] |= np.uint64(1) << np.uint64(record & 63)
    return bits


@kernel
def has(holders: Holders, node: int, record: int) -> bool:
    """Say whether a record lies under a node."""
    row = holders.row[node]
    if row >= 0:
        return (holders.bits[row, record >> 6] >> np.uint64(record & 63)) & np.uint64(1) != np.uint64(0)
    low, high = holders.starts[node], holders.starts[node + 1]
    while low < high:
        middle = (low + high) >> 1
        if holders.records[middle] < record:
            low = middle + 1
        else:
            high = middle
    return low < holders.starts[node + 1] and holders.records[low] == record


@kernel
def support(holders: Holders, nodes: NDArray[np.int64], number: int, enough: int) -> int:
    """Count the people who hold all of the first ``number`` nodes; stop counting at ``enough``."""
    rarest = 0
    for place in range(1, number):
        length = holders.starts[nodes[place] + 1] - holders.starts[nodes[place]]
        if length < holders.starts[nodes[rarest] + 1] - holders.starts[nodes[rarest]]:
            rarest = place
    found = 0
    if holders.row[nodes[rarest]] >= 0:
        for word in range(holders.bits.shape[1]):
            both = holders.bits[holders.row[nodes[0]], word]
            for place in range(1, number):
                both &= holders.bits[holders.row[nodes[place]], word]
            while both != np.uint64(0):
                lowest = both & (~both + np.uint64(1))
                found += holders.weights[(word << 6) + ones(lowest - np.uint64(1))]
                if found >= enough:
                    return found
                both ^= lowest
        return found
    for slot in range(holders.starts[nodes[rarest]], holders.starts[nodes[rarest] + 1]):
        record = np.int64(holders.records[slot])
        inside = True
        for place in range(number):
            if place != rarest and not has(holders, nodes[place], record):
                inside = False
                break
        if inside:
            found += holders.weights[record]
            if found >= enough:
                return found
    return found


@kernel
def paid_under(cut: NDArray[np.int32], forest: Forest) -> NDArray[np.int64]:
    """Return for every node what the nodes of the cut at or under it cost."""
    paid = np.zeros(len(forest.parent), np.int64)
    leaf = 0
    while leaf < len(cut):
        shown = cut[leaf]
        node = shown
        while node >= 0:
            paid[node] += forest.cost[shown]
            node = forest.parent[node]
        leaf = forest.end[shown]
    return paid


@kernel
def show(node: int, cut: NDArray[np.int32], paid: NDArray[np.int64], forest: Forest) -> None:
    """Let the cut show ``node`` for all leaves under it."""
    more = forest.cost[node] - paid[node]
    cut[forest.first[node] : forest.end[node]] = node
    above = np.int64(node)
    while above >= 0:
        paid[above] += more
        above = np.int64(forest.parent[above])


@kernel
def maximal(nodes: NDArray[np.int64], number: int, forest: Forest, kept: NDArray[np.int64]) -> int:
    """Keep the nodes that lie under no other one, each once."""
    found = 0
    for i in range(number):
        covered = False
        for j in range(number):
            above = (
                forest.first[nodes[j]] <= forest.first[nodes[i]]
                and forest.end[nodes[i]] <= forest.end[nodes[j]]
            )
            if above and (nodes[i] != nodes[j] or j < i):
                covered = True
                break
        if not covered:
            kept[found] = nodes[i]
            found += 1
    return found


@kernel
def price(nodes: NDArray[np.int64], number: int, paid: NDArray[np.int64], forest: Forest) -> int:
    """Return what it costs to show nodes that do not lie under each other."""
    more = 0
    for place in range(number):
        more += forest.cost[nodes[place]] - paid[nodes[place]]
    return more


@kernel
def lift_best(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Show for rare items the ancestors that are held by enough records together and cost least."""
    at = items[:number].copy()
    best = items[:number].copy()
    kept = np.empty(number, np.int64)
    lowest = np.int64(-1)
    while True:
        place = 0
        while place < number:
            if forest.parent[at[place]] >= 0:
                at[place] = forest.parent[at[place]]
                break
            at[place] = items[place]
            place += 1
        if place == number:
            break
        among = maximal(at, number, forest, kept)
        more = price(kept, among, paid, forest)
        if (lowest < 0 or more < lowest) and support(holders, kept, among, enough) >= enough:
            lowest = more
            best[:] = at
    if lowest < 0:
        return False
    among = maximal(best, number, forest, kept)
    for place in range(among):
        if cut[forest.first[kept[place]]] != kept[place]:
            show(kept[place], cut, paid, forest)
    return True


@kernel
def lift_step_by_step(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Lift one item at a time, the one that gains most records for its price, until enough hold them all.

    For long itemsets, of which there are too many ways to lift all items at once.
    """
    at = items[:number].copy()
    kept = np.empty(number, np.int64)
    now = support(holders, at, number, enough)
    paid_so_far = np.int64(0)
    while now < enough:
        chosen, chosen_gain, chosen_more = -1, np.int64(0), np.int64(1)
        for place in range(number):
            below = at[place]
            if forest.parent[below] < 0:
                continue
            at[place] = forest.parent[below]
            among = maximal(at, number, forest, kept)
            more = max(price(kept, among, paid, forest) - paid_so_far, np.int64(1))
            gain = support(holders, kept, among, enough) - now
            at[place] = below
            if chosen < 0 or gain * chosen_more > chosen_gain * more or (gain == chosen_gain and more < chosen_more):
                chosen, chosen_gain, chosen_more = place, gain, more
        if chosen < 0:
            return False
        at[chosen] = forest.parent[at[chosen]]
        number = maximal(at, number, forest, kept)
        at[:number] = kept[:number]
        paid_so_far = price(at, number, paid, forest)
        now = support(holders, at, number, enough)
    for place in range(number):
        if cut[forest.first[at[place]]] != at[place]:
            show(at[place], cut, paid, forest)
    return True


@kernel
def lift(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    most: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Lift rare items: the cheapest of all ways when there are at most ``most`` of them."""
    ways = 1
    for place in range(number):
        node, height = items[place], 1
        while forest.parent[node] >= 0:
            node = np.int64(forest.parent[node])
            height += 1
        ways = min(ways * height, most + 1)
    if ways <= most:
        return lift_best(items, number, enough, cut, paid, forest, holders)
    return lift_step_by_step(items, number, enough, cut, paid, forest, holders)


@kernel
def recoded(
    starts: NDArray[np.int64],
    leaves: NDArray[np.int32],
    place_of: NDArray[np.int32],
    rows: NDArray[np.int32],
    least: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Give the places that records show, ascending; leave out records that show fewer than ``least``."""
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
def mend(
    begin: int,
    stop: int,
    low: int,
    high: int,
    enough: NDArray[np.int64],
    most: int,
    change: bool,
    node_at: NDArray[np.int32],
    shown: Shown,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> int:
    """Walk through the itemsets of ``low`` to ``high`` places whose first lies between two; lift rare ones.

    An itemset with a place whose node the cut no longer shows is passed by. Returns how many itemsets were
    lifted, ``STUCK``, or, unless ``change``, ``RARE`` at the first rare one.
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
    lifted = 0
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
                            return RARE
                        if not lift(items, 1, enough[0], most, cut, paid, forest, holders):
                            return STUCK
                        lifted += 1
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
                reached[depth, :size].sort()
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
                            return RARE
                        if not lift(items, depth + 2, enough[depth + 1], most, cut, paid, forest, holders):
                            return STUCK
                        lifted += 1
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
    return lifted
