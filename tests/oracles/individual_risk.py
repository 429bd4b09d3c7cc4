"""Individual risk from its definition: slow, obvious, and without any shared code."""

from __future__ import annotations

import math
from collections.abc import Sequence


def expected_inverse(size: int, chance: float) -> float:
    """E[1/F] for F, the number of draws with this chance of success until there are ``size`` successes.

    Σ_{h ≥ f} (1/h) · C(h − 1, f − 1) p^f (1 − p)^(h − f), summed until the rest cannot matter.
    """
    if chance == 1:
        return 1 / size
    parts = []
    mass = 0.0
    draws = size
    while mass < 1 - 1e-13 and draws < 200 * size / chance:
        ways = math.lgamma(draws) - math.lgamma(size) - math.lgamma(draws - size + 1)
        term = math.exp(ways + size * math.log(chance) + (draws - size) * math.log1p(-chance))
        parts.append(term / draws)
        mass += term
        draws += 1
    return math.fsum(parts)


def agreeing(
    records: Sequence[Sequence[int | None]], weights: Sequence[float]
) -> tuple[list[int], list[float]]:
    """For every record the number and the weight of those that agree wherever both have a value."""
    frequencies, sums = [], []
    for mine in records:
        same = [
            other
            for other, theirs in enumerate(records)
            if all(a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True))
        ]
        frequencies.append(len(same))
        sums.append(math.fsum(weights[other] for other in same))
    return frequencies, sums


def household(risks: Sequence[float], houses: Sequence[int]) -> list[float]:
    """For every person the chance that somebody of the household is found; −1 is nobody's household."""
    found = []
    for person, house in enumerate(houses):
        missed = 1.0
        for other, theirs in enumerate(houses):
            if other == person or (house == theirs and house != -1):
                missed *= 1 - risks[other]
        found.append(1 - missed)
    return found
