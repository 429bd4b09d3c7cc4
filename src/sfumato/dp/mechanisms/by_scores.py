"""What mechanisms that choose by scores have in common: their parameters, and how steep their choice is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.exact_choice import positive


@dataclass(frozen=True)
class ByScores:
    """A choice by scores that change by at most Δ (``sensitivity``) between neighbours.

    ``monotonic`` scores all move in the same direction when a person is added, as counts do.
    """

    epsilon: Number
    sensitivity: Number = 1
    monotonic: bool = False
    name: ClassVar[str] = "choice by scores"

    def __post_init__(self) -> None:
        positive(self.epsilon, "epsilon", self.name)
        positive(self.sensitivity, "sensitivity", self.name)

    @property
    def exact_epsilon(self) -> Fraction:
        """ε as it was written."""
        return positive(self.epsilon, "epsilon", self.name)

    @property
    def rate(self) -> Fraction:
        """What one point of the score multiplies the logarithm of a probability by: ε/2Δ, or ε/Δ."""
        sensitivity = positive(self.sensitivity, "sensitivity", self.name)
        return self.exact_epsilon / (sensitivity if self.monotonic else 2 * sensitivity)
