"""Orders: of cells, so that neighbours are near (halves of halves); of clusters that want to merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.methods.mondrian_columns import Shape

ORDERED = 0
_CODE_BITS = 31

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@kernel
def sort_in_place(keys: I64) -> None:
    """Shell sort: the lists are short, and many."""
    size = keys.shape[0]
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            key = keys[i]
            at = i
            while at >= gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@kernel
def values_of(codes: I32, order: I64, low: int, high: int, j: int, counts: I64, present: I64) -> int:
    """Count the cells of each code of column j in a range; return how many codes there are."""
    distinct = 0
    for at in range(low, high):
        code = codes[j, order[at]]
        if counts[code] == 0:
            present[distinct] = code
            distinct += 1
        counts[code] += 1
    return distinct


@kernel
def share_of(j: int, present: I64, distinct: int, shape: Shape) -> float:
    """How wide the values are that occur, of all that there could be."""
    if shape.kind[j] != ORDERED:
        return float(distinct / shape.size[j])
    low = present[0]
    high = present[0]
    for i in range(distinct):
        low = min(low, present[i])
        high = max(high, present[i])
    if high == shape.missing[j]:
        return 1.0
    return float(shape.axis[shape.offset[j] + high] - shape.axis[shape.offset[j] + low])


@kernel
def lay_in_order(codes: I32, order: I64, leaf: int, shape: Shape, stack: I64) -> None:
    """Halve ranges of ``order`` in place until they have at most ``leaf`` cells or are all alike.

    Codes on an axis keep its order; others stand by falling number of cells.
    """
    most = int(shape.values.max())
    counts = np.zeros(most, np.int64)
    present = np.empty(most, np.int64)
    side = np.zeros(most, np.bool_)
    size = 1
    stack[0, 0] = 0
    stack[0, 1] = order.shape[0]
    while size > 0:
        size -= 1
        low, high = stack[size, 0], stack[size, 1]
        if high - low <= leaf:
            continue
        widest = -1
        width = 0.0
        for j in range(shape.kind.shape[0]):
            distinct = values_of(codes, order, low, high, j, counts, present)
            found = share_of(j, present, distinct, shape)
            if distinct > 1 and (widest < 0 or found > width):
                widest = j
                width = found
            for i in range(distinct):
                counts[present[i]] = 0
        if widest < 0:
            continue
        distinct = values_of(codes, order, low, high, widest, counts, present)
        for i in range(distinct):
            if shape.kind[widest] != ORDERED:
                present[i] |= (high - low - counts[present[i]]) << _CODE_BITS
        sort_in_place(present[:distinct])
        before = 0
        for i in range(distinct):
            code = present[i] & ((1 << _CODE_BITS) - 1)
            # The value that holds the median goes where it leaves the halves more even.
            side[code] = i > 0 and 2 * before + counts[code] > high - low
            before += counts[code]
            counts[code] = 0
        if not side[present[distinct - 1] & ((1 << _CODE_BITS) - 1)]:
            side[present[distinct - 1] & ((1 << _CODE_BITS) - 1)] = True
        middle = low
        for at in range(low, high):
            cell = order[at]
            if not side[codes[widest, cell]]:
                order[at] = order[middle]
                order[middle] = cell
                middle += 1
        # The larger half waits, so the stack stays below log2(cells) + 2.
        left_waits = middle - low > high - middle
        stack[size, 0] = low if left_waits else middle
        stack[size, 1] = middle if left_waits else high
        stack[size + 1, 0] = middle if left_waits else low
        stack[size + 1, 1] = high if left_waits else middle
        size += 2


@kernel
def match(asking: I64, partner: I64, by_growth: I64, into: I64) -> None:
    """Merge pairs, the nearest first, each cluster once; ``into`` comes with every cluster itself."""
    touched = np.zeros(into.shape[0], np.bool_)
    for at in by_growth:
        i, b = asking[at], partner[at]
        if b >= 0 and not touched[i] and not touched[b]:
            touched[i] = True
            touched[b] = True
            into[max(i, b)] = min(i, b)
