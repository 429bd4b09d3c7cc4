"""Permute-and-flip: choose among candidates with never more error than the exponential mechanism.

R. McKenna & D. Sheldon, "Permute-and-flip: a new mechanism for differentially private selection" (2020). It
is report-noisy-max with exponential noise: Z. Ding et al. (2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random
from sfumato.dp.exact import decimal_above
from sfumato.dp.mechanisms.by_scores import ByScores
from sfumato.dp.mechanisms.exact_choice import (
    WORD,
    coin,
    gaps_below_best,
    halvings_of,
    integer_scores,
    source,
    uniform_below,
)
from sfumato.dp.price import Price

_MOST_NODES = 400


@dataclass(frozen=True)
class PermuteAndFlip(ByScores):
    """Visit the candidates in random order; take one with probability e^(ε (sᵢ − s*) / 2Δ), else go on.

    s* is the largest score, so that one is always taken. With pᵢ those probabilities,
    Pr[i] = pᵢ ∫₀¹ Πⱼ≠ᵢ (1 − pⱼ t) dt. Its expected error is at most that of the exponential mechanism and as
    little as half of it; under a concentrated budget the exponential mechanism is the cheaper one.

    The first success in a random order is any of the successes alike. So all coins are tossed first, roughly
    and in bulk, and only those that may have succeeded are looked at more closely, in random order.

    >>> PermuteAndFlip(1).probabilities(np.array([10, 8, 1])).round(4).tolist()
    [0.8119, 0.1833, 0.0049]
    """

    name: ClassVar[str] = "permute-and-flip"

    @property
    def price(self) -> Price:
        """One choice costs ε."""
        return Price.pure(decimal_above(self.exact_epsilon))

    def choose(self, scores: NDArray[np.int64], random: Random | None = None) -> int:
        """Return the position of the candidate that wins."""
        gaps, chance = gaps_below_best(integer_scores(scores, self.name)), source(random)
        halvings = halvings_of(gaps, self.rate)
        # A coin of e^(−γ) is one of 2^(−k) and, if it shows true, one of e^(−γ) 2^k: most fail at the first.
        words = chance.integers(2**WORD, gaps.size)
        hopeful = np.flatnonzero(words < (1 << np.maximum(WORD - halvings, 0)))
        for left in range(hopeful.size, 0, -1):
            drawn = uniform_below(left, chance)
            place, hopeful[drawn] = int(hopeful[drawn]), hopeful[left - 1]
            k = int(halvings[place])
            if k > WORD and uniform_below(2 ** (k - WORD), chance) > 0:
                continue
            if coin(self.rate * int(gaps[place]), k, chance):
                return place
        raise AssertionError("the best candidate is always taken")

    def probabilities(self, scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability of each candidate, for reading and for tests."""
        coins = np.exp(-float(self.rate) * gaps_below_best(integer_scores(scores, self.name)))
        nodes, weights = np.polynomial.legendre.leggauss(min(coins.size // 2 + 2, _MOST_NODES))
        found = np.zeros(coins.size)
        for node, weight in zip((nodes + 1.0) / 2.0, weights / 2.0, strict=True):
            fails = np.log1p(-coins * node)
            found += weight * coins * np.exp(fails.sum() - fails)
        return found
