"""Numbers that are exact: what a price is written as is what is spent."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from sfumato.core.errors import BadInput

DIGITS = 18
"""decimal places of a price; finer ones are refused, so that sums stay exact and short"""

MAGNITUDE = 1000
"""no more decimal places than this, before or after the point: 1e999999999 would fill the memory"""

Number = int | float | str | Decimal | Fraction


def exact(number: Number, *, where: str = "") -> Fraction:
    """Read a number as it is written: 0.1 is one tenth, not the nearest float.

    >>> exact(0.1), exact("1e-6")
    (Fraction(1, 10), Fraction(1, 1000000))
    """
    if isinstance(number, bool):
        raise BadInput("a number is needed, not true or false", where=where)
    if isinstance(number, Fraction):
        return number
    try:
        text = str(number)
        if abs(int(text.lower().partition("e")[2] or 0)) > MAGNITUDE:
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput("this is not a finite number", where=where, remedy="write it like 0.5") from None


def as_decimal(number: Number, *, where: str = "") -> Decimal:
    """Read a number as an exact decimal of at most 18 places, or refuse it.

    >>> as_decimal("0.30"), as_decimal(Fraction(1, 8))
    (Decimal('0.3'), Decimal('0.125'))
    """
    scaled = exact(number, where=where) * 10**DIGITS
    if scaled.denominator != 1:
        raise BadInput(f"the number has more than {DIGITS} decimal places", where=where, remedy="round it")
    return _decimal(scaled.numerator, where)


def decimal_above(number: Number) -> Decimal:
    """Return the smallest decimal of 18 places that is not less: how costs are rounded."""
    return _decimal(math.ceil(exact(number) * 10**DIGITS))


def written_below(number: Number) -> float:
    """Return a float that, as it is written, is not more: how promises are told to those who read floats.

    >>> written_below("0.3"), written_below("0.09999999999999999999")
    (0.3, 0.09999999999999999)
    """
    wanted = exact(number)
    found = float(wanted)
    while exact(found) > wanted:
        found = math.nextafter(found, -math.inf)
    return found


def written_above(number: Number) -> float:
    """Return a float that, as it is written, is not less: how costs are told to those who read floats.

    >>> written_above("0.3"), written_above(Fraction(1, 3))
    (0.3, 0.33333333333333337)
    """
    return -written_below(-exact(number))


def _decimal(units: int, where: str = "") -> Decimal:
    if abs(units) >= 10 ** (MAGNITUDE + DIGITS + 1):
        raise BadInput("the number is too large", where=where, remedy="write it like 0.5")
    sign, digits = (1, -units) if units < 0 else (0, units)
    places = DIGITS
    while places and digits % 10 == 0:
        digits //= 10
        places -= 1
    return Decimal((sign, tuple(int(d) for d in str(digits)), -places))
