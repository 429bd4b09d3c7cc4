"""From one way of measuring privacy to another: ε, ρ and (ε, δ). Always rounded to the safe side.

M. Bun & T. Steinke, "Concentrated differential privacy: simplifications, extensions, and lower bounds"
(2016); C. Canonne, G. Kamath & T. Steinke, "The discrete Gaussian for differential privacy" (2020).

A mechanism is ρ-zCDP when D_α(M(D) ‖ M(D′)) ≤ ρα for all α > 1 (Rényi divergence of order α). Every α
gives a bound on (ε, δ), so the search for the best one may be inexact; what is found is evaluated in decimals
of 80 digits, whose logarithms and exponentials are correctly rounded, moved by 10⁻⁴⁰ to the safe side (far
more than rounding can add up to), and then rounded at 18 decimal places, costs up and allowances down.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.exact import Number, as_decimal, decimal_above, exact
from sfumato.dp.price import Price

_WORKING_DIGITS = 80
SLACK = Decimal("1e-40")
"""how far results are moved to the safe side before they are rounded, relative and absolute"""
_STEPS = 200
_POLISH = 4
"""rounds of Newton's method; each doubles the sixteen digits or so of a float"""


@contextmanager
def many_digits() -> Iterator[None]:
    """Compute in decimals of 80 digits whose exponents hardly end."""
    with decimal.localcontext(prec=_WORKING_DIGITS, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX):
        yield


def cost(number: Decimal) -> Decimal:
    """Round what was computed with many digits up, to 18 decimal places; nothing costs less than 0."""
    with many_digits():
        moved = number + abs(number) * SLACK + SLACK
    return max(Decimal(0), decimal_above(Fraction(moved)))


def allowance(number: Decimal) -> Decimal:
    """Round what was computed with many digits down, to 18 decimal places."""
    with many_digits():
        moved = number - abs(number) * SLACK - SLACK
    return -decimal_above(-Fraction(moved))


def pure_to_rho(epsilon: Number) -> Decimal:
    """Return ρ = ε²/2 of what is ε-differentially private (Bun & Steinke 2016).

    >>> pure_to_rho("0.1")
    Decimal('0.005')
    """
    return decimal_above(exact(_positive(epsilon, "epsilon")) ** 2 / 2)


def gaussian_rho(sigma: Number, l2_squared: Number = 1) -> Decimal:
    """Return ρ = Δ₂² / (2σ²) of Gaussian noise, continuous or discrete.

    >>> gaussian_rho(10)
    Decimal('0.005')
    """
    deviation = exact(sigma, where="sigma")
    squared = exact(l2_squared, where="sensitivity")
    if deviation <= 0 or squared < 0:
        raise BadInput("sigma must be more than 0 and a sensitivity at least 0", where="sigma")
    return decimal_above(squared / (2 * deviation**2))


def rho_to_epsilon_simple(rho: Number, delta: Number) -> Decimal:
    """Return ε = ρ + 2√(ρ ln(1/δ)) (Bun & Steinke 2016): short, and larger than need be.

    >>> round(rho_to_epsilon_simple("0.5", "1e-5"), 6)
    Decimal('5.298526')
    """
    spent, share = _positive(rho, "rho"), _share(delta)
    with many_digits():
        found = spent + 2 * (spent * -share.ln()).sqrt()
    return cost(found)


def rho_to_epsilon(rho: Number, delta: Number) -> Decimal:
    """Return the smallest ε that ρ-zCDP gives at δ (Canonne, Kamath & Steinke 2020).

    ε = min over α > 1 of  αρ + (ln(1/δ) + (α − 1) ln(1 − 1/α) − ln α) / (α − 1).

    >>> round(rho_to_epsilon("0.5", "1e-5"), 6)
    Decimal('4.728387')
    """
    spent, share = _positive(rho, "rho"), _share(delta)
    with many_digits():
        wanted = -share.ln()

        def epsilon_of(alpha: Decimal) -> Decimal:
            return alpha * spent + _excess(alpha, wanted)

        alpha = _start(lambda a: a * float(spent) + _float_excess(a, float(wanted)))
        for _ in range(_POLISH):
            alpha = _stationary(alpha, spent, epsilon_of(alpha))
        return cost(epsilon_of(alpha))


def rho_to_delta(rho: Number, epsilon: Number) -> Decimal:
    """Return the smallest δ that ρ-zCDP gives at ε (Canonne, Kamath & Steinke 2020).

    δ = min over α > 1 of  exp((α − 1)(αρ − ε)) / (α − 1) · (1 − 1/α)^α.

    >>> rho_to_delta("0.5", "4.7284") <= Decimal("1e-5")
    True
    """
    spent, loss = _positive(rho, "rho"), as_decimal(epsilon, where="epsilon")
    if loss < 0:
        raise BadInput("epsilon must be at least 0", where="epsilon", remedy="try 1")
    slope, limit = float(spent), float(loss)
    with many_digits():
        alpha = _start(lambda a: (a - 1) * (a * slope - limit) + (a - 1) * math.log1p(-1 / a) - math.log(a))
        for _ in range(_POLISH):
            alpha = _stationary(alpha, spent, loss)
        logarithm = (alpha - 1) * (alpha * spent - loss) + (alpha - 1) * (1 - 1 / alpha).ln() - alpha.ln()
        found = min(logarithm, Decimal(0)).exp()
    return min(Decimal(1), cost(found))


def epsilon_to_rho(epsilon: Number, delta: Number) -> Decimal:
    """Return the largest ρ, to 18 decimal places, whose ε at δ is at most the one given.

    ρ = max over α > 1 of  (ε − (ln(1/δ) + (α − 1) ln(1 − 1/α) − ln α) / (α − 1)) / α.

    This is how a budget stated as (ε, δ) becomes one that adds up ρ; a δ of thresholds comes on top.

    >>> round(epsilon_to_rho(1, "1e-6"), 6)
    Decimal('0.024356')
    """
    loss, share = _positive(epsilon, "epsilon"), _share(delta)
    with many_digits():
        wanted = -share.ln()

        def rho_of(alpha: Decimal) -> Decimal:
            return (loss - _excess(alpha, wanted)) / alpha

        alpha = _start(lambda a: -(float(loss) - _float_excess(a, float(wanted))) / a)
        for _ in range(_POLISH):
            alpha = _stationary(alpha, rho_of(alpha), loss)
        found = allowance(rho_of(alpha))
    if found <= 0:
        raise BadInput(
            "epsilon is too small to be kept as ρ at this delta", where="epsilon", remedy="raise it"
        )
    return found


def for_group(price: Price, people: int) -> Price:
    """Return what the price means for so many people together: a household, relatives (group privacy).

    (ε, δ) for one is (kε, δ (e^{kε} − 1) / (e^ε − 1)) for k, and ρ is k²ρ (Dwork et al. 2006; Bun & Steinke
    2016). A δ beside ρ has no such rule here: ρ is then left out.

    >>> print(for_group(Price.pure("0.1"), 5))
    ε = 0.5
    """
    if isinstance(people, bool) or people < 1:
        raise BadInput("a group has at least one person", where="group", remedy="try 2")
    if people == 1:
        return price
    rho = None if price.rho is None or price.rho_delta else _multiple(price.rho, people**2)
    if price.epsilon is None:
        if rho is None:
            raise BadInput(
                "a price in ρ with a δ has no price for a group", where="group", remedy="ask with ε"
            )
        return Price(None, rho=rho)
    delta = Decimal(0)
    if price.delta:
        try:
            with many_digits():
                found = price.delta * ((price.epsilon * people).exp() - 1) / (price.epsilon.exp() - 1)
        except decimal.Overflow:
            found = Decimal(1)
        if found >= 1:
            raise BadInput("for so many people δ reaches 1: nothing is promised", where="group")
        delta = cost(found)
    return Price(_multiple(price.epsilon, people), delta, rho)


def sampled(price: Price, share: Number) -> Price:
    """Return the price where each person takes part with probability ``share``, in secret (Poisson).

    ε′ = ln(1 + q (e^ε − 1)), δ′ = qδ: amplification by sampling (B. Balle, G. Barthe & M. Gaboardi, 2018),
    for one person more or less. Who was drawn must stay secret, and they are drawn anew for each question.

    >>> round(sampled(Price.pure(1), "0.1").epsilon, 6)
    Decimal('0.158565')
    """
    q = exact(share, where="share")
    if not 0 < q <= 1:
        raise BadInput("the share must be more than 0 and at most 1", where="share", remedy="try 0.1")
    if price.epsilon is None:
        raise BadInput(
            "a price in ρ alone is not made smaller by sampling", where="share", remedy="ask with ε"
        )
    if q == 1:
        return price
    with many_digits():
        part = Decimal(q.numerator) / q.denominator
        found = (1 + part * (price.epsilon.exp() - 1)).ln()
    delta = decimal_above(q * exact(price.delta))
    spent = min(price.epsilon, cost(found))
    return Price.approximate(spent, delta) if delta else Price.pure(spent)


def _multiple(number: Decimal, times: int) -> Decimal:
    return as_decimal(exact(number) * times)


def _excess(alpha: Decimal, wanted: Decimal) -> Decimal:
    """Return (ln(1/δ) + (α − 1) ln(1 − 1/α) − ln α) / (α − 1)."""
    return (wanted - alpha.ln()) / (alpha - 1) + (1 - 1 / alpha).ln()


def _float_excess(alpha: float, wanted: float) -> float:
    return (wanted - math.log(alpha)) / (alpha - 1) + math.log1p(-1 / alpha)


def _stationary(alpha: Decimal, rho: Decimal, epsilon: Decimal) -> Decimal:
    """Take a step of Newton's method towards (2α − 1)ρ − ε + ln(1 − 1/α) = 0, where ln δ is least in α."""
    value = (2 * alpha - 1) * rho - epsilon + (1 - 1 / alpha).ln()
    slope = 2 * rho + 1 / (alpha * (alpha - 1))
    better = alpha - value / slope
    return better if better > 1 else alpha


def _start(value: Callable[[float], float]) -> Decimal:
    """Return an α near the least value, by golden sections over ln(α − 1); the functions have one valley."""
    ratio = (math.sqrt(5) - 1) / 2
    low, high = math.log(1e-6), math.log(1e15)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = value(1 + math.exp(left)), value(1 + math.exp(right))
    for _ in range(_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = value(1 + math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = value(1 + math.exp(right))
    return Decimal(1 + math.exp((low + high) / 2))


def _positive(number: Number, name: str) -> Decimal:
    value = as_decimal(number, where=name)
    if value <= 0:
        raise BadInput(f"{name} must be more than 0", where=name, remedy="try 0.1")
    return value


def _share(delta: Number) -> Decimal:
    share = as_decimal(delta, where="delta")
    if not 0 < share < 1:
        raise BadInput("delta must be more than 0 and less than 1", where="delta", remedy="try 1e-6")
    return share
