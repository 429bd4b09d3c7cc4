"""Codes that join into items, as bits: loops of the set-based searches."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import ones
from sfumato.core.jit import kernel


@kernel
def held(bits: NDArray[np.uint64], rows: NDArray[np.int64], number: int, enough: int) -> int:
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
        number = 0
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
def cheapest_partner(
    bits: NDArray[np.uint64],
    item_of: NDArray[np.int64],
    size: NDArray[np.int64],
    support: NDArray[np.int64],
    top: NDArray[np.int64],
    parent: NDArray[np.int64],
    log_weight: NDArray[np.float64],
    log_subsets: NDArray[np.float64],
    group: NDArray[np.int64],
    item: int,
    wanted: NDArray[np.uint64],
    words: NDArray[np.int64],
    need: int,
    below: float,
) -> tuple[int, float]:
    """Find the item of a group whose union with ``item`` loses least for each record that it gains.

    The loss is log2((2^n − 1) · w · support); gained are records of the set ``wanted``, whose bits lie in
    ``words``, and at most ``need`` of them count. Only less than ``below`` is looked for; (−1, ``below``) when
    there is none. Of equal partners the one that most records hold wins (it shares most records with
    ``item``), then the first. A union is held by at least as many records as its larger part, which spares
    most counts.
    """
    best, least = -1, below
    for place in range(len(group)):
        other = group[place]
        if other == item or item_of[other] != other:
            continue
        gain = 0
        for position in range(len(words)):
            both = wanted[words[position]] & bits[other, words[position]]
            if both != np.uint64(0):
                gain += ones(both)
                if gain >= need:
                    gain = need
                    break
        if gain == 0:
            continue
        node = common_node(parent, top[item], top[other])
        fixed = log_subsets[size[item] + size[other]] + log_weight[node] - math.log2(gain)
        if fixed + math.log2(max(support[item], support[other])) > least:
            continue
        found = 0
        for word in range(bits.shape[1]):
            found += ones(bits[item, word] | bits[other, word])
        loss = fixed + math.log2(found)
        if loss < least or (loss == least and best >= 0 and support[other] > support[best]):
            best, least = other, loss
    return best, least
