"""Exponentials and logarithms between two fractions, so that what is rounded is rounded to the safe side.

A promise with e^ε in it cannot be kept by a float that may lie on either side of it. Here every irrational
number is given by a fraction below and a fraction above, as close as asked. They come from ``decimal``, whose
``exp`` and ``ln`` are correctly rounded: the true value lies within one unit of the last digit.
"""

from __future__ import annotations

import decimal
import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

DIGITS = 40


def _context(digits: int) -> decimal.Context:
    return decimal.Context(prec=digits, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX)


def _around(x: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    below, above = _context(digits), _context(digits)
    below.rounding, above.rounding = ROUND_FLOOR, ROUND_CEILING
    top, bottom = Decimal(x.numerator), Decimal(x.denominator)
    return below.divide(top, bottom), above.divide(top, bottom)


def exp_enclosure(x: Fraction, digits: int = DIGITS) -> tuple[Fraction, Fraction]:
    """Return fractions below and above e^x, about ``digits`` digits apart from it.

    Far below zero the pair is (0, 10^−digits), which more digits make as narrow as is wanted.

    >>> low, high = exp_enclosure(Fraction(1))
    >>> low < Fraction("2.718281828459045235360287471352662497757247094") < high
    True
    >>> high - low < Fraction(1, 10**37)
    True
    """
    if x == 0:
        return Fraction(1), Fraction(1)
    if x < -3 * digits:  # e³ > 10
        return Fraction(0), Fraction(1, 10**digits)
    low, high = _around(x, digits + len(str(abs(x.numerator) // x.denominator)))
    context = _context(digits)
    return (
        Fraction(context.next_minus(context.exp(low))),
        Fraction(context.next_plus(context.exp(high))),
    )


def ln_enclosure(x: Fraction, digits: int = DIGITS) -> tuple[Fraction, Fraction]:
    """Return fractions below and above ln x, for x > 0.

    >>> low, high = ln_enclosure(Fraction(3))
    >>> float(low), float(high)
    (1.0986122886681098, 1.0986122886681098)
    """
    if x == 1:
        return Fraction(0), Fraction(0)
    low, high = _around(x, 2 * digits)
    context = _context(digits)
    return Fraction(context.next_minus(context.ln(low))), Fraction(context.next_plus(context.ln(high)))


def float_above(x: Fraction) -> float:
    """Return a float that is not less than a fraction.

    >>> Fraction(float_above(Fraction(1, 3))) >= Fraction(1, 3)
    True
    """
    found = float(x)
    return found if Fraction(found) >= x else math.nextafter(found, math.inf)


def float_below(x: Fraction) -> float:
    """Return a float that is not more than a fraction."""
    return -float_above(-x)
