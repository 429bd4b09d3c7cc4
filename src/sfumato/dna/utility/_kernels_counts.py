"""How often each set stands in each column: one pass over the rows as they lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def count_sets(cells: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
    """Add to ``counts`` (columns × sets) the cells of all rows."""
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            counts[column, cells[row, column]] += 1
