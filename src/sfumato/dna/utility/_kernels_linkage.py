"""r² of neighbouring positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def squared_correlations(doses: NDArray[np.int8], apart: int) -> NDArray[np.float64]:
    """Return r² of each position (a row of ``doses``) with the ``apart`` that follow it.

    Only people of whom both say something (not −1) count; nan where one of the two does not vary among them.
    All sums are of whole numbers, so that what does not vary is exactly 0.
    """
    positions, people = doses.shape
    found = np.full((positions, apart), np.nan)
    for first in range(positions):
        for step in range(1, apart + 1):
            second = first + step
            if second >= positions:
                break
            both = np.int64(0)
            sum_x = np.int64(0)
            sum_y = np.int64(0)
            of_x = np.int64(0)
            of_y = np.int64(0)
            joint = np.int64(0)
            for person in range(people):
                x = np.int64(doses[first, person])
                y = np.int64(doses[second, person])
                said = np.int64(x >= 0) * np.int64(y >= 0)
                x *= said
                y *= said
                both += said
                sum_x += x
                sum_y += y
                of_x += x * x
                of_y += y * y
                joint += x * y
            of_x = both * of_x - sum_x * sum_x
            of_y = both * of_y - sum_y * sum_y
            joint = both * joint - sum_x * sum_y
            if of_x > 0 and of_y > 0:
                found[first, step - 1] = min(1.0, (joint / of_x) * (joint / of_y))
    return found
