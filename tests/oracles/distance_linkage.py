"""Distance-based linkage, the slow way: every pair is measured, every pairing is tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def distance(
    known: Sequence[float], released: Sequence[float], category: Sequence[bool], unsaid: float = -1.0
) -> float:
    """Squared differences; a category adds 1 where it differs, ½ where the release says nothing of it."""
    total = 0.0
    for a, b, is_category in zip(known, released, category, strict=True):
        if math.isnan(a):
            continue
        if not is_category:
            total += (a - b) ** 2
        elif a != b:
            total += 0.5 if b == unsaid else 1.0
    return total


def least_cost(costs: Sequence[Sequence[float]]) -> float:
    """The least sum of costs over all ways to give every row a column of its own."""
    columns = range(len(costs[0]))
    return min(
        sum(costs[row][column] for row, column in enumerate(way)) for way in permutations(columns, len(costs))
    )


def mean_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 0 to 1; equal values share the mean of theirs."""
    return [
        (sum(other < value for other in values) + sum(other <= value for other in values)) / (2 * len(values))
        for value in values
    ]


def right_by_nearest(
    known: Floats, released: Floats, owner: NDArray[np.int64], most: int = 5_000
) -> tuple[float, float]:
    """The share of people whose nearest record is their own: in standard deviations, and in ranks.

    ``owner[r]`` is the row of the person whose record r is. Equally near records count as a coin would. Only
    the first ``most`` people are looked for, among all records.
    """
    spread = known.std(axis=0)
    spread[spread == 0] = 1.0
    ranked = [np.column_stack([_fast_mean_ranks(column) for column in side.T]) for side in (known, released)]
    found = []
    for ours, theirs in ((known / spread, released / spread), (ranked[0], ranked[1])):
        right = 0.0
        for person, point in enumerate(ours[:most]):
            apart = ((theirs - point) ** 2).sum(axis=1)
            nearest = np.flatnonzero(apart <= apart.min() * (1 + 1e-12))
            right += (owner[nearest] == person).mean()
        found.append(right / min(most, len(known)))
    return found[0], found[1]


def _fast_mean_ranks(values: Floats) -> Floats:
    order = np.sort(values)
    both = np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")
    found: Floats = both / (2 * len(values))
    return found


# How releases are made: the three maskings of Domingo-Ferrer and Torra (2001).


def with_noise(records: Floats, share: float, random: np.random.Generator) -> Floats:
    """Add normal noise with a share of each column's standard deviation."""
    found: Floats = records + random.normal(0, 1, records.shape) * records.std(axis=0) * share
    return found


def microaggregated(records: Floats, size: int) -> Floats:
    """Replace values by the means of groups of neighbours, column by column."""
    found = np.empty(records.shape)
    for j, column in enumerate(records.T):
        for some in np.array_split(np.argsort(column, kind="stable"), max(1, len(column) // size)):
            found[some, j] = column[some].mean()
    return found


def rank_swapped(records: Floats, share: float, random: np.random.Generator) -> Floats:
    """Exchange values with others at most a share of all ranks away, column by column."""
    found = records.astype(np.float64)
    rows = len(records)
    window = max(1, int(rows * share))
    for j, column in enumerate(records.T):
        order, free = np.argsort(column, kind="stable"), np.ones(rows, np.bool_)
        for i in range(rows):
            near = np.flatnonzero(free[i + 1 : i + window + 1])
            if free[i] and len(near):
                other = i + 1 + int(random.choice(near))
                free[i] = free[other] = False
                a, b = order[i], order[other]
                found[a, j], found[b, j] = column[b], column[a]
    return found
