"""Staircase noise: the least error on average that pure ε allows for one number.

Q. Geng & P. Viswanath, "The optimal mechanism in differential privacy" (2014): among all noise that does not
depend on the data, the density that falls in steps of a factor e^ε has the smallest expected |noise|.
It differs from Laplace noise where ε is large; for ε below 1 by little.
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
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.coins import Words, bernoulli, fair_coins
from sfumato.dp.mechanisms.enclosure import share
from sfumato.dp.mechanisms.parameters import (
    as_digits,
    exact_epsilon,
    exact_positive,
    exact_share,
    exact_whole,
)
from sfumato.dp.mechanisms.sampler import (
    LARGEST,
    MOST,
    check_scale,
    geometric,
    in_chunks,
    saturated_sum,
    signed,
)

_DIGITS = 60


@dataclass(frozen=True)
class Staircase:
    """Noise on whole numbers that falls by e^ε at r, Δ + r, 2Δ + r, … on both sides.

    For i = kΔ + j with 0 ≤ j < Δ: Pr[±i] ∝ e^(−kε) if j < r, else e^(−(k+1)ε). A step of Δ changes it by e^ε
    exactly, and no smaller one by more. Of r = 1 … Δ the one with the smallest expected |noise| is taken; r/Δ
    is near 1/(1 + e^(ε/2)). For Δ = 1 it is the geometric mechanism.

    For *one* number whose sensitivity is Δ; for cells that share one person, Δ would have to be split.

    >>> noise = Staircase(epsilon=4, sensitivity=100)
    >>> noise.first, round(noise.expected_abs_noise, 2), noise.within(0.95)
    (12, 13.78, 77)
    >>> noise.add(np.array([1000])).dtype
    dtype('int64')
    """

    epsilon: Number
    sensitivity: int = 1
    name: ClassVar[str] = "staircase"

    def __post_init__(self) -> None:
        exact_epsilon(self.epsilon)
        if exact_whole(self.sensitivity, "sensitivity") > LARGEST:
            raise BadInput(
                "sensitivity must be at most 2^62", where="sensitivity", remedy="choose a coarser grid"
            )
        check_scale(self.scale)
        check_scale(1 / exact_epsilon(self.epsilon), where="epsilon")

    @property
    def scale(self) -> Fraction:
        """The scale Δ/ε of the Laplace noise that it stands for."""
        return exact_whole(self.sensitivity, "sensitivity") / exact_epsilon(self.epsilon)

    @property
    def first(self) -> int:
        """The width r of the first step: 0 … r − 1 are equally likely."""
        return self._stairs.first

    @property
    def _stairs(self) -> _Stairs:
        return _best(exact_epsilon(self.epsilon), exact_whole(self.sensitivity, "sensitivity"))

    @property
    def expected_abs_noise(self) -> float:
        """The mean of |noise|."""
        return float(self._stairs.moment(1))

    @property
    def variance(self) -> float:
        """The variance of one draw."""
        return float(self._stairs.moment(2))

    def within(self, confidence: float) -> int:
        """Return the smallest w with Pr[|noise| ≤ w] ≥ confidence."""
        allowed = 1 - exact_share(confidence, "confidence")
        stairs = self._stairs
        with localcontext(prec=_DIGITS):
            limit = as_digits(allowed)
            low, high = -1, 1
            while stairs.beyond(high) > limit:
                low, high = high, 2 * high
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if stairs.beyond(middle) <= limit else (middle, high)
        return high

    def add(self, values: NDArray[np.int64], random: Random | None = None) -> NDArray[np.int64]:
        """Return the values with independent noise, saturated at ±2⁶²."""
        cells = np.asarray(values, np.int64)
        noise = in_chunks(lambda count: self._draw(count, random), cells.size)
        return saturated_sum(cells, noise.reshape(cells.shape))

    def _draw(self, size: int, random: Random | None) -> NDArray[np.int64]:
        """Draw a magnitude and a sign, and again where 0 got a minus, so that 0 does not count twice."""
        noise = np.zeros(size, np.int64)
        missing = np.arange(size)
        while missing.size:
            magnitude, minus = self._magnitudes(missing.size, random), fair_coins(missing.size, random)
            noise[missing] = signed(magnitude, minus)
            missing = missing[(magnitude == 0) & (minus == 1)]
        return noise

    def _magnitudes(self, size: int, random: Random | None) -> Words:
        """Draw k by its powers of e^ε, then which part of the step, then where in it."""
        epsilon, width, first = exact_epsilon(self.epsilon), self._stairs.width, self._stairs.first
        source = SecretRandom() if random is None else random
        steps = geometric(1 / epsilon, size, random)
        inside = source.integers(first, size).astype(np.uint64)
        if first < width:
            top = bernoulli(share(first, width - first, epsilon), size, random) == 1
            outside = (first + source.integers(width - first, size)).astype(np.uint64)
            inside = np.where(top, inside, outside)
        fits = steps <= np.uint64(MOST // width)
        whole = np.where(fits, steps, np.uint64(0)) * np.uint64(width) + inside
        return np.where(fits, np.minimum(whole, np.uint64(MOST)), np.uint64(MOST))


@dataclass(frozen=True)
class _Stairs:
    """The sums over all steps, with b = e^(−ε)."""

    power: Decimal
    width: int
    first: int

    @property
    def _step(self) -> Decimal:
        return self.first + (self.width - self.first) * self.power

    @property
    def _total(self) -> Decimal:
        """Both sides together, 0 once."""
        return 2 * self._step / (1 - self.power) - 1

    def moment(self, order: int) -> Decimal:
        """Return E|noise| (order 1) or E noise² (order 2)."""
        with localcontext(prec=_DIGITS):
            b, width, r = self.power, self.width, self.first
            ones = r * (r - 1) // 2
            sums = ones + b * (width * (width - 1) // 2 - ones)
            if order == 1:
                side = width * self._step * b / (1 - b) ** 2 + sums / (1 - b)
                return 2 * side / self._total
            near = (r - 1) * r * (2 * r - 1) // 6
            squares = near + b * ((width - 1) * width * (2 * width - 1) // 6 - near)
            side = width**2 * self._step * b * (1 + b) / (1 - b) ** 3
            side += 2 * width * sums * b / (1 - b) ** 2 + squares / (1 - b)
            return 2 * side / self._total

    def beyond(self, width: int) -> Decimal:
        """Return Pr[|noise| > width] for a width of at least 0."""
        k, j = divmod(width + 1, self.width)
        rest = max(self.first - j, 0) + self.power * (self.width - max(j, self.first))
        return 2 * self.power**k * (rest + self.power * self._step / (1 - self.power)) / self._total


@functools.lru_cache(maxsize=256)
def _best(epsilon: Fraction, width: int) -> _Stairs:
    """Find the best r: the mean is a convex parabola over a growing line, so it falls and then grows."""
    with localcontext(prec=_DIGITS):
        power = (-as_digits(epsilon)).exp()
        low, high = 1, width
        while low < high:
            middle = (low + high) // 2
            if _Stairs(power, width, middle + 1).moment(1) >= _Stairs(power, width, middle).moment(1):
                high = middle
            else:
                low = middle + 1
        return _Stairs(power, width, low)


def optimal_gamma(epsilon: Number) -> float:
    """Return the best r/Δ on real numbers, 1/(1 + e^(ε/2)).

    >>> round(optimal_gamma(0.1), 6)
    0.487503
    """
    return 1 / (1 + math.exp(exact_epsilon(epsilon) / 2))


def continuous_abs_noise(epsilon: Number, sensitivity: Number = 1) -> float:
    """Return the smallest expected |noise| on real numbers, Δ e^(ε/2)/(e^ε − 1).

    >>> round(continuous_abs_noise(0.1), 4)
    9.9958
    """
    half = float(exact_epsilon(epsilon)) / 2
    return float(exact_positive(sensitivity, "sensitivity")) / (2 * math.sinh(half))
