"""The k best candidates, one after another.

Peeling: R. Bhaskar, S. Laxman, A. Smith & A. Thakurta, "Discovering frequent patterns in sensitive data"
(2010); k rounds of the exponential mechanism are one round of Gumbel noise: D. Durfee & R. Rogers,
"Practical differentially private top-k selection with pay-what-you-get composition" (2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, decimal_above
from sfumato.dp.mechanisms.exact_choice import integer_scores, positive
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.noisy_max import Noise
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.dp.price import Price


@dataclass(frozen=True)
class TopK:
    """Choose the best candidate with ε/k, take it away, and go on until k are chosen.

    ``noise`` names the report-noisy-max of each round: exponential noise (permute-and-flip) errs least for a
    given ε, Gumbel noise (the exponential mechanism) costs only ρ = k (ε/k)² / 8 in a concentrated budget.
    The order of the answer tells which was chosen first, and is covered.

    >>> TopK(2, 50).choose(np.array([5, 900, 3, 700])).tolist()
    [1, 3]
    """

    k: int
    epsilon: Number
    sensitivity: Number = 1
    monotonic: bool = False
    noise: Noise = Noise.EXPONENTIAL
    name: ClassVar[str] = "top-k"

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise BadInput("k must be a whole number of at least 1", where=self.name, remedy="try k = 10")
        positive(self.epsilon, "epsilon", self.name)
        positive(self.sensitivity, "sensitivity", self.name)

    @property
    def one_round(self) -> Exponential | PermuteAndFlip:
        """The mechanism of one round, with ε/k."""
        kind = PermuteAndFlip if self.noise is Noise.EXPONENTIAL else Exponential
        return kind(positive(self.epsilon, "epsilon", self.name) / self.k, self.sensitivity, self.monotonic)

    @property
    def price(self) -> Price:
        """All rounds together: ε, and the sum of the rounds' ρ."""
        epsilon = positive(self.epsilon, "epsilon", self.name)
        rounded = 8 if self.noise is Noise.GUMBEL else 2
        return Price.approximate(decimal_above(epsilon), 0, rho=epsilon**2 / (rounded * self.k))

    def choose(self, scores: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the positions of the chosen, in the order in which they were chosen."""
        left = integer_scores(scores, self.name)
        if left.size < self.k:
            raise BadInput(
                f"there are {left.size} candidates, fewer than k", where=self.name, remedy="ask for fewer"
            )
        places, chosen, mechanism = np.arange(left.size), [], self.one_round
        for _ in range(self.k):
            won = mechanism.choose(left, random)
            chosen.append(int(places[won]))
            left, places = np.delete(left, won), np.delete(places, won)
        return np.array(chosen, np.int64)
