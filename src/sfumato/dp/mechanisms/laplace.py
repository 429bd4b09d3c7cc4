"""Laplace noise: ε-differential privacy for sums and counts.

C. Dwork, F. McSherry, K. Nissim & A. Smith, "Calibrating noise to sensitivity in private data analysis"
(2006). On whole numbers: A. Ghosh, T. Roughgarden & M. Sundararajan, "Universally utility-maximizing
privacy mechanisms" (2009). Why not on floats: I. Mironov, "On significance of the least significant
bits for differential privacy" (2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import localcontext
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random
from sfumato.dp import _opendp
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.parameters import (
    as_digits,
    exact_epsilon,
    exact_positive,
    exact_share,
)
from sfumato.dp.mechanisms.sampler import LARGEST, check_scale, exact_laplace, saturated_sum

FEW = 100
"""up to so many cells the library draws; beyond, and for generators of tests, our sampler, which is faster"""
_DIGITS = 60


@dataclass(frozen=True)
class DiscreteLaplace:
    """Noise on whole numbers, Pr[x] = (1 − p)/(1 + p) · p^|x| with p = e^(−1/scale).

    Two answers that differ by at most Δ in sum (over all cells that one person touches) stay within a
    factor e^(Δ/scale): ε = Δ/scale. Protects whether somebody takes part, and with what values. It does not
    protect more than Δ covers: a person with more rows or larger values must be bounded first.

    >>> noise = DiscreteLaplace.of(epsilon=0.5, sensitivity=7)
    >>> noise.scale, noise.within(0.95), round(noise.variance, 2)
    (Fraction(14, 1), 42, 391.83)
    >>> noise.add(np.array([100, 200])).dtype
    dtype('int64')
    """

    scale: Fraction
    name: ClassVar[str] = "discrete-laplace"

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", exact_positive(self.scale, "scale"))
        check_scale(self.scale)

    @classmethod
    def of(cls, epsilon: Number, sensitivity: Number = 1) -> DiscreteLaplace:
        """Return the noise of scale sensitivity/ε, exactly."""
        return cls(exact_positive(sensitivity, "sensitivity") / exact_epsilon(epsilon))

    def epsilon(self, sensitivity: Number = 1) -> Fraction:
        """Return the ε of an answer of this sensitivity."""
        return exact_positive(sensitivity, "sensitivity") / self.scale

    @property
    def variance(self) -> float:
        """The variance 2p/(1 − p)², a little less than 2·scale²."""
        half = math.sinh(0.5 / self.scale)
        return 0.5 / (half * half)

    def within(self, confidence: float) -> int:
        """Return the smallest w with Pr[|noise| ≤ w] ≥ confidence: 2p^(w+1)/(1 + p) ≤ 1 − confidence."""
        beyond = 1 - exact_share(confidence, "confidence")
        with localcontext(prec=_DIGITS):
            power = (-1 / as_digits(self.scale)).exp()
            factor = (2 / (as_digits(beyond) * (1 + power))).ln()
            return max(0, math.ceil(as_digits(self.scale) * factor) - 1)

    def add(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the values with independent noise, saturated at ±2⁶²."""
        cells = np.asarray(values, np.int64)
        if random is None and cells.size <= FEW:
            return _opendp.laplace_i64(cells.ravel(), self.scale).reshape(cells.shape)
        return saturated_sum(cells, exact_laplace(self.scale, cells.size, random).reshape(cells.shape))


@dataclass(frozen=True)
class Laplace:
    """Noise on real numbers, which are rounded to a public grid before it is added.

    A value v becomes the whole number ⌊v/grid + 1/2⌋, to which discrete Laplace noise is added; the answer
    is a multiple of the grid. Rounding is monotone and moves with whole numbers, so if |v − v′| ≤ Δ then
    with k = ⌈Δ/grid⌉: ⌊v′/grid + 1/2⌋ ≤ ⌊v/grid + k + 1/2⌋ = ⌊v/grid + 1/2⌋ + k, and the same with v and v′
    exchanged. Whole numbers therefore differ by at most k, and the scale is k/ε of them: a grid that divides
    Δ costs nothing. (Rounding halves to even would not move with whole numbers, and could cost one more.)

    The rounding is exact for the float that comes in; that two floats differ by at most Δ is what the
    caller promises (a float sum of many numbers has rounding errors of its own: sum whole numbers of the
    grid instead). A value that is not a number counts as 0, since an error would tell of the data.

    >>> noise = Laplace(epsilon=1, sensitivity=0.5, grid=0.125)
    >>> noise.scale, noise.within(0.95)
    (Fraction(1, 2), 1.5625)
    >>> (noise.add(3.2) / 0.125).is_integer()
    True
    """

    epsilon: Number
    sensitivity: Number
    grid: Number
    name: ClassVar[str] = "laplace"

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        exact_positive(self.sensitivity, "sensitivity")
        exact_positive(self.grid, "grid")
        check_scale(self.units.scale)

    @property
    def units(self) -> DiscreteLaplace:
        """The noise in units of the grid."""
        grid = exact_positive(self.grid, "grid")
        steps = math.ceil(exact_positive(self.sensitivity, "sensitivity") / grid)
        return DiscreteLaplace.of(self.epsilon, steps)

    @property
    def scale(self) -> Fraction:
        """The scale in units of the value."""
        return self.units.scale * exact_positive(self.grid, "grid")

    @property
    def variance(self) -> float:
        """The variance of the noise, without what rounding adds (at most grid²/4)."""
        return self.units.variance * float(exact_positive(self.grid, "grid")) ** 2

    def within(self, confidence: float) -> float:
        """Return w with Pr[|answer − value| ≤ w] ≥ confidence; rounding adds half a grid."""
        return float((self.units.within(confidence) + Fraction(1, 2)) * exact_positive(self.grid, "grid"))

    def add(self, value: float | Fraction, random: Random | None = None) -> float:
        """Return the value with noise: the float nearest to a multiple of the grid."""
        grid = exact_positive(self.grid, "grid")
        noisy = self.units.add(np.array([_to_grid(value, grid)]), random)
        return float(int(noisy[0]) * grid)


def _to_grid(value: float | Fraction, grid: Fraction) -> int:
    """Round to whole numbers of the grid, halves up; saturated at ±2⁶²."""
    if not isinstance(value, int | Fraction):
        value = float(value)
        if not math.isfinite(value):
            return 0 if math.isnan(value) else int(math.copysign(LARGEST, value))
    return max(-LARGEST, min(LARGEST, math.floor(Fraction(value) / grid + Fraction(1, 2))))
