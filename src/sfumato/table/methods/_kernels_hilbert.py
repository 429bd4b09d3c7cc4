"""Keys along a Hilbert curve, and the best cut of a sorted order into groups of k persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

if TYPE_CHECKING:
    from sfumato.table.methods.mondrian_columns import Shape

ORDERED = 0
UNORDERED = 1

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def hilbert_keys(axes: I64, bits: int, keys: I64) -> None:
    """Write the key of every point: ``keys[i, b]`` holds one bit of each axis, the highest first.

    J. Skilling, "Programming the Hilbert curve" (2004): the coordinates are turned in place into the
    transposed key by undoing the reflections and exchanges of the curve, from the highest bit down.
    """
    points, columns = axes.shape
    point = np.empty(columns, np.int64)
    for i in range(points):
        for j in range(columns):
            point[j] = axes[i, j]
        q = 1 << (bits - 1)
        while q > 1:
            low = q - 1
            for j in range(columns):
                if point[j] & q:
                    point[0] ^= low
                else:
                    swapped = (point[0] ^ point[j]) & low
                    point[0] ^= swapped
                    point[j] ^= swapped
            q >>= 1
        for j in range(1, columns):
            point[j] ^= point[j - 1]
        turned = 0
        q = 1 << (bits - 1)
        while q > 1:
            if point[columns - 1] & q:
                turned ^= q - 1
            q >>= 1
        for j in range(columns):
            point[j] ^= turned
        for b in range(bits):
            word = 0
            for j in range(columns):
                word = (word << 1) | ((point[j] >> (bits - 1 - b)) & 1)
            keys[i, b] = word


@kernel
def cut_order(codes: I32, order: I64, persons: I64, rows: I64, k: int, shape: Shape, before: I64) -> float:
    """Cut a sorted order into runs of at least k persons with the least certainty penalty in all.

    ``before[e]`` becomes the start of the run that ends before place e in the best cut of what lies
    before e. A run that could be cut in two with k persons on both sides is never better whole, so only
    runs whose last k persons leave fewer than k in front are looked at.
    """
    cells = order.shape[0]
    columns = shape.kind.shape[0]
    least = np.full(cells + 1, np.inf)
    least[0] = 0.0
    stamp = np.full(int(shape.values.sum()), -1, np.int64)
    low = np.empty(columns, np.int64)
    high = np.empty(columns, np.int64)
    for end in range(1, cells + 1):
        inside = 0
        front = 0
        weight = 0
        start = end
        while start > 0 and front < k:
            start -= 1
            cell = order[start]
            if inside >= k:
                front += persons[cell]
            inside += persons[cell]
            weight += rows[cell]
            width = 0.0
            for j in range(columns):
                code = codes[j, cell]
                offset = shape.offset[j]
                if start == end - 1:
                    low[j] = code
                    high[j] = 0
                if shape.kind[j] == UNORDERED:
                    if stamp[offset + code] != end:
                        stamp[offset + code] = end
                        high[j] += 1
                    if high[j] > 1:
                        width += high[j] / shape.size[j]
                elif shape.kind[j] == ORDERED:
                    if start == end - 1:
                        high[j] = code
                    low[j] = min(low[j], code)
                    high[j] = max(high[j], code)
                    if low[j] < high[j]:
                        if high[j] == shape.missing[j]:
                            width += 1.0
                        else:
                            width += shape.axis[offset + high[j]] - shape.axis[offset + low[j]]
                else:
                    base = shape.tree_offset[j] + high[j] * shape.values[j]
                    while shape.tree[base + code] != shape.tree[base + low[j]]:
                        base += shape.values[j]
                        high[j] += 1
                    width += shape.shares[base + low[j]]
            if inside >= k and least[start] + weight * width < least[end]:
                least[end] = least[start] + weight * width
                before[end] = start
    return float(least[cells])
