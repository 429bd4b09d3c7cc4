"""The loop that marks the records which are alone in their class, and keeps what that weighs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Bits = NDArray[np.uint8]
Ids = NDArray[np.int32]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def mark_alone(
    ids: Ids, sizes: Ints, columns: Ints, weight: float, known: Bits, of_size: Ids, contributions: Floats
) -> int:
    """Add the cells whose class has one person to ``known``: a minimal unique of these columns in each.

    ``of_size`` counts the minimal uniques of this size of every cell, ``contributions[cell, column]`` adds
    up what they weigh. Return how many were found.
    """
    found = 0
    for i in range(ids.shape[0]):
        if ids[i] >= 0 and sizes[ids[i]] == 1:
            known[i >> 3] |= np.uint8(1 << (i & 7))
            of_size[i] += 1
            for c in range(columns.shape[0]):
                contributions[i, columns[c]] += weight
            found += 1
    return found
