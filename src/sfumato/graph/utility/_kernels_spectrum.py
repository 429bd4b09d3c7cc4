"""Kernels: the adjacency matrix times a vector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def times(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    vector: NDArray[np.float64],
    product: NDArray[np.float64],
) -> None:
    """Write into ``product`` the sum over the neighbours of each node."""
    for node in range(len(offsets) - 1):
        total = 0.0
        for at in range(offsets[node], offsets[node + 1]):
            total += vector[neighbours[at]]
        product[node] = total
