"""What the cuts of a box gain for a workload: information about a class, variance, query regions.

``records[c]`` holds the ranks of a cell, then its persons, then its number, as for Mondrian's kernels.
Column j lies at ``ranked.offset[j]`` in flat arrays. What is to be told apart is in ``aim``: line c of
``aim.sums`` holds, for cell c, the persons of each class, or a weight and weighted sums.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.methods.mondrian_rules import Ranked
    from sfumato.table.methods.workload_mondrian_aim import Aim, Notes

UNORDERED = 1
TREE = 2
ENTROPY = 0

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def x_log_x(x: float) -> float:
    """x ln x, and 0 at 0."""
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def order_in(sums: F64, live: int, aim: Aim, notes: Notes) -> float:
    """How much is told apart when everybody of ``sums`` is together: the larger, the better.

    Entropy: Σ f ln f − n ln n, which is −n·H. Squares: Σ s²/w, which is the sum of all squares less
    those that remain around the mean.
    """
    found = 0.0
    if aim.kind == ENTROPY:
        everybody = 0.0
        for i in range(live):
            value = sums[notes.live[i]]
            everybody += value
            found += x_log_x(value)
        return found - x_log_x(everybody)
    if sums[0] <= 0.0:
        return 0.0
    for i in range(live):
        d = notes.live[i]
        found += aim.scale[d] * sums[d] * sums[d] / sums[0]
    return found


@kernel
def gain_of_left(live: int, together: float, aim: Aim, notes: Notes) -> float:
    """What is gained when ``notes.left`` is parted from the rest of the box."""
    notes.right[0] = notes.whole[0] - notes.left[0]
    for i in range(live):
        d = notes.live[i]
        notes.right[d] = notes.whole[d] - notes.left[d]
    return order_in(notes.left, live, aim, notes) + order_in(notes.right, live, aim, notes) - together


@kernel
def find_live(records: I32, low: int, high: int, aim: Aim, notes: Notes) -> int:
    """Add the box up; list the classes, or the sums, that differ within it. Return how many."""
    number_at = records.shape[1] - 1
    width = aim.sums.shape[1]
    notes.whole[:] = 0.0
    for row in range(low, high):
        cell = records[row, number_at]
        for d in range(width):
            notes.whole[d] += aim.sums[cell, d]
    live = 0
    for d in range(0 if aim.kind == ENTROPY else 1, width):
        whole = notes.whole[d]
        if aim.kind == ENTROPY:
            differs = whole > 0.0
        else:
            differs = aim.asks.shape[0] == 0 or 0.0 < whole < notes.whole[0]
        if differs:
            notes.live[live] = d
            live += 1
    return 0 if aim.kind == ENTROPY and live < 2 else live


@kernel
def add_up(records: I32, low: int, high: int, j: int, place: int, live: int, aim: Aim, notes: Notes) -> int:
    """Add up what each value of a column has; list the values from ``place`` on. Return how many."""
    persons_at = records.shape[1] - 2
    present = 0
    for row in range(low, high):
        rank = records[row, j]
        cell = records[row, persons_at + 1]
        if notes.persons[rank] < 0:
            notes.persons[rank] = 0
            notes.order[place + present] = rank
            present += 1
            notes.sums[rank, 0] = 0.0
            for i in range(live):
                notes.sums[rank, notes.live[i]] = 0.0
        notes.persons[rank] += records[row, persons_at]
        if aim.kind != ENTROPY:
            notes.sums[rank, 0] += aim.sums[cell, 0]
        for i in range(live):
            d = notes.live[i]
            notes.sums[rank, d] += aim.sums[cell, d]
    notes.order[place : place + present].sort()
    return present


@kernel
def sort_by_share(place: int, present: int, live: int, aim: Aim, notes: Notes) -> None:
    """Sort the values of a column by their share of the box's largest class, or by their mean."""
    top = notes.live[0]
    for i in range(live):
        if notes.whole[notes.live[i]] > notes.whole[top]:
            top = notes.live[i]
    for i in range(present):
        rank = notes.order[place + i]
        everybody = 0.0
        if aim.kind == ENTROPY:
            for other in range(live):
                everybody += notes.sums[rank, notes.live[other]]
        else:
            everybody = notes.sums[rank, 0]
        notes.share[i] = notes.sums[rank, top] / everybody if everybody > 0.0 else 0.0
    sorted_places = np.argsort(notes.share[:present], kind="mergesort")
    for i in range(present):
        notes.spare[i] = notes.order[place + sorted_places[i]]
    for i in range(present):
        notes.order[place + i] = notes.spare[i]


@kernel
def is_edge(j: int, rank: int, following: int, ranked: Ranked, aim: Aim, notes: Notes) -> bool:
    """Whether a region that cuts the box has an edge between two values; so everywhere without regions."""
    if aim.asks.shape[0] == 0:
        return True
    place = ranked.offset[j]
    for a in range(aim.asks.shape[0]):
        d = aim.query[a]
        if aim.asks[a, j] == 0 or not 0.0 < notes.whole[d] < notes.whole[0]:
            continue
        if aim.inside[a, place + rank] != aim.inside[a, place + following]:
            return True
    return False


@kernel
def list_along(
    j: int,
    present: int,
    k: int,
    total: int,
    live: int,
    together: float,
    least: float,
    ranked: Ranked,
    aim: Aim,
    notes: Notes,
    listed: int,
) -> int:
    """List the cuts between neighbours in the order of a column; return how many there are now."""
    place = ranked.offset[j]
    base = -1
    if ranked.kind[j] == TREE:
        # Only children of the lowest common node can be parted.
        base = ranked.tree_offset[j]
        low, high = notes.order[place], notes.order[place + present - 1]
        while ranked.tree[base + low] != ranked.tree[base + high]:
            base += ranked.values[j]
        base -= ranked.values[j]
    notes.left[:] = 0.0
    before = 0
    for i in range(present - 1):
        rank, following = notes.order[place + i], notes.order[place + i + 1]
        before += notes.persons[rank]
        if aim.kind != ENTROPY:
            notes.left[0] += notes.sums[rank, 0]
        for n in range(live):
            d = notes.live[n]
            notes.left[d] += notes.sums[rank, d]
        if before < k or total - before < k:
            continue
        if base >= 0:
            if ranked.tree[base + rank] == ranked.tree[base + following]:
                continue
        elif not is_edge(j, rank, following, ranked, aim, notes):
            continue
        gain = gain_of_left(live, together, aim, notes)
        if gain > least:
            notes.gains[listed] = gain
            notes.cuts[listed, 0] = j
            notes.cuts[listed, 1] = i
            listed += 1
    return listed


@kernel
def list_regions(
    j: int,
    present: int,
    k: int,
    total: int,
    live: int,
    together: float,
    least: float,
    ranked: Ranked,
    aim: Aim,
    notes: Notes,
    listed: int,
) -> int:
    """List the cuts that part the values which a query asks for from the others."""
    place = ranked.offset[j]
    for a in range(aim.asks.shape[0]):
        d = aim.query[a]
        if aim.asks[a, j] == 0 or not 0.0 < notes.whole[d] < notes.whole[0]:
            continue
        notes.left[:] = 0.0
        before = 0
        for i in range(present):
            rank = notes.order[place + i]
            if aim.inside[a, place + rank] == 0:
                continue
            before += notes.persons[rank]
            notes.left[0] += notes.sums[rank, 0]
            for n in range(live):
                notes.left[notes.live[n]] += notes.sums[rank, notes.live[n]]
        if before < k or total - before < k:
            continue
        gain = gain_of_left(live, together, aim, notes)
        if gain > least:
            notes.gains[listed] = gain
            notes.cuts[listed, 0] = j
            notes.cuts[listed, 1] = -1 - a
            listed += 1
    return listed


@kernel
def list_gains(
    records: I32,
    low: int,
    high: int,
    k: int,
    total: int,
    least: float,
    ranked: Ranked,
    aim: Aim,
    notes: Notes,
) -> int:
    """List the cuts of a box that leave k persons on both sides and gain more than ``least``.

    A cut is a column and the place of its last value on the left in ``notes.order``, or -1 - a for the
    values that condition a asks for. Return how many there are.
    """
    live = find_live(records, low, high, aim, notes)
    if live == 0:
        return 0
    together = order_in(notes.whole, live, aim, notes)
    listed = 0
    for j in range(ranked.kind.shape[0]):
        place = ranked.offset[j]
        present = add_up(records, low, high, j, place, live, aim, notes)
        if present > 1:
            if ranked.kind[j] == UNORDERED and aim.asks.shape[0] > 0:
                listed = list_regions(j, present, k, total, live, together, least, ranked, aim, notes, listed)
            else:
                if ranked.kind[j] == UNORDERED:
                    sort_by_share(place, present, live, aim, notes)
                listed = list_along(j, present, k, total, live, together, least, ranked, aim, notes, listed)
        for i in range(present):
            notes.persons[notes.order[place + i]] = -1
    return listed
