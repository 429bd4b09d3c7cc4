"""Kernels: who stands in a node's row of neighbours, which is sorted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Whole = int | np.int64


@kernel
def place_in_row(
    offsets: NDArray[np.int64], neighbours: NDArray[np.int32], one: Whole, other: Whole
) -> Whole:
    """Return where ``other`` stands among the neighbours of ``one``, or −1 (bisection)."""
    low = offsets[one]
    high = offsets[one + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low if low < offsets[one + 1] and neighbours[low] == other else -1
