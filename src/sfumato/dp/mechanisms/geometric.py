"""The geometric mechanism: a count with two-sided geometric noise, kept within public bounds.

A. Ghosh, T. Roughgarden & M. Sundararajan, "Universally utility-maximizing privacy mechanisms" (2009): for
one count, no ε-differentially private answer is better for anybody, whatever they know and however
they count a loss; all they may do is change the answer afterwards. Clamping to the range of counts that are
possible is such a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.parameters import exact_whole


@dataclass(frozen=True)
class Geometric:
    """Two-sided geometric noise, Pr[x] = (1 − α)/(1 + α) · α^|x| with α = e^(−ε/Δ), then clamped.

    ``lower`` and ``upper`` are public (0 and the number of people that was declared, never looked up).
    Clamping is done to the noisy answer, so it costs nothing; answers at a bound are then more frequent, and
    averages of clamped answers are biased.

    >>> coins = Geometric(epsilon=1, lower=0, upper=10)
    >>> answers = coins.add(np.zeros(1000, np.int64))
    >>> int(answers.min()), bool(answers.max() <= 10), coins.within(0.95)
    (0, True, 3)
    """

    epsilon: Number
    sensitivity: int = 1
    lower: int | None = None
    upper: int | None = None
    name: ClassVar[str] = "geometric"

    def __post_init__(self) -> None:
        exact_whole(self.sensitivity, "sensitivity")
        for bound, name in ((self.lower, "lower"), (self.upper, "upper")):
            if bound is not None and (not isinstance(bound, int) or abs(bound) > 2**62):
                raise BadInput("a bound is a whole number within ±2^62", where=name)
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise BadInput("the lower bound is above the upper one", where="lower", remedy="exchange them")
        _ = self.noise

    @property
    def noise(self) -> DiscreteLaplace:
        """The noise before clamping."""
        return DiscreteLaplace.of(self.epsilon, self.sensitivity)

    @property
    def scale(self) -> Fraction:
        """The scale Δ/ε."""
        return self.noise.scale

    @property
    def variance(self) -> float:
        """The variance before clamping, which can only bring answers nearer."""
        return self.noise.variance

    def within(self, confidence: float) -> int:
        """Return w with Pr[|answer − value| ≤ w] ≥ confidence, for values within the bounds."""
        return self.noise.within(confidence)

    def add(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the values with independent noise, clamped to the bounds."""
        noisy = self.noise.add(values, random)
        if self.lower is None and self.upper is None:
            return noisy
        return np.clip(noisy, self.lower, self.upper)
