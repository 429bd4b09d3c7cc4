"""How large a mean or a tail may be, given a sample: bounds that hold for any distribution and sample size.

The mean of values in [0, 1] by betting (Waudby-Smith & Ramdas 2020): against the claim "the mean is at least
m" a gambler starts with 1 and after each value v has 1 + λ(m − v) times as much. If the claim is true the
fortune is a supermartingale, so it ever reaches 1/δ with probability δ at most (Ville 1939). The bound is the
least m that is refuted; it is about as tight as one by the normal distribution, without assuming one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.audit.intervals import tail

_BOLDEST = 0.9
"""λ stays below 1, so that a fortune is never lost whatever m is, and rises with m"""


def mean_at_most(values: NDArray[np.float64], confidence: float) -> float:
    """Return a bound that the true mean exceeds with probability 1 − confidence at most.

    >>> values = np.tile([0.25, 0.75], 200)
    >>> 0.5 < mean_at_most(values, 0.95) < 0.54, mean_at_most(values[:1], 0.95)
    (True, 1.0)
    """
    many = len(values)
    if not many:
        return 1.0
    if not (values.min() >= 0 and values.max() <= 1):
        raise AssertionError("the values lie between 0 and 1")
    goal = -math.log1p(-confidence)
    before = np.arange(many) + 1.0
    means = (0.5 + np.concatenate([[0.0], np.cumsum(values)])) / np.append(before, many + 1)
    squares = np.cumsum((values - means[1:]) ** 2)
    variances = (0.25 + np.concatenate([[0.0], squares[:-1]])) / before
    bets = np.minimum(np.sqrt(2 * goal / (many * variances)), _BOLDEST)

    def refuted(claim: float) -> bool:
        return bool(np.cumsum(np.log1p(bets * (claim - values))).max() >= goal)

    low, high = 0.0, 1.0
    if not refuted(high):
        return 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if refuted(middle) else (middle, high)
    return high


def rank_above(people: int, share: float, confidence: float) -> int | None:
    """Return the least k for which the k-th largest of so many values is, so surely, not above the value that
    ``share`` of the distribution exceed; None where no k is. With X binomial(people, share), Pr[X ≥ k] ≤ δ.

    >>> rank_above(100, 0.05, 0.95), rank_above(5, 0.5, 0.99)
    (10, None)
    """
    for rank in range(1, people + 1):
        if tail(rank, people, share) <= 1 - confidence:
            return rank
    return None
