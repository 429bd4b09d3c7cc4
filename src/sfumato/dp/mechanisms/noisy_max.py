"""Report noisy max: add noise to every score and tell which is the largest, but not how large.

C. Dwork & A. Roth, "The algorithmic foundations of differential privacy" (2014), §3.3. What wins under
exponential noise is what permute-and-flip chooses: Z. Ding et al., "The permute-and-flip mechanism is
identical to report-noisy-max with exponential noise" (2021). What wins under Gumbel noise is what the
exponential mechanism chooses (E. Gumbel 1954).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random
from sfumato.dp.mechanisms.by_scores import ByScores
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.dp.price import Price


class Noise(StrEnum):
    """What is added to each score, with scale 2Δ/ε (Δ/ε for monotonic scores)."""

    EXPONENTIAL = "exponential"
    """the least error for ε"""
    GUMBEL = "gumbel"
    """cheaper in concentrated budgets: ρ = ε²/8"""


@dataclass(frozen=True)
class ReportNoisyMax(ByScores):
    """The position of max over i of sᵢ + noiseᵢ; the noisy values themselves are never shown.

    The winner is drawn from its exact distribution, which is known for both noises, and not by adding rounded
    noise: ties and low digits of noisy floats have betrayed scores before. Telling the winner's noisy score,
    too, would cost more: measure it again with its own ε.

    >>> ReportNoisyMax(20).choose(np.array([3, 90, 4]))
    1
    """

    noise: Noise = Noise.EXPONENTIAL
    name: ClassVar[str] = "report-noisy-max"

    @property
    def identical(self) -> Exponential | PermuteAndFlip:
        """The mechanism with the same distribution."""
        kind = PermuteAndFlip if self.noise is Noise.EXPONENTIAL else Exponential
        return kind(self.epsilon, self.sensitivity, self.monotonic)

    @property
    def price(self) -> Price:
        """What one choice costs."""
        return self.identical.price

    def choose(self, scores: NDArray[np.int64], random: Random | None = None) -> int:
        """Return the position of the largest noisy score."""
        return self.identical.choose(scores, random)

    def probabilities(self, scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the probability of each candidate."""
        return self.identical.probabilities(scores)
