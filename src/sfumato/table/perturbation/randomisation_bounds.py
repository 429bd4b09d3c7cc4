"""What randomised values let an adversary learn: amplification and the exact bounds that follow from it.

A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining"
(PODS 2003); Y. Tao, X. Xiao, J. Li & D. Zhang, "On anti-corruption privacy preserving publication"
(ICDE 2008). All of it in exact fractions.

With P[u → v] the probability that value u becomes v, the amplification is

    γ = max over v, u1, u2 of  P[u1 → v] / P[u2 → v],

and whoever believes in something about a value with probability x believes in it afterwards with at
most γx / (1 + (γ − 1)x) and at least x / (γ − (γ − 1)x). Both are reached by the belief that the value
is one of the two that give γ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Amplification:
    """The largest ratio of a matrix (None: it is unbounded), and the positions that give it."""

    gamma: Fraction | None
    likely: int
    unlikely: int
    result: int


def exactly(number: Any, what: str) -> Fraction:
    """Read a number as it is written: 0.1 is one tenth, "1/3" a third.

    >>> exactly(0.1, "rho1"), exactly("1/3", "a share")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, int | float | Decimal | str) and not isinstance(number, bool):
        try:
            return Fraction(str(number))
        except (ValueError, ZeroDivisionError):
            pass
    raise BadInput(f"{what} is not a number", remedy="write a decimal or a fraction such as 1/3")


def share(number: Any, what: str) -> Fraction:
    """Read a probability strictly between 0 and 1."""
    found = exactly(number, what)
    if not 0 < found < 1:
        raise BadInput(f"{what} must lie between 0 and 1", remedy=f"try {what}: 0.2")
    return found


def amplification(matrix: Sequence[Sequence[Fraction]]) -> Amplification:
    """Return γ of a matrix with ``matrix[u][v]`` = P[u → v]; results that never occur do not count.

    >>> half = Fraction(1, 2)
    >>> amplification([[half, half], [Fraction(1, 10), Fraction(9, 10)]]).gamma
    Fraction(5, 1)
    """
    worst = Amplification(Fraction(1), 0, 0, 0)
    for v in range(len(matrix[0])):
        column = [row[v] for row in matrix]
        likely = max(range(len(column)), key=column.__getitem__)
        unlikely = min(range(len(column)), key=column.__getitem__)
        if column[likely] == 0:
            continue
        if column[unlikely] == 0:
            return Amplification(None, likely, unlikely, v)
        ratio = column[likely] / column[unlikely]
        if worst.gamma is not None and ratio > worst.gamma:
            worst = Amplification(ratio, likely, unlikely, v)
    return worst


def highest_belief(gamma: Fraction | None, prior: Fraction) -> Fraction:
    """Return the highest belief afterwards in what was believed with at most ``prior``.

    >>> highest_belief(Fraction(9), Fraction(1, 10))
    Fraction(1, 2)
    """
    if gamma is None:
        return Fraction(1) if prior > 0 else Fraction(0)
    return gamma * prior / (1 + (gamma - 1) * prior)


def lowest_belief(gamma: Fraction | None, prior: Fraction) -> Fraction:
    """Return the lowest belief afterwards in what was believed with at least ``prior``.

    >>> lowest_belief(Fraction(9), Fraction(1, 2))
    Fraction(1, 10)
    """
    return 1 - highest_belief(gamma, 1 - prior)


def grows_at_most(gamma: Fraction | None, delta: Fraction, prior: Fraction) -> bool:
    """Say whether no belief of at most ``prior`` grows by more than ``delta``.

    The growth γx / (1 + (γ − 1)x) − x is largest at x = 1 / (1 + √γ), where it is (√γ − 1) / (√γ + 1);
    before that it rises. Squares keep the comparisons exact.

    >>> grows_at_most(Fraction(9), Fraction(1, 2), Fraction(1))
    True
    """
    limit = gamma_for_growth(delta, prior)
    return limit is None or (gamma is not None and gamma <= limit)


def largest_growth(gamma: Fraction | None, prior: Fraction) -> float:
    """Return the largest growth of a belief of at most ``prior``, for reading: comparisons are made above.

    >>> largest_growth(Fraction(9), Fraction(1))
    0.5
    """
    if gamma is None:
        return 1.0
    if prior > 0 and gamma >= ((1 - prior) / prior) ** 2:
        root = math.sqrt(gamma)
        return (root - 1.0) / (root + 1.0)
    return float(highest_belief(gamma, prior) - prior)


def gamma_for_beliefs(rho1: Fraction, rho2: Fraction) -> Fraction:
    """Return the largest γ under which a belief of at most ρ1 stays at or below ρ2.

    >>> gamma_for_beliefs(Fraction(1, 10), Fraction(1, 2))
    Fraction(9, 1)
    """
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


def gamma_for_growth(delta: Fraction, prior: Fraction) -> Fraction | None:
    """Return the largest γ under which no belief of at most ``prior`` grows by more than Δ.

    ((1 + Δ) / (1 − Δ))², or more where the belief that grows most, (1 − Δ) / 2, lies beyond ``prior``.
    None when any γ does, which happens for no prior but 0.

    >>> gamma_for_growth(Fraction(1, 2), Fraction(1)), gamma_for_growth(Fraction(1, 10), Fraction(1, 10))
    (Fraction(9, 1), Fraction(9, 4))
    """
    if prior == 0:
        return None
    if 2 * prior < 1 - delta:
        return gamma_for_beliefs(prior, prior + delta)
    return ((1 + delta) / (1 - delta)) ** 2


def shown(number: Fraction | None) -> str:
    """Write a fraction so that it can be read: short ones exactly, others rounded.

    >>> shown(Fraction(9, 4)), shown(Fraction(9)), shown(None)
    ('2.25', '9', 'unbounded')
    """
    if number is None:
        return "unbounded"
    if number.denominator == 1:
        return str(number.numerator)
    if 10**6 % number.denominator == 0:
        return format(Decimal(number.numerator) / Decimal(number.denominator), "f").rstrip("0")
    return str(number) if number.denominator < 1000 else f"{float(number):.6g}"
