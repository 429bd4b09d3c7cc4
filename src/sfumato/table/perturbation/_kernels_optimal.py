"""The loop of optimal microaggregation on one axis: a shortest path through the sorted values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


@kernel
def optimal_cuts(values: F64, owner: I64, left: I64, k: int, begins: I64) -> None:
    """Cut sorted values into groups of at least k persons with the least sum of squared deviations.

    ``begins[j]`` becomes where the last group of the best partition of the values up to j begins, or
    −1 where there is none. ``left`` (zeros, one for each person) is used for counting.
    """
    n = values.shape[0]
    # latest[j]: where a group that ends at j can begin at the latest.
    latest = np.full(n, -1, np.int64)
    begin = 0
    persons = 0
    for j in range(n):
        left[owner[j]] += 1
        if left[owner[j]] == 1:
            persons += 1
        while persons > k or (persons == k and left[owner[begin]] > 1):
            left[owner[begin]] -= 1
            if left[owner[begin]] == 0:
                persons -= 1
            begin += 1
        if persons == k:
            latest[j] = begin
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    for j in range(n):
        begins[j] = -1
        if latest[j] < 0:
            continue
        # A group that could be two is never better as one, so shorter begins need not be tried.
        before = latest[j] - 1
        stop = latest[before] + 1 if before >= 0 and latest[before] >= 0 else 0
        mean = 0.0
        spread = 0.0
        for i in range(j, stop - 1, -1):
            size = j - i + 1
            step = values[i] - mean
            mean += step / size
            spread += step * (values[i] - mean)
            if i <= latest[j] and cost[i] + spread < cost[j + 1]:
                cost[j + 1] = cost[i] + spread
                begins[j] = i
