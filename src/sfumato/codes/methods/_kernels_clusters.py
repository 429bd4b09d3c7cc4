"""Codes that join into items, as bits: loops of the set-based searches."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import ones
from sfumato.core.jit import kernel


@kernel
def held(bits: NDArray[np.uint64], rows: NDArray[np.int64], number: int | np.int64, enough: int) -> int:
    """Count the records that hold all of the first ``number`` rows; stop counting at ``enough``."""
    found = 0
    for word in range(bits.shape[1]):
        both = bits[rows[0], word]
        for place in range(1, number):
            both &= bits[rows[place], word]
        if both != np.uint64(0):
            found += ones(both)
            if found >= enough:
                return enough
    return found


@kernel
def refresh(
    bits: NDArray[np.uint64],
    item_of: NDArray[np.int64],
    starts: NDArray[np.int64],
    codes: NDArray[np.int64],
    bounds: NDArray[np.int64],
    strict: NDArray[np.bool_],
    changed: NDArray[np.bool_],
    supports: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> None:
    """Count again the support of every itemset that holds a changed code, at most up to its bound.

    Where a code is suppressed, a strict itemset is what remains of it (its bound when nothing does), any
    other one is held by nobody. ``rows`` is room for the longest itemset.
    """
    for t in range(len(bounds)):
        touched = False
        for slot in range(starts[t], starts[t + 1]):
            if changed[codes[slot]]:
                touched = True
                break
        if not touched:
            continue
        # A plain 0 would be a type of its own to numba, and `held` be compiled for it once more.
        number = np.int64(0)
        lost = False
        for slot in range(starts[t], starts[t + 1]):
            item = item_of[codes[slot]]
            if item < 0:
                lost = True
                continue
            known = False
            for place in range(number):
                if rows[place] == item:
                    known = True
                    break
            if not known:
                rows[number] = item
                number += 1
        if lost and not strict[t]:
            supports[t] = 0
        elif number == 0:
            supports[t] = bounds[t]
        else:
            supports[t] = held(bits, rows, number, bounds[t])


@kernel
def join(
    bits: NDArray[np.uint64],
    item_of: NDArray[np.int64],
    following: NDArray[np.int64],
    into: int,
    item: int,
) -> int:
    """Let one item take in another; return how many records hold the new one.

    ``following`` links the codes of an item in a ring.
    """
    found = 0
    for word in range(bits.shape[1]):
        bits[into, word] |= bits[item, word]
        found += ones(bits[into, word])
    code = item
    while True:
        item_of[code] = into
        code = following[code]
        if code == item:
            break
    after = following[into]
    following[into] = following[item]
    following[item] = after
    return found


@kernel
def common_node(parent: NDArray[np.int64], one: int, other: int) -> int:
    """Return the lowest node above two nodes of a tree whose nodes come before their parents."""
    while one != other:
        if one < other:
            one = parent[one]
        else:
            other = parent[other]
    return one


@kernel
def nearest_records(
    bits: NDArray[np.uint64],
    rows: NDArray[np.int64],
    reach_rows: NDArray[np.int64],
    near: NDArray[np.uint64],
) -> int:
    """Mark the records that lack fewest items of an itemset among those that could come to hold it.

    Row ``rows[i]`` of ``bits`` marks who holds item i, row ``reach_rows[i]`` who would if it took in its
    whole group. Records that hold the itemset already are left out. ``near`` comes in as zeros; returns how
    many records are marked in it.
    """
    fewest = len(rows) + 1
    number = 0
    for word in range(bits.shape[1]):
        able = bits[reach_rows[0], word]
        for i in range(1, len(rows)):
            able &= bits[reach_rows[i], word]
        while able != np.uint64(0):
            lowest = able & (~able + np.uint64(1))
            able ^= lowest
            lacking = 0
            for i in range(len(rows)):
                if bits[rows[i], word] & lowest == np.uint64(0):
                    lacking += 1
            if lacking == 0 or lacking > fewest:
                continue
            if lacking < fewest:
                near[: word + 1] = np.uint64(0)
                fewest, number = lacking, 0
            near[word] |= lowest
            number += 1
    return number


@kernel
def gains_of(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    item_of: NDArray[np.int64],
    group_of: NDArray[np.int64],
    group: int,
    wanted: NDArray[np.uint64],
    gain: NDArray[np.int64],
    seen: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """Count for the items of a group how many of the wanted records hold them.

    ``found`` gets the items with a ``gain``; their number is returned. ``gain`` comes in as zeros.
    """
    number = 0
    for word in range(len(wanted)):
        left = wanted[word]
        while left != np.uint64(0):
            lowest = left & (~left + np.uint64(1))
            left ^= lowest
            record = word * 64 + ones(lowest - np.uint64(1))
            for slot in range(starts[record], starts[record + 1]):
                item = item_of[codes[slot]]
                if item < 0 or group_of[item] != group:
                    continue
                if gain[item] == 0:
                    found[number] = item
                    number += 1
                elif seen[item] == record:
                    continue
                seen[item] = record
                gain[item] += 1
    return number


@kernel
def cheapest_partner(
    bits: NDArray[np.uint64],
    size: NDArray[np.int64],
    support: NDArray[np.int64],
    top: NDArray[np.int64],
    parent: NDArray[np.int64],
    log_weight: NDArray[np.float64],
    log_subsets: NDArray[np.float64],
    item: int,
    others: NDArray[np.int64],
    gains: NDArray[np.int64],
    need: int,
    below: float,
) -> tuple[int, float]:
    """Find the item whose union with ``item`` promises the least loss log2((2^n − 1) · w · support).

    A partner gains ``gains`` of the ``need`` records that are missing. One that gains only a part of them
    is judged by what ``item`` would become if it went on like that until all are gained: many small steps
    cost more than their first one shows. Only less than ``below`` is looked for; (−1, ``below``) when there
    is none. Of equal partners the one that most records hold wins (it shares most records with ``item``),
    then the first.
    """
    fixed = np.empty(len(others), np.float64)
    bound = np.empty(len(others), np.float64)
    steps = np.empty(len(others), np.int64)
    for place in range(len(others)):
        other = others[place]
        steps[place] = max(1, (need + gains[place] - 1) // gains[place])
        n = min(size[item] + steps[place] * size[other], len(log_subsets) - 1)
        fixed[place] = log_subsets[n] + log_weight[common_node(parent, top[item], top[other])]
        # A union is held by at least as many records as its larger part.
        bound[place] = fixed[place] + math.log2(
            support[item] + steps[place] * max(support[other] - support[item], 0)
        )
    best, least = -1, below
    for place in np.argsort(bound, kind="mergesort"):
        if bound[place] > least:
            break
        other = others[place]
        found = 0
        for word in range(bits.shape[1]):
            found += ones(bits[item, word] | bits[other, word])
        loss = fixed[place] + math.log2(support[item] + steps[place] * (found - support[item]))
        tied = loss == least and best >= 0
        if loss < least or (tied and (-support[other], other) < (-support[best], best)):
            best, least = other, loss
    return best, least
