"""Microaggregation by maximum distance to average vector, in the plainest way: for golden figures only."""

from __future__ import annotations

from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.float64]]


def microaggregated(numbers: Numbers, k: int) -> Numbers:
    """Replace records by the means of groups of k, groups being formed on standardised columns."""
    scaled = (numbers - numbers.mean(0)) / numbers.std(0, ddof=1)
    left = np.arange(len(numbers))
    shown = np.empty_like(numbers)

    def group_around(centre: Numbers) -> None:
        nonlocal left
        near = np.argsort(((scaled[left] - centre) ** 2).sum(1), kind="stable")[:k]
        shown[left[near]] = numbers[left[near]].mean(0)
        left = np.delete(left, near)

    def farthest(centre: Numbers) -> int:
        return int(left[np.argmax(((scaled[left] - centre) ** 2).sum(1))])

    while len(left) >= 3 * k:
        first = farthest(scaled[left].mean(0))
        second = farthest(scaled[first])
        group_around(scaled[first])
        group_around(scaled[second])
    if len(left) >= 2 * k:
        group_around(scaled[farthest(scaled[left].mean(0))])
    shown[left] = numbers[left].mean(0)
    return shown
