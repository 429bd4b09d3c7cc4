"""Sizes of classes that rules have judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@kernel
def too_small(rows: Ints, persons: Ints, least_rows: int, least_persons: int) -> int:
    """Count the rows of classes that have too few rows or too few persons."""
    lost = 0
    for c in range(rows.shape[0]):
        if rows[c] < least_rows or persons[c] < least_persons:
            lost += rows[c]
    return lost


@kernel
def judged_sizes(rows: Ints, broken: Flags, gone: Ints, totals: Ints) -> None:
    """Write the rows suppressed, classes kept, classes in all, Σ size² of those kept and of all.

    Then the rows that are suppressed at least here and below, and the broken classes without rows.
    Classes without rows do not count as classes.
    """
    for t in range(totals.shape[0]):
        totals[t] = 0
    for c in range(rows.shape[0]):
        size = rows[c]
        if size == 0:
            totals[6] += broken[c]
            continue
        totals[2] += 1
        totals[4] += size * size
        totals[5] += min(gone[c], size)
        if broken[c]:
            totals[0] += size
        else:
            totals[1] += 1
            totals[3] += size * size


@kernel
def weighed(
    keys: Ints, weights: Ints, words: int, word: Ints, shift: Ints, mask: Ints, widths: Ints, histogram: Ints
) -> None:
    """Add up the weights of classes for each column by the group at the node's level."""
    columns = widths.shape[0]
    for j in range(columns):
        for g in range(widths[j]):
            histogram[j, g] = 0
    for i in range(weights.shape[0]):
        if weights[i] > 0:
            for j in range(columns):
                histogram[j, (keys[i * words + word[j]] >> shift[j]) & mask[j]] += weights[i]
