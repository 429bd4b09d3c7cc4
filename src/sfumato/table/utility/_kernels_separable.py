"""What the suppressed rows of a node add to the loss of each column, there and below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def losses_with_costs(
    levels: Ints, histogram: Ints, widths: Ints, base: Floats, extra: Floats, offset: Ints, out: Floats
) -> None:
    """Write base[j, l] + Σ_g histogram[j, g] · extra(j, levels_j → l, g) for l ≤ levels_j, at least 0."""
    for j in range(levels.shape[0]):
        high = levels[j]
        for low in range(high + 1):
            start = offset[j, high, low]
            added = 0.0
            for g in range(widths[j]):
                added += histogram[j, g] * extra[start + g]
            out[j, low] = max(base[j, low] + added, 0.0)


@kernel
def losses_with_entropy(
    levels: Ints, histogram: Ints, widths: Ints, base: Floats, scale: Floats, out: Floats
) -> None:
    """Write base[j, l] + (S·log2 S - Σ_g h_g·log2 h_g) / scale_j for l ≤ levels_j, h = histogram of j."""
    for j in range(levels.shape[0]):
        total = 0
        inner = 0.0
        for g in range(widths[j]):
            count = histogram[j, g]
            if count > 0:
                total += count
                inner += count * np.log2(count)
        added = 0.0
        if total > 0 and scale[j] > 0.0:
            added = max(total * np.log2(total) - inner, 0.0) / scale[j]
        for low in range(levels[j] + 1):
            out[j, low] = base[j, low] + added
