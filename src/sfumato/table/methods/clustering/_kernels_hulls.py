"""Descriptions of clusters, small rows of integers: how wide a union is, and how one is widened.

A cluster is described by some words for each column: on an axis its smallest and largest code, of
unordered values one bit for each, in a tree a level and a code below the group. Row j of ``plan`` says
where column j has its words and its values; see ``space.Layout``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

ORDERED = 0
UNORDERED = 1

KIND, BEGIN, END, MISSING, OFFSET, TREE_OFFSET, VALUES = range(7)
"""what stands where in a row of ``plan``"""

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def ones(word: int) -> int:
    """Count the bits of a word that is not negative."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (word * 0x0101010101010101) >> 56


@kernel
def range_width(low: int, high: int, missing: int, offset: int, axis: F64) -> float:
    """The width of a range of codes on the axis; one that mixes missing with values says nothing."""
    if low < high and high == missing:
        return 1.0
    if low < high:
        return float(axis[offset + high] - axis[offset + low])
    return 0.0


@kernel
def union_width(
    j: int, one: I64, a: int, other: I64, b: int, plan: I64, scale: F64, axis: F64, tree: I32, shares: F64
) -> float:
    """The certainty penalty of row a of ``one`` together with row b of ``other`` in column j."""
    at = plan[j, BEGIN]
    if plan[j, KIND] == UNORDERED:
        values = 0
        for word in range(at, plan[j, END]):
            values += ones(one[a, word] | other[b, word])
        return values * scale[j] if values > 1 else 0.0
    if plan[j, KIND] == ORDERED:
        low = min(one[a, at], other[b, at])
        high = max(one[a, at + 1], other[b, at + 1])
        return range_width(low, high, plan[j, MISSING], plan[j, OFFSET], axis)
    base = plan[j, TREE_OFFSET] + max(one[a, at], other[b, at]) * plan[j, VALUES]
    first, second = one[a, at + 1], other[b, at + 1]
    while tree[base + first] != tree[base + second]:
        base += plan[j, VALUES]
    return float(shares[base + first])


@kernel
def widths(
    one: I64, a: int, other: I64, b: int, plan: I64, scale: F64, axis: F64, tree: I32, shares: F64
) -> float:
    """The certainty penalties of a union, summed over the columns."""
    total = 0.0
    for j in range(plan.shape[0]):
        total += union_width(j, one, a, other, b, plan, scale, axis, tree, shares)
    return total


@kernel
def absorb(one: I64, a: int, other: I64, b: int, plan: I64, tree: I32) -> None:
    """Widen row a of ``one`` until it covers row b of ``other``."""
    for j in range(plan.shape[0]):
        at = plan[j, BEGIN]
        if plan[j, KIND] == UNORDERED:
            for word in range(at, plan[j, END]):
                one[a, word] |= other[b, word]
        elif plan[j, KIND] == ORDERED:
            one[a, at] = min(one[a, at], other[b, at])
            one[a, at + 1] = max(one[a, at + 1], other[b, at + 1])
        else:
            level = max(one[a, at], other[b, at])
            base = plan[j, TREE_OFFSET] + level * plan[j, VALUES]
            while tree[base + one[a, at + 1]] != tree[base + other[b, at + 1]]:
                base += plan[j, VALUES]
                level += 1
            one[a, at] = level
