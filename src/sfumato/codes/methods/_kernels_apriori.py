"""Mending rare itemsets along a hierarchy, as loops over arrays: who lies under a node, the cheapest lift.

Leaves are numbered by their place in the tree, so that the leaves under node v are ``first[v]`` to
``end[v]``; inner nodes follow. A *cut* gives for every leaf the node that is shown for it, or ``OUT``.
A leaf that is left out comes back as soon as a node above it is shown: no shown node lacks one of its leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import ones
from sfumato.core.jit import kernel

OUT = -1
"""stands in a cut for leaves that are shown nowhere"""
LIFT = 0
"""mend by lifting; leave something out only where no lift helps"""
CHEAPER = 1
"""mend by what costs less, lifting or leaving out"""
LEAVE_OUT = 2
"""mend by leaving out alone"""
_ANY_PRICE: int = 2**62


class Forest(NamedTuple):
    """The nodes: who is above (−1: nobody may be), which leaves are under it, what showing it costs.

    ``gone`` is what it costs to leave out all leaves under a node.
    """

    parent: NDArray[np.int32]
    first: NDArray[np.int32]
    end: NDArray[np.int32]
    cost: NDArray[np.int64]
    gone: NDArray[np.int64]


class Holders(NamedTuple):
    """The records under each node, ascending; common nodes (``row`` ≥ 0) also as bits."""

    starts: NDArray[np.int64]
    records: NDArray[np.int32]
    row: NDArray[np.int32]
    bits: NDArray[np.uint64]
    weights: NDArray[np.int64]


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
        word = holders.bits[row, record >> 6]
        return bool((word >> np.uint64(record & 63)) & np.uint64(1) != np.uint64(0))
    low, high = holders.starts[node], holders.starts[node + 1]
    while low < high:
        middle = (low + high) >> 1
        if holders.records[middle] < record:
            low = middle + 1
        else:
            high = middle
    return bool(low < holders.starts[node + 1] and holders.records[low] == record)


@kernel
def support(holders: Holders, nodes: NDArray[np.int64], number: int, enough: int) -> int:
    """Count the people who hold all of the first ``number`` nodes; stop counting at ``enough``."""
    rarest = 0
    for place in range(1, number):
        length = holders.starts[nodes[place] + 1] - holders.starts[nodes[place]]
        if length < holders.starts[nodes[rarest] + 1] - holders.starts[nodes[rarest]]:
            rarest = place
    found = np.int64(0)
    if holders.row[nodes[rarest]] >= 0:
        for word in range(holders.bits.shape[1]):
            both = holders.bits[holders.row[nodes[0]], word]
            for place in range(1, number):
                both &= holders.bits[holders.row[nodes[place]], word]
            while both != np.uint64(0):
                lowest = both & (~both + np.uint64(1))
                found += holders.weights[(word << 6) + ones(lowest - np.uint64(1))]
                if found >= enough:
                    return int(found)
                both ^= lowest
        return int(found)
    for slot in range(holders.starts[nodes[rarest]], holders.starts[nodes[rarest] + 1]):
        record = int(holders.records[slot])
        inside = True
        for place in range(number):
            if place != rarest and not has(holders, nodes[place], record):
                inside = False
                break
        if inside:
            found += holders.weights[record]
            if found >= enough:
                return int(found)
    return int(found)


@kernel
def paid_under(cut: NDArray[np.int32], forest: Forest) -> NDArray[np.int64]:
    """Return for every node what the nodes of the cut at or under it cost, and what was left out there."""
    paid = np.zeros(len(forest.parent), np.int64)
    leaf = 0
    while leaf < len(cut):
        out = cut[leaf] == OUT
        shown = leaf if out else cut[leaf]
        price = forest.gone[shown] if out else forest.cost[shown]
        node = shown
        while node >= 0:
            paid[node] += price
            node = forest.parent[node]
        leaf = forest.end[shown]
    return paid


@kernel
def show(
    node: int, cut: NDArray[np.int32], paid: NDArray[np.int64], left: NDArray[np.int64], forest: Forest
) -> None:
    """Let the cut show ``node`` for all leaves under it; leaves that were left out are given back."""
    more = forest.cost[node] - paid[node]
    for leaf in range(forest.first[node], forest.end[node]):
        if cut[leaf] == OUT:
            left[0] += forest.gone[leaf]
        cut[leaf] = node
    above = np.int64(node)
    while above >= 0:
        paid[above] += more
        above = np.int64(forest.parent[above])


@kernel
def leave_out(
    node: int, cut: NDArray[np.int32], paid: NDArray[np.int64], left: NDArray[np.int64], forest: Forest
) -> None:
    """Let the cut show nothing for the leaves under a node that it shows."""
    more = forest.gone[node] - forest.cost[node]
    for leaf in range(forest.first[node], forest.end[node]):
        cut[leaf] = OUT
    left[0] -= forest.gone[node]
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
    more = np.int64(0)
    for place in range(number):
        more += forest.cost[nodes[place]] - paid[nodes[place]]
    return int(more)


@kernel
def lift_best(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    dearest: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Show for rare items the ancestors that are held by enough records together and cost least."""
    at = np.empty(number, np.int64)
    best = np.empty(number, np.int64)
    kept = np.empty(number, np.int64)
    for place in range(number):
        at[place] = items[place]
    lowest, found = dearest, False
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
        better = more < lowest or (not found and more == lowest)
        if better and support(holders, kept, among, enough) >= enough:
            lowest, found = more, True
            for each in range(number):
                best[each] = at[each]
    if not found:
        return False
    among = maximal(best, number, forest, kept)
    for place in range(among):
        if cut[forest.first[kept[place]]] != kept[place]:
            show(kept[place], cut, paid, left, forest)
    return True


@kernel
def lift_step_by_step(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    dearest: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Lift one item at a time, the one that gains most records for its price, until enough hold them all.

    For long itemsets, of which there are too many ways to lift all items at once.
    """
    at = np.empty(number, np.int64)
    kept = np.empty(number, np.int64)
    for place in range(number):
        at[place] = items[place]
    now = support(holders, at, number, enough)
    paid_so_far = 0
    while now < enough:
        chosen, chosen_gain, chosen_more = -1, 0, 1
        for place in range(number):
            below = at[place]
            if forest.parent[below] < 0:
                continue
            at[place] = forest.parent[below]
            among = maximal(at, number, forest, kept)
            more = max(price(kept, among, paid, forest) - paid_so_far, 1)
            gain = support(holders, kept, among, enough) - now
            at[place] = below
            if (
                chosen < 0
                or gain * chosen_more > chosen_gain * more
                or (gain == chosen_gain and more < chosen_more)
            ):
                chosen, chosen_gain, chosen_more = place, gain, more
        if chosen < 0:
            return False
        at[chosen] = forest.parent[at[chosen]]
        number = maximal(at, number, forest, kept)
        for place in range(number):
            at[place] = kept[place]
        paid_so_far = price(at, number, paid, forest)
        now = support(holders, at, number, enough)
    if paid_so_far > dearest:
        return False
    for place in range(number):
        if cut[forest.first[at[place]]] != at[place]:
            show(at[place], cut, paid, left, forest)
    return True


@kernel
def lift(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    most: int,
    dearest: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Lift rare items for a price of at most ``dearest``: the cheapest of up to ``most`` ways."""
    ways = 1
    for place in range(number):
        node, height = items[place], 1
        while forest.parent[node] >= 0:
            node = np.int64(forest.parent[node])
            height += 1
        ways = min(ways * height, most + 1)
    if ways <= most:
        return lift_best(items, number, enough, dearest, cut, paid, left, forest, holders)
    return lift_step_by_step(items, number, enough, dearest, cut, paid, left, forest, holders)


@kernel
def mend_one(
    items: NDArray[np.int64],
    number: int,
    enough: int,
    most: int,
    how: int,
    cut: NDArray[np.int32],
    paid: NDArray[np.int64],
    left: NDArray[np.int64],
    forest: Forest,
    holders: Holders,
) -> bool:
    """Lift rare items or leave one of them out, as ``how`` says.

    ``left`` is what leaving out may cost yet.
    """
    chosen, price_out = -1, _ANY_PRICE
    for place in range(number):
        node = items[place]
        more = forest.gone[node] - forest.cost[node]
        if forest.gone[node] <= left[0] and more < price_out:
            chosen, price_out = node, more
    if how != LEAVE_OUT:
        dearest = price_out if how == CHEAPER else _ANY_PRICE
        if lift(items, number, enough, most, dearest, cut, paid, left, forest, holders):
            return True
    if chosen < 0:
        return False
    leave_out(chosen, cut, paid, left, forest)
    return True
