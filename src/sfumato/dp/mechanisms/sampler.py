"""Exact noise for a million cells at once, from the operating system's randomness and whole numbers alone.

C. L. Canonne, G. Kamath & T. Steinke, "The discrete Gaussian for differential privacy" (2020), gave
samplers without floats. Here are constructions that work on all cells together.

* Discrete Laplace, Pr[x] ∝ e^(−|x|/t). x ≠ 0 with probability 2/(1 + e^(1/t)), its sign is a coin, and
  |x| − 1 = g is geometric, Pr[g] ∝ e^(−g/t). Since e^(−g/t) is a product over the binary digits of g,
  these digits are independent: digit j is 1 with probability 1/(1 + e^(2^j/t)). The digits from J on form
  a geometric number of their own, which is 0 but with probability e^(−2^J/t) ≤ e^(−32).
* Discrete Gaussian, Pr[x] ∝ e^(−x²/2σ²). A discrete Laplace y of scale t = 2^m, t/2 < σ ≤ t, is
  accepted with probability e^(−γ), γ = (|y|/σ − σ/t)²/2, since the product is ∝ e^(−y²/2σ²). The power
  is enclosed in whole numbers of 31 bits; where 31 random bits fall between the bounds, the rational γ
  decides with more bits.

How long a draw takes depends on how early random bits differ from digits (and, for the Gaussian, on how
many proposals are refused), not on the values that noise is added to, and on the size of the noise only
where it is beyond 32 scales (once in 10^13 draws).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.mechanisms.coins import (
    DEPTH,
    Bits,
    Words,
    bernoulli,
    bernoulli_exp,
    fair_coins,
    is_below,
    words,
)
from sfumato.dp.mechanisms.enclosure import Enclosure, exp_minus, first_bits, odds_minus
from sfumato.dp.mechanisms.fixed_point import exp_minus_above, exp_minus_below

__all__ = ["bernoulli_exp", "check_scale", "exact_gaussian", "exact_laplace", "geometric", "saturated_sum"]

SMALLEST_SCALE = Fraction(1, 2**10)
"""below, noise is not seen to differ from 0"""
LARGEST_SCALE = Fraction(2**56)
"""beyond, noise would fill the whole numbers of 64 bits"""
LARGEST = 2**62
"""sums of values and noise are saturated here"""
MOST = 2**63 - 1
"""noise beyond is this"""

_RARE = 32
_CHUNK = 2**20
_POINT = 24
"""bits after the point of |y|/σ − σ/t"""


def check_scale(scale: Fraction, *, where: str = "scale") -> None:
    """Refuse a scale that is not between 2⁻¹⁰ and 2⁵⁶."""
    if not SMALLEST_SCALE <= scale <= LARGEST_SCALE:
        raise BadInput(
            "the scale of the noise must lie between 2^-10 and 2^56 units of the grid",
            where=where,
            remedy="choose another epsilon or a grid that fits the sensitivity",
        )


def exact_laplace(scale: Fraction, size: int, random: Random | None = None) -> NDArray[np.int64]:
    """Draw discrete Laplace noise, Pr[x] ∝ e^(−|x|/scale), exactly.

    >>> noise = exact_laplace(Fraction(10), 1000)
    >>> noise.dtype, bool(abs(noise.mean()) < 10)
    (dtype('int64'), True)
    """
    check_scale(scale)

    def draw(count: int) -> NDArray[np.int64]:
        return signed(_magnitudes(scale, count, random), fair_coins(count, random))

    return in_chunks(draw, size)


def exact_gaussian(scale: Fraction, size: int, random: Random | None = None) -> NDArray[np.int64]:
    """Draw discrete Gaussian noise, Pr[x] ∝ e^(−x²/(2·scale²)), exactly.

    >>> noise = exact_gaussian(Fraction(10), 1000)
    >>> bool(8 < noise.std() < 12)
    True
    """
    check_scale(scale)
    proposal = _proposal(scale)

    def draw(count: int) -> NDArray[np.int64]:
        found: list[Words] = []
        missing = count
        while missing > 0:
            found.append(proposal.accepted(int(missing / proposal.rate) + 64, random))
            missing -= found[-1].size
        return signed(np.concatenate([np.zeros(0, np.uint64), *found])[:count], fair_coins(count, random))

    return in_chunks(draw, size)


def geometric(scale: Fraction, size: int, random: Random | None = None) -> Words:
    """Draw whole numbers g ≥ 0 with Pr[g] ∝ e^(−g/scale), those beyond 2⁶³ − 1 as that.

    >>> int(geometric(Fraction(1, 1000), 5).max())
    0
    """
    _, (high, high_digits), *places = _coins_of(scale)
    found = np.zeros(size, np.uint64)
    for start in range(0, len(places), 8):
        byte = np.zeros(size, np.uint8)
        for j, (digit, digits) in enumerate(places[start : start + 8]):
            byte |= bernoulli(digit, size, random, digits=digits) << np.uint8(j)
        found |= byte.astype(np.uint64) << np.uint64(start)
    for cell in np.flatnonzero(bernoulli(high, size, random, digits=high_digits)):
        top = 1
        while is_below(high, 0, 0, random):
            top += 1
        found[cell] = min(int(found[cell]) + (top << len(places)), MOST)
    return found


def saturated_sum(values: NDArray[np.int64], noise: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add, saturating at ±2⁶², as if noise had no end.

    Values are first clamped to ±(2⁶² − 1), which moves no two of them apart; then all noise from 2⁶³ − 1 on
    leads to the same sum, so it does not matter that 64 bits hold no more.

    >>> saturated_sum(np.array([5, -(2**62)]), np.array([-7, -(2**63) + 1])).tolist()
    [-2, -4611686018427387904]
    """
    inside = np.clip(values, 1 - LARGEST, LARGEST - 1)
    total = inside + noise
    total = np.where((noise > 0) & (total < inside), LARGEST, total)
    total = np.where((noise < 0) & (total > inside), -LARGEST, total)
    saturated: NDArray[np.int64] = np.clip(total, -LARGEST, LARGEST)
    return saturated


def signed(magnitude: Words, minus: Bits) -> NDArray[np.int64]:
    """Give magnitudes up to 2⁶³ − 1 their signs."""
    plain = magnitude.view(np.int64)
    return np.where(minus == 1, -plain, plain)


def in_chunks(draw: Callable[[int], NDArray[np.int64]], size: int) -> NDArray[np.int64]:
    """Draw a million cells at a time, so that what is in between stays small."""
    if size <= _CHUNK:
        return draw(size)
    return np.concatenate([draw(min(_CHUNK, size - start)) for start in range(0, size, _CHUNK)])


@functools.lru_cache(maxsize=256)
def _coins_of(scale: Fraction) -> tuple[tuple[Enclosure, int], ...]:
    """Return the coins for: noise is not 0; there is a digit from J on; the digits 0 … J − 1."""
    count = 0
    while 2**count < _RARE * scale:
        count += 1
    coins = [odds_minus(1 / scale, 2), exp_minus(2**count / scale)]
    coins += [odds_minus(2**j / scale) for j in range(count)]
    return tuple((coin, first_bits(coin, DEPTH)) for coin in coins)


def _magnitudes(scale: Fraction, size: int, random: Random | None) -> Words:
    """Draw |x| of discrete Laplace noise."""
    (nonzero, digits), *_ = _coins_of(scale)
    magnitude: Words = np.minimum(geometric(scale, size, random) + np.uint64(1), np.uint64(MOST))
    magnitude *= bernoulli(nonzero, size, random, digits=digits)
    return magnitude


@dataclass(frozen=True)
class _Proposal:
    """Discrete Laplace noise of scale t = 2^m, turned into Gaussian noise of scale σ by refusing some.

    |y|/σ in units of 2⁻²⁴ is a = ⌊⌊|y|/2^shift⌋ · slope / 2³¹⌋ with a ≤ 2²⁴ |y|/σ < a + 4: the two floors and
    that of slope (which counts at most 2³⁰ times 2⁻³¹) are off by less than one each, and what the shift cuts
    off, if anything, is less than 2^(m−24) · 2²⁴/σ < 2. With offset = ⌊2²⁴ σ/t⌋, the difference
    |y|/σ − σ/t lies between a − offset − 1 and a − offset + 4.
    """

    sigma: Fraction
    scale: Fraction
    far: int
    """from here on (64 scales) the rational numbers decide"""
    shift: int
    slope: int
    offset: int
    rate: float
    """the share that is accepted, roughly: how many to draw"""

    def exponents(self, magnitudes: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Bound γ = (|y|/σ − σ/t)²/2 below and above, in units of 2⁻²⁴, for all that are not far."""
        near = np.minimum(magnitudes, np.uint64(self.far)) >> np.uint64(self.shift)
        middle = (near.view(np.int64) * self.slope >> 31) - self.offset
        low = np.maximum(np.maximum(middle - 1, -middle - 4), 0)
        high = np.maximum(np.abs(middle - 1), np.abs(middle + 4))
        return low * low >> _POINT + 1, (high * high >> _POINT + 1) + 1

    def accepted(self, size: int, random: Random | None) -> Words:
        """Draw proposals and return the magnitudes that are accepted."""
        y = _magnitudes(self.scale, size, random)
        uniform = (words((size + 1) // 2, random).view(np.uint32)[:size] >> np.uint32(1)).astype(np.int64)
        low, high = self.exponents(y)
        taken = uniform < exp_minus_below(high)
        unsure = ~taken & (uniform < exp_minus_above(low)) | (y >= np.uint64(self.far))
        for cell in np.flatnonzero(unsure):
            gamma = (int(y[cell]) / self.sigma - self.sigma / self.scale) ** 2 / 2
            taken[cell] = is_below(exp_minus(gamma), int(uniform[cell]), 31, random)
        chosen: Words = y[taken]
        return chosen


@functools.lru_cache(maxsize=256)
def _proposal(sigma: Fraction) -> _Proposal:
    power = 0
    while Fraction(2) ** power < sigma:
        power += 1
    while Fraction(2) ** (power - 1) >= sigma:
        power -= 1
    scale = Fraction(2) ** power
    shift = max(0, power - 24)
    far = max(1, int(64 * scale))
    # Below 1/64 every y but 0 is far, and the slope does not matter.
    slope = int(2**55 * 2**shift / sigma) if power > -6 else 0
    ratio = float(sigma / scale)
    rate = max(1.0, 2.5066 * float(sigma)) * math.tanh(0.5 / scale) * math.exp(-ratio * ratio / 2)
    return _Proposal(sigma, scale, far, shift, slope, int(2**_POINT * sigma / scale), rate)
