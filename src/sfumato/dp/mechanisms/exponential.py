"""The exponential mechanism: choose the best candidate, or nearly, by scores that come from private data.

F. McSherry & K. Talwar, "Mechanism design via differential privacy" (2007). Its bounded range, which makes it
cheap in concentrated terms: D. Durfee & R. Rogers (2019); M. Cesar & R. Rogers (2021).
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
    choose_exactly,
    gaps_below_best,
    integer_scores,
    source,
)
from sfumato.dp.price import Price


@dataclass(frozen=True)
class Exponential(ByScores):
    """Choose candidate i with a probability that grows with its score.

    Pr[i] = e^(ε sᵢ / 2Δ) / Σⱼ e^(ε sⱼ / 2Δ), where no score changes by more than Δ (``sensitivity``) between
    neighbours. ``monotonic`` scores all move in the same direction when a person is added (counts do); then
    ε sᵢ / Δ promises the same, and errors halve.

    Scores are whole numbers: where they are fractions, multiply scores and sensitivity alike. The choice is
    drawn exactly; no probability is ever rounded. Under substitution scores are seldom monotonic: leave it
    False there.

    Protects each person from being betrayed by which candidate won. The candidates themselves must be public:
    a list read from the data betrays who made it.

    >>> Exponential(1).probabilities(np.array([2, 1])).round(4).tolist()
    [0.6225, 0.3775]
    >>> Exponential(10).choose(np.array([1, 500, 3]))
    1
    """

    name: ClassVar[str] = "exponential"

    @property
    def price(self) -> Price:
        """One choice costs ε, and ρ = ε²/8: all log-ratios lie within a range of ε (Cesar & Rogers 2021)."""
        epsilon = self.exact_epsilon
        return Price.approximate(decimal_above(epsilon), 0, rho=epsilon**2 / 8)

    def choose(self, scores: NDArray[np.int64], random: Random | None = None) -> int:
        """Return the position of the candidate that wins."""
        gaps = gaps_below_best(integer_scores(scores, self.name))
        return choose_exactly(gaps, self.rate, source(random))

    def probabilities(self, scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability of each candidate, for reading and for tests."""
        weights = np.exp(-float(self.rate) * gaps_below_best(integer_scores(scores, self.name)))
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares
