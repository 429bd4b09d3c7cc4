"""Numbers in their order again: isotonic regression, and degrees that some network has.

Both look at noisy figures alone, so they cost nothing (postprocessing). M. Ayer et al. (1955) for pooling
neighbours; M. Hay, V. Rastogi, G. Miklau & D. Suciu, "Boosting the accuracy of differentially private
histograms through consistency" (2010), for why it takes away most of the noise: where many nodes have the
same degree, their noise is averaged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def isotonic(values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ascending numbers that are nearest: min Σ (xᵢ − vᵢ)² with x₁ ≤ x₂ ≤ …

    >>> isotonic(np.array([1, 3, 2, 4])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    from sfumato.graph.methods._kernels_private import pool_adjacent

    given = np.array(values, np.float64)
    fitted = np.empty_like(given)
    pool_adjacent(given, fitted)
    return fitted


def graphic(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return degrees, ascending, that some network has and that are near: rounded, then lowered as needed.

    Some network has d₁ ≥ d₂ ≥ … if and only if their sum is even and Σ_{i ≤ r} dᵢ ≤ r(r − 1) + Σ_{i > r}
    min(dᵢ, r) for each r (P. Erdős & T. Gallai 1960). Numbers that already fulfil it stay as they are.

    >>> graphic(np.array([0.9, 1.2, 2.6])).tolist()
    [1, 1, 2]
    """
    from sfumato.graph.methods._kernels_private import lower_to_graphic

    many = len(values)
    whole = np.clip(np.floor(np.asarray(values, np.float64) + 0.5), 0, max(many - 1, 0)).astype(np.int64)
    falling = np.ascontiguousarray(np.sort(whole)[::-1])
    lower_to_graphic(falling)
    return np.sort(falling)
