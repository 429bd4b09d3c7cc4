"""Weights of agreement: how much likelier an outcome is between records of one person than of two.

I. P. Fellegi and A. B. Sunter, "A theory for record linkage", Journal of the American Statistical Association
64, 1969; the estimate by expectation maximisation: M. A. Jaro, "Advances in record-linkage methodology as
applied to matching the 1985 census of Tampa", ibid. 84, 1989; W. E. Winkler, 1988.

With γ_j the level of column j, m_j(γ) = P(γ_j | one person) and u_j(γ) = P(γ_j | two persons), columns taken
as independent given that, the weight of a pair is Σ_j log2 m_j(γ_j) / u_j(γ_j).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.int8]
Floats = NDArray[np.float64]
_ROUNDS = 500
_SETTLED = 1e-5
_SMALLEST = 1e-6
"""no outcome is impossible: one pair must not rule out what was never seen"""


@dataclass(frozen=True)
class Estimate:
    """What expectation maximisation found: the share of matches, and m and u of every column and level."""

    matches: float
    m: tuple[Floats, ...]
    u: tuple[Floats, ...]
    pairs: int
    settled: bool
    """whether the figures had stopped moving"""


def share_of_levels(levels: NDArray[np.int8], outcomes: int) -> Floats:
    """Return how often each level occurs, unknown apart; no level is impossible."""
    counts = np.bincount(levels, minlength=outcomes)[: outcomes - 1].astype(np.float64)
    return _smoothed(counts)


def estimate(
    levels: Sequence[Levels], outcomes: Sequence[int], start: Sequence[Floats], matches: float
) -> Estimate:
    """Estimate m, u and the share of matches from the levels of pairs, column by column.

    Begins with ``start`` as u and with agreement likely for matches, and lets all of them move.
    """
    patterns, counts = _patterns(levels, outcomes)
    total = float(counts.sum())
    u = [part.copy() for part in start]
    m = [agreeing(number - 1) for number in outcomes]
    share = min(max(matches, 1e-9), 0.5)
    settled = False
    for _ in range(_ROUNDS):
        chance = _posterior(patterns, m, u, share)
        weight = chance * counts
        found = float(weight.sum())
        moved = abs(found / total - share)
        share = min(max(found / total, 1e-12), 1 - 1e-12)
        for j, number in enumerate(outcomes):
            for figures, part in ((m, weight), (u, counts - weight)):
                new = _smoothed(np.bincount(patterns[j], part, minlength=number)[: number - 1])
                moved = max(moved, float(np.abs(new - figures[j]).max(initial=0.0)))
                figures[j] = new
        if moved < _SETTLED:
            settled = True
            break
    return Estimate(share, tuple(m), tuple(u), int(total), settled)


def weigh(levels: Sequence[Levels], m: Sequence[Floats], u: Sequence[Floats]) -> Floats:
    """Return the weight of every pair; unknown columns add nothing."""
    total = np.zeros(len(levels[0]))
    for found, likely, by_chance in zip(levels, m, u, strict=True):
        total += np.append(np.log2(likely / by_chance), 0.0)[found]
    return total


def _posterior(patterns: Sequence[Levels], m: Sequence[Floats], u: Sequence[Floats], share: float) -> Floats:
    weight = weigh(patterns, m, u) + np.log2(share) - np.log2(1 - share)
    found: Floats = 1.0 / (1.0 + np.exp2(-np.clip(weight, -500, 500)))
    return found


def _patterns(levels: Sequence[Levels], outcomes: Sequence[int]) -> tuple[list[Levels], Floats]:
    """Count every combination of levels once."""
    key = np.zeros(len(levels[0]), np.int64)
    for found, number in zip(levels, outcomes, strict=True):
        key = key * number + found
    first, counts = np.unique(key, return_index=True, return_counts=True)[1:]
    return [found[first] for found in levels], counts.astype(np.float64)


def agreeing(levels: int) -> Floats:
    """Begin with matches that agree well as a rule: each level a third as likely as the one before."""
    return _smoothed(3.0 ** -np.arange(levels))


def _smoothed(counts: NDArray[Any]) -> Floats:
    total = float(counts.sum())
    shares = np.maximum(counts / total if total > 0 else np.ones(len(counts)), _SMALLEST)
    found: Floats = shares / shares.sum()
    return found
