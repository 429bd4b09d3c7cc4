"""Kernels of sparse matching: they touch only the columns of the items that the adversary knows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

UNKNOWN_DAY = -(2**31)
"""stands for a day that the adversary does not know"""


@kernel
def add_scores(
    starts: NDArray[np.int64],
    users: NDArray[np.int32],
    ratings: NDArray[np.uint8],
    days: NDArray[np.int16],
    items: NDArray[np.int64],
    alike: NDArray[np.float64],
    known_days: NDArray[np.int64],
    near: NDArray[np.float64],
    weights: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Add for every known item what those who rated it score for it.

    Users of a column are sorted: somebody who rated an item several times counts with the closest one.
    """
    for j in range(len(items)):
        at = starts[items[j]]
        end = starts[items[j] + 1]
        while at < end:
            user = users[at]
            best = 0.0
            while at < end and users[at] == user:
                found = alike[j, ratings[at]]
                if known_days[j] != UNKNOWN_DAY and days[at] >= 0:
                    gap = abs(days[at] - known_days[j])
                    if gap < len(near):
                        found += near[gap]
                best = max(best, found)
                at += 1
            scores[user] += weights[j] * best


@kernel
def best_two(scores: NDArray[np.float64]) -> tuple[int, float, float, int, float, float]:
    """Return who scores best, the two best scores, how many share the best, the deviation, and Σ e^(…).

    The last is the sum of e^((score − best) / deviation) over everybody: one over it is how sure the
    adversary may be of the best.
    """
    best = -1.0
    second = -1.0
    who = -1
    ties = 0
    total = 0.0
    for user in range(len(scores)):
        score = scores[user]
        total += score
        if score > best:
            second = best
            best = score
            who = user
            ties = 1
        else:
            ties += score == best
            second = max(second, score)
    mean = total / len(scores)
    squares = 0.0
    for user in range(len(scores)):
        squares += (scores[user] - mean) ** 2
    deviation = math.sqrt(squares / len(scores))
    spread = 0.0
    if deviation > 0.0:
        for user in range(len(scores)):
            spread += math.exp((scores[user] - best) / deviation)
    return who, best, second, ties, deviation, spread


@kernel
def count_ratings(users: NDArray[np.int32], slot: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Count the ratings of the users that have a slot (−1: none)."""
    for at in range(len(users)):
        if slot[users[at]] >= 0:
            counts[slot[users[at]]] += 1


@kernel
def gather_ratings(
    starts: NDArray[np.int64],
    users: NDArray[np.int32],
    slot: NDArray[np.int64],
    free: NDArray[np.int64],
    places: NDArray[np.int64],
    items: NDArray[np.int64],
) -> None:
    """Write down where the ratings of chosen users lie, and of which item each is; ``free`` moves on."""
    for item in range(len(starts) - 1):
        for at in range(starts[item], starts[item + 1]):
            chosen = slot[users[at]]
            if chosen >= 0:
                places[free[chosen]] = at
                items[free[chosen]] = item
                free[chosen] += 1
