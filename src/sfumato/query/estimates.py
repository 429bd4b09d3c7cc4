"""From noisy whole numbers to answers with error bars: post-processing, which costs nothing more.

Everything here sees noisy numbers and metadata only. Where a noisy number of rows is not positive there is
nothing to divide by, and the answer is the middle of what is possible, with an error bar that covers it all.
"""

from __future__ import annotations

import datetime
import functools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.contract import IntegerNoise
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.query.answer import CONFIDENCE
from sfumato.query.plan import NoisyChoice, NoisyNumbers
from sfumato.query.question import Statistic
from sfumato.query.statistics import square_step, units

Value = str | int | float | None
_NORMAL = 1.959963984540054
_LAPLACE = -math.log(1 - CONFIDENCE) / math.sqrt(2)
"""half the 95 % interval of the Laplace distribution in standard deviations; of sums of it, less"""
_STEPS = 64


def estimates(
    planned: NoisyNumbers, noisy: NDArray[np.int64], cells: int
) -> tuple[list[Value], list[float | None]]:
    """Return the answers of all groups and their ± at 95 %. ``noisy`` has a row per number."""
    measure = planned.measure
    grid = Fraction(1) if measure.expression is None else measure.expression.grid
    if planned.noise is None:
        assert measure.expression is not None
        lower, _ = units(measure.expression)
        constant = lower * grid if measure.statistic is not Statistic.VARIANCE else Fraction(0)
        return [plain(constant)] * cells, [0.0] * cells
    match measure.statistic:
        case Statistic.MEAN:
            return _means(planned, planned.noise, noisy)
        case Statistic.VARIANCE:
            return _variances(planned, planned.noise, noisy)
        case _:
            unit = grid * planned.numbers.divisor
            bar = float(planned.noise.within(CONFIDENCE) * unit)
            times, parts = unit.numerator, unit.denominator
            numbers = noisy[0].tolist()
            return [n * times if parts == 1 else n * times / parts for n in numbers], [bar] * cells


def chosen(planned: NoisyChoice, place: int) -> Value:
    """Return the value of a candidate."""
    assert planned.measure.expression is not None
    value = planned.measure.expression.grid * (planned.candidates.lower + place * planned.candidates.step)
    if planned.measure.date:
        return (datetime.date(1970, 1, 1) + datetime.timedelta(days=math.floor(value))).isoformat()
    return plain(value)


def plain(number: Fraction) -> int | float:
    """Return a whole number as it is, any other as the nearest float."""
    return number.numerator if number.denominator == 1 else number.numerator / number.denominator


def _means(
    planned: NoisyNumbers, noise: IntegerNoise, noisy: NDArray[np.int64]
) -> tuple[list[Value], list[float | None]]:
    """mean = l + (u − l) Â / (Â + B̂), with Â = Σt and B̂ = Σ(1 − t) after noise α, β.

    The true t = A/(A + B) fulfils (Â + B̂)(t̂ − t) = (1 − t) α − t β, so |t̂ − t| ≤ q(t) / (Â + B̂) with
    probability 95 % where q(t) bounds the right side so often; q is largest at t = 0 and 1. The bar takes
    the largest q in the interval that the largest q gives: it holds for small groups too.
    """
    assert planned.measure.expression is not None
    grid = planned.measure.expression.grid
    lower, upper = units(planned.measure.expression)
    width = float((upper - lower) * grid)
    if planned.numbers.shared:
        above, rows = _of_replaced(planned, noisy)
    else:
        above, below = noisy.astype(np.float64)
        rows = above + below
    some = rows > 0
    safe = np.where(some, rows, 1.0)
    share = np.where(some, above / safe, 0.5)
    bound = _half_width(noise, replaced=bool(planned.numbers.shared))
    wide = np.minimum(0.5, np.abs(share - 0.5) + bound(np.array(0.5)) / safe)
    bar = np.where(some, np.minimum(1.0, bound(wide) / safe), 0.5)
    values = float(lower * grid) + width * np.clip(share, 0.0, 1.0)
    return values.tolist(), (width * bar).tolist()


def _of_replaced(
    planned: NoisyNumbers, noisy: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Σt and n, times the width, where the number of rows is public.

    With X̂ = 2Σa + M + α, M̂ = M + β, where M is what missing rows add, (wn − M̂)(t̂ − t) = α/2 + (t − ½) β. No
    fewer than no rows are missing, so M̂ is held to at least 0 (which only brings it closer to M).
    """
    divisor = planned.numbers.divisor
    twice, missing, rows = noisy.astype(np.float64)
    there = planned.numbers.row // 2 * rows / divisor
    absent = np.clip(missing, 0.0, there)
    return (twice - absent) / 2, there - absent


def _half_width(
    noise: IntegerNoise, *, replaced: bool
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return q(t) as a function of |t − ½|: Pr[|(1 − t) α − t β| ≤ q] ≥ 95 %, rounded up.

    With ``replaced`` the same of α/2 + (t − ½) β.
    """
    steps = np.linspace(0.0, 0.5, _STEPS + 1)
    first, second = (np.full_like(steps, 0.5), steps) if replaced else (0.5 + steps, 0.5 - steps)
    if isinstance(noise, DiscreteLaplace):
        table = _two_laplace_table(replaced) * float(noise.scale) + 1
    else:
        table = _NORMAL * math.sqrt(noise.variance) * np.hypot(first, second) + 1

    def at(away: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = table[np.ceil(away * 2 * _STEPS).astype(np.int64).clip(0, _STEPS)]
        return found

    return at


@functools.cache
def _two_laplace_table(replaced: bool) -> NDArray[np.float64]:
    steps = np.linspace(0.0, 0.5, _STEPS + 1).tolist()
    return np.array(
        [_two_laplace(0.5, step) if replaced else _two_laplace(0.5 + step, 0.5 - step) for step in steps]
    )


def _two_laplace(p: float, q: float) -> float:
    """Return x with Pr[|pα + qβ| > x] = 5 % for two Laplace variables of scale 1, p ≥ q, by bisection.

    The tail is (p² e^(−x/p) − q² e^(−x/q)) / (p² − q²), and (1 + x/2p) e^(−x/p) where p = q.
    """
    low, high = 0.0, 4.0
    for _ in range(50):
        x = (low + high) / 2
        if p == q:
            tail = (1 + x / (2 * p)) * math.exp(-x / p)
        else:
            tail = (p * p * math.exp(-x / p) - (q * q * math.exp(-x / q) if q else 0.0)) / (p * p - q * q)
        low, high = (x, high) if tail > 1 - CONFIDENCE else (low, x)
    return high


def _variances(
    planned: NoisyNumbers, noise: IntegerNoise, noisy: NDArray[np.int64]
) -> tuple[list[Value], list[float | None]]:
    """variance = (u − l)² (Σt²/n − (Σt/n)²), held to [0, (u − l)²/4].

    The bar comes from the derivatives at the noisy numbers: exact for many rows, and where noise is a tenth
    of the rows or more it covers all that is possible.
    """
    assert planned.measure.expression is not None
    step = square_step(planned.measure.expression)
    lower, upper = units(planned.measure.expression)
    width = float((upper - lower) // step * step * planned.measure.expression.grid)
    twice, once, never = noisy.astype(np.float64)
    rows = twice + once + never
    some = rows > 0
    safe = np.where(some, rows, 1.0)
    mean, square = (once / 2 + twice) / safe, twice / safe
    values = np.where(some, np.clip(square - mean**2, 0.0, 0.25), 0.125)
    slopes = np.stack(
        [1 - square - 2 * mean + 2 * mean**2, 2 * mean**2 - mean - square, 2 * mean**2 - square]
    )
    deviation = math.sqrt(noise.variance)
    factor = _LAPLACE if isinstance(noise, DiscreteLaplace) else _NORMAL
    bar = np.minimum(0.25, factor * deviation * np.sqrt((slopes**2).sum(axis=0)) / safe)
    bar = np.where(some & (rows > 10 * deviation), bar, 0.25)
    return (width**2 * values).tolist(), (width**2 * bar).tolist()
