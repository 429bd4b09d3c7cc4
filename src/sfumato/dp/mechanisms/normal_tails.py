"""Tails of the normal distribution and of the discrete Gaussian, with bounds on both sides.

All in decimals of 60 digits; results are widened by far more than what rounding in them can do.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from sfumato.dp.mechanisms.parameters import as_digits

DIGITS = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
_WIDER = Decimal("1e-40")
_CONVERGENTS = 300
_DIRECT = 10_000
"""up to this variance discrete tails are summed term by term"""
_THIRD = Decimal("0.0081")
"""above √3/216, the largest value of |B₃(x)|/3! for the Bernoulli polynomial B₃ on [0, 1]"""

Bounds = tuple[Decimal, Decimal]


def _wider(low: Decimal, high: Decimal) -> Bounds:
    return low * (1 - _WIDER), high * (1 + _WIDER)


def normal_integral(x: Decimal) -> Bounds:
    """Bound ∫ e^(−t²/2) dt from x to infinity; divided by √(2π) it is the normal distribution's tail.

    Near 0: √(π/2) − e^(−x²/2) Σ x^(2n+1)/(2n+1)!!. From 3 on Laplace's continued fraction
    e^(−x²/2)/(x + 1/(x + 2/(x + 3/…))), whose convergents lie below and above in turn.

    >>> low, high = normal_integral(Decimal(2))
    >>> round(low, 15), high - low < Decimal("1e-35")
    (Decimal('0.057026123992892'), True)
    """
    with localcontext(prec=DIGITS):
        if x < 0:
            low, high = normal_integral(-x)
            whole = (2 * PI).sqrt()
            return _wider(whole - high, whole - low)
        bell = (-x * x / 2).exp()
        if x < 3:
            total = term = x
            n = 1
            while term > total * Decimal("1e-58"):
                n += 2
                term = term * x * x / n
                total += term
            value = (PI / 2).sqrt() - bell * total
            return _wider(value, value)
        found = []
        for count in (_CONVERGENTS, _CONVERGENTS + 1):
            inner = Decimal(0)
            for n in range(count, 0, -1):
                inner = n / (x + inner)
            found.append(bell / (x + inner))
        return _wider(min(found), max(found))


def gaussian_sum(start: int, variance: Fraction) -> Bounds:
    """Bound Σ e^(−y²/2σ²) over all whole y ≥ start.

    For σ up to 100 the terms are added, the rest is below a geometric series. Beyond, by Euler and
    Maclaurin: with f(y) = e^(−y²/2σ²) the sum is ∫f + f(a)/2 − f′(a)/12 + R, |R| ≤ max|B₃|/3! · ∫|f‴|, where
    f‴ changes its sign only at √3σ, so that ∫|f‴| is known from f″ = f·(y²/σ⁴ − 1/σ²).

    >>> low, high = gaussian_sum(3, Fraction(4))
    >>> round(low, 12), high - low < Decimal("1e-35")
    (Decimal('0.517600712334'), True)
    """
    with localcontext(prec=DIGITS):
        if start <= 0:
            low, high = gaussian_sum(1 - start, variance)
            below, above = gaussian_total(variance)
            return _wider(below - high, above - low)
        spread = as_digits(variance)
        bell = (-(Decimal(start) ** 2) / (2 * spread)).exp()
        if variance <= _DIRECT:
            step = (-1 / spread).exp()
            ratio = (-Decimal(2 * start + 1) / (2 * spread)).exp()
            total, term = bell, bell
            while term > total * Decimal("1e-45"):
                term *= ratio
                ratio *= step
                total += term
            return _wider(total, total + term * ratio / (1 - ratio))
        sigma = spread.sqrt()
        low, high = (sigma * part for part in normal_integral(start / sigma))
        near = bell / 2 + start * bell / (12 * spread)
        bend = bell * (Decimal(start) ** 2 / spread - 1) / spread
        if Decimal(start) ** 2 >= 3 * spread:
            rest = _THIRD * bend
        else:
            rest = _THIRD * (4 * Decimal("-1.5").exp() / spread - bend)
        return _wider(low + near - rest, high + near + rest)


def gaussian_total(variance: Fraction) -> Bounds:
    """Bound Σ e^(−y²/2σ²) over all whole y.

    For σ > 100 it is σ√(2π) (1 + 2e^(−2π²σ²) + …) by Poisson's formula, which 60 digits do not tell apart.
    """
    with localcontext(prec=DIGITS):
        if variance <= _DIRECT:
            low, high = gaussian_sum(1, variance)
            return 1 + 2 * low, 1 + 2 * high
        value = (2 * PI * as_digits(variance)).sqrt()
        return _wider(value, value)
