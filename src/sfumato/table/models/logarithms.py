"""Sums of logarithms of whole numbers, compared with zero without rounding.

Σ c_i ln x_i = 0 means Π x_i^c_i = 1. The numbers are written as powers of a few that have no divisor
in common (found by greatest common divisors alone): the product is 1 exactly when every exponent is
zero. If it is not, enough digits of the logarithms tell the sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import gcd

FIRST_DIGITS = 30


def sign_of_logs(terms: Iterable[tuple[int, int]]) -> int:
    """Return the sign of Σ c · ln x over the pairs (c, x).

    >>> sign_of_logs([(2, 3), (-1, 9)]), sign_of_logs([(10**9, 3), (-1, 2)]), sign_of_logs([(1, 2), (-1, 3)])
    (0, 1, -1)
    """
    exponents: dict[int, int] = {}
    for factor, x in terms:
        exponents[x] = exponents.get(x, 0) + factor
    kept = {x: factor for x, factor in exponents.items() if factor and x != 1}
    if _cancels(kept):
        return 0
    digits = FIRST_DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            parts = [factor * Decimal(x).ln() for x, factor in kept.items()]
            total, size = sum(parts, Decimal(0)), sum(map(abs, parts), Decimal(0))
            if abs(total) > size * len(parts) * Decimal(10) ** (3 - digits):
                return 1 if total > 0 else -1
        digits *= 2


def is_at_most_log(value: Fraction, argument: Fraction) -> bool:
    """Say whether value ≤ ln(argument). Apart from ln 1 = 0, a fraction's logarithm is no fraction.

    >>> is_at_most_log(Fraction(0), Fraction(1)), is_at_most_log(Fraction(1), Fraction(271828, 100000))
    (True, False)
    """
    if argument == 1:
        return value <= 0
    digits = FIRST_DIGITS
    while True:
        with localcontext() as context:
            context.prec = digits
            above, below = Decimal(argument.numerator).ln(), Decimal(argument.denominator).ln()
            wanted = Decimal(value.numerator) / Decimal(value.denominator)
            difference = above - below - wanted
            if abs(difference) > (above + below + abs(wanted)) * Decimal(10) ** (3 - digits):
                return difference > 0
        digits *= 2


def _cancels(exponents: dict[int, int]) -> bool:
    """Say whether Π x^exponent = 1."""
    for part in _without_common_divisors(exponents):
        power = 0
        for x, factor in exponents.items():
            while x % part == 0:
                x //= part
                power += factor
        if power:
            return False
    return True


def _without_common_divisors(numbers: Iterable[int]) -> list[int]:
    """Return numbers above 1, no two with a common divisor, of which all the given ones are products."""
    found: list[int] = []
    waiting = list(numbers)
    while waiting:
        x = waiting.pop()
        if x == 1:
            continue
        for place, other in enumerate(found):
            common = gcd(x, other)
            if common > 1:
                del found[place]
                waiting += [common, x // common, other // common]
                break
        else:
            found.append(x)
    return found
