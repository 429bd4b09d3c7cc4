"""Scoreboard-RH by the book: every user against every known rating, nothing sorted, nothing shared."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

Rating = tuple[int, int, float | None, int | None]
"""user, item, rating, day"""
Known = tuple[int, float | None, int | None]
"""item, rating, day"""


def scores(
    ratings: Sequence[Rating], known: Sequence[Known], users: int, rating_scale: float, day_scale: float
) -> list[float]:
    """Score every user."""
    found = []
    for user in range(users):
        score = 0.0
        for item, rating, day in known:
            support = sum(1 for row in ratings if row[1] == item)
            fits = []
            for who, what, stars, when in ratings:
                if (who, what) != (user, item):
                    continue
                fit = 0.0
                if rating is None:
                    fit += 1
                elif stars is not None:
                    fit += math.exp(-abs(rating - stars) / rating_scale)
                if day is not None and when is not None:
                    fit += math.exp(-abs(day - when) / day_scale)
                fits.append(fit)
            if fits:
                score += max(fits) / math.log(max(support, 10))
        found.append(score)
    return found


def eccentricity(found: Sequence[float]) -> float:
    """By how many standard deviations the best stands out from the second."""
    deviation = statistics.pstdev(found)
    best, second = sorted(found, reverse=True)[:2]
    return (best - second) / deviation if deviation else 0.0


def confidence(found: Sequence[float]) -> float:
    """The share of the best when everybody counts e^(score/σ)."""
    deviation = statistics.pstdev(found)
    if not deviation:
        return 1 / len(found)
    best = max(found)
    return 1 / sum(math.exp((score - best) / deviation) for score in found)
