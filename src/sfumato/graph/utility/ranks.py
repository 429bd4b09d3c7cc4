"""Ranks, and how far two rankings agree."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value from 1, the mean rank for equal ones.

    >>> ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, many = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(many)
    mean: NDArray[np.float64] = (last - (many - 1) / 2)[place]
    return mean


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    """Return the correlation of ranks (C. Spearman 1904); None where one of the two does not vary.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0]))
    -1.0
    """
    first, second = ranks(one) - (len(one) + 1) / 2, ranks(other) - (len(one) + 1) / 2
    scale = math.sqrt(float((first**2).sum()) * float((second**2).sum()))
    if not scale:
        return None
    return max(-1.0, min(1.0, float((first * second).sum()) / scale))
