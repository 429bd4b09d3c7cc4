"""Gaussian noise on whole numbers: ρ-zero-concentrated and (ε, δ)-differential privacy.

C. L. Canonne, G. Kamath & T. Steinke, "The discrete Gaussian for differential privacy" (2020). For real
numbers: B. Balle & Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
calibration and optimal denoising" (2018). ρ: M. Bun & T. Steinke (2016).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp import _opendp
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.normal_tails import DIGITS, PI, gaussian_sum, gaussian_total, normal_integral
from sfumato.dp.mechanisms.parameters import (
    as_digits,
    exact_epsilon,
    exact_positive,
    exact_share,
    exact_whole,
)
from sfumato.dp.mechanisms.sampler import (
    SMALLEST_SCALE,
    check_scale,
    exact_gaussian,
    saturated_sum,
)

FEW = 50
"""up to so many cells the library draws; beyond, and for generators of tests, our sampler, which is faster"""
SMALLEST_DELTA = Fraction(1, 10**100)
_BITS = 48
"""binary digits of a scale that was rounded up: few enough that a float holds it"""
_CLOSE = Fraction(1, 10**9)
"""how near to the smallest scale the search goes"""


@dataclass(frozen=True)
class DiscreteGaussian:
    """Noise on whole numbers, Pr[x] ∝ e^(−x²/2σ²); ``scale`` is σ.

    Answers that differ by at most Δ₂ in Euclidean length are ρ-zCDP with ρ = Δ₂²/2σ²: for one number as for
    many cells. One *number* of sensitivity Δ is also (ε, δ)-differentially private, for every ε, with
    δ = Pr[Y > εσ²/Δ − Δ/2] − e^ε Pr[Y > εσ²/Δ + Δ/2] (``delta``). For cells together that formula does not
    hold on whole numbers: there convert ρ (``of_rho`` and ``dp.conversions``).

    Better than Laplace noise where one person touches many cells (√cells instead of cells), and lighter in
    the tails; for a single answer at a small δ it is worse.

    >>> noise = DiscreteGaussian.of_rho(0.005)
    >>> float(noise.scale), float(noise.rho()), noise.within(0.95)
    (10.0, 0.005, 20)
    """

    scale: Fraction
    name: ClassVar[str] = "discrete-gaussian"

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", exact_positive(self.scale, "scale"))
        check_scale(self.scale)

    @classmethod
    def of_rho(cls, rho: Number, sensitivity: Number = 1, *, cells: int = 1) -> DiscreteGaussian:
        """Return the noise for ρ: σ² ≥ cells·Δ²/2ρ, rounded up.

        One person changes at most ``cells`` of the cells that are answered together, each by Δ at most.
        """
        return cls(_root_above(_squared(sensitivity, cells) / (2 * exact_positive(rho, "rho"))))

    @classmethod
    def analytic(cls, epsilon: Number, delta: Number, sensitivity: Number = 1) -> DiscreteGaussian:
        """Return the smallest noise (but for one part in 10⁹) that makes one number (ε, δ)-private.

        The δ of whole numbers need not fall smoothly as σ grows; the σ that is returned was checked.
        """
        share = exact_share(delta, "delta")
        if share < SMALLEST_DELTA:
            raise BadInput("delta is too small", where="delta", remedy="use Laplace noise, whose delta is 0")
        return cls(_analytic(exact_epsilon(epsilon), share, exact_whole(sensitivity, "sensitivity")))

    def rho(self, sensitivity: Number = 1, *, cells: int = 1) -> Fraction:
        """Return ρ = cells·Δ²/2σ², exactly."""
        return _squared(sensitivity, cells) / (2 * self.scale**2)

    def delta(self, epsilon: Number, sensitivity: Number = 1) -> float:
        """Return the δ of one number at this ε, rounded up."""
        return delta_of(epsilon, self.scale, sensitivity)

    @property
    def variance(self) -> float:
        """The variance: σ², and less for σ below 1."""
        return _variance(self.scale)

    def within(self, confidence: float) -> int:
        """Return the smallest w with Pr[|noise| ≤ w] ≥ confidence."""
        return _within(self.scale, exact_share(confidence, "confidence"))

    def add(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the values with independent noise, saturated at ±2⁶²."""
        cells = np.asarray(values, np.int64)
        if random is None and cells.size <= FEW:
            return _opendp.gaussian_i64(cells.ravel(), self.scale).reshape(cells.shape)
        return saturated_sum(cells, exact_gaussian(self.scale, cells.size, random).reshape(cells.shape))


def delta_of(epsilon: Number, sigma: Number, sensitivity: Number = 1) -> float:
    """Return the δ of one whole number with discrete Gaussian noise, rounded up.

    Canonne, Kamath & Steinke (2020), theorem 7, for any Δ: the answers y that are more than e^ε times as
    likely at distance d are those with y > εσ²/d + d/2, a half-line {y > c}. So δ(d) is the largest
    Pr[Y > c − d] − e^ε Pr[Y > c] over all c, which grows with d: the farthest neighbours, d = Δ, are the
    worst ones. Sums have bounds on both sides, and δ is the upper one.

    >>> round(delta_of(1, 4, 1), 9)
    3.055e-06
    """
    promise = exact_epsilon(epsilon)
    scale = exact_positive(sigma, "sigma")
    check_scale(scale, where="sigma")
    found = _delta(promise, scale**2, exact_whole(sensitivity, "sensitivity"))
    # Never 0, however small: Gaussian noise is not pure.
    return math.nextafter(float(found), 1.0)


def analytic_delta(epsilon: Number, sigma: Number, sensitivity: Number = 1) -> float:
    """Return the δ of Gaussian noise on *real* numbers (Balle & Wang 2018): for comparison only.

    δ = Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ). Here noise is on whole numbers; see ``delta_of``.

    >>> round(analytic_delta(2, 2), 10)
    9.4392e-06
    """
    promise, scale = exact_epsilon(epsilon), exact_positive(sigma, "sigma")
    return float(_continuous_delta(promise, scale / exact_positive(sensitivity, "sensitivity")))


def analytic_sigma(epsilon: Number, delta: Number, sensitivity: Number = 1) -> float:
    """Return the smallest σ of Gaussian noise on *real* numbers (Balle & Wang 2018): for comparison only.

    >>> round(analytic_sigma(1, 1e-6), 5)
    4.22468
    """
    promise, share = exact_epsilon(epsilon), exact_share(delta, "delta")
    return float(_continuous_sigma(promise, share) * exact_positive(sensitivity, "sensitivity"))


def _squared(sensitivity: Number, cells: int) -> Fraction:
    return exact_positive(sensitivity, "sensitivity") ** 2 * exact_whole(cells, "cells")


def _root_above(square: Fraction) -> Fraction:
    """Return a number of 48 binary digits whose square is not less."""
    size = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    unit = Fraction(2) ** (size - _BITS)
    steps = square / unit**2
    root = math.isqrt(steps.numerator // steps.denominator)
    return unit * (root if root**2 >= steps else root + 1)


def _rounded_above(number: Fraction) -> Fraction:
    """Return a number of about 48 binary digits that is not less."""
    unit = Fraction(2) ** (number.numerator.bit_length() - number.denominator.bit_length() - _BITS)
    return unit * math.ceil(number / unit)


def _delta(epsilon: Fraction, variance: Fraction, sensitivity: int) -> Decimal:
    start = math.floor(epsilon * variance / sensitivity - Fraction(sensitivity, 2)) + 1
    with localcontext(prec=DIGITS):
        _, likely = gaussian_sum(start, variance)
        unlikely, _ = gaussian_sum(start + sensitivity, variance)
        total, _ = gaussian_total(variance)
        return max(Decimal(0), (likely - as_digits(epsilon).exp() * unlikely) / total)


@functools.lru_cache(maxsize=256)
def _analytic(epsilon: Fraction, delta: Fraction, sensitivity: int) -> Fraction:
    def enough(scale: Fraction) -> bool:
        with localcontext(prec=DIGITS):
            return _delta(epsilon, scale**2, sensitivity) <= as_digits(delta)

    high = _rounded_above(max(_continuous_sigma(epsilon, delta) * sensitivity, SMALLEST_SCALE))
    while not enough(high):
        high = _rounded_above(high * Fraction(11, 10))
        check_scale(high)
    low = high
    while enough(low):
        high, low = low, _rounded_above(low * Fraction(9, 10))
        if low < SMALLEST_SCALE:
            return high
    while high - low > _CLOSE * high:
        middle = _rounded_above((high + low) / 2)
        if enough(middle):
            high = middle
        else:
            low = middle
    return high


def _continuous_delta(epsilon: Fraction, scale: Fraction) -> Decimal:
    with localcontext(prec=DIGITS):
        half, far = 1 / (2 * as_digits(scale)), as_digits(epsilon * scale)
        _, likely = normal_integral(far - half)
        unlikely, _ = normal_integral(far + half)
        return max(Decimal(0), (likely - as_digits(epsilon).exp() * unlikely) / (2 * PI).sqrt())


@functools.lru_cache(maxsize=256)
def _continuous_sigma(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the σ for Δ = 1, by halving an interval: δ falls as σ grows."""
    with localcontext(prec=DIGITS):
        target = as_digits(delta)
    low, high = Fraction(0), Fraction(1)
    while _continuous_delta(epsilon, high) > target:
        low, high = high, 2 * high
    while high - low > high / 2**_BITS:
        middle = (low + high) / 2
        if _continuous_delta(epsilon, middle) > target:
            low = middle
        else:
            high = middle
    return high


@functools.lru_cache(maxsize=1024)
def _within(scale: Fraction, confidence: Fraction) -> int:
    variance = scale**2
    with localcontext(prec=DIGITS):
        allowed = as_digits(1 - confidence) * gaussian_total(variance)[0] / 2

        def enough(width: int) -> bool:
            return gaussian_sum(width + 1, variance)[1] <= allowed

        low, high = -1, 1
        while not enough(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high


@functools.lru_cache(maxsize=1024)
def _variance(scale: Fraction) -> float:
    if scale >= 8:
        return float(scale**2)
    terms = [math.exp(-(y**2) / (2 * float(scale) ** 2)) for y in range(1, 320)]
    return 2 * sum(y**2 * term for y, term in enumerate(terms, 1)) / (1 + 2 * sum(terms))
