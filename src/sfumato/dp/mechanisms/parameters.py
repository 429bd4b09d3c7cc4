"""What every mechanism is asked for, read exactly and refused when it makes no sense."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.exact import Number, exact

SMALLEST_EPSILON = Fraction(1, 10**12)
LARGEST_EPSILON = Fraction(1000)
"""a promise of e^1000 is none, and powers of e stay short up to here"""


def exact_epsilon(epsilon: Number) -> Fraction:
    """Read an ε, or refuse it."""
    value = exact(epsilon, where="epsilon")
    if not SMALLEST_EPSILON <= value <= LARGEST_EPSILON:
        raise BadInput("epsilon must lie between 1e-12 and 1000", where="epsilon", remedy="try 0.1")
    return value


def exact_positive(number: Number, name: str) -> Fraction:
    """Read a number that must be more than 0, or refuse it."""
    value = exact(number, where=name)
    if value <= 0:
        raise BadInput(f"{name.replace('_', ' ')} must be more than 0", where=name, remedy="try 1")
    return value


def exact_whole(number: Number, name: str) -> int:
    """Read a whole number that must be more than 0, or refuse it."""
    value = exact_positive(number, name)
    if value.denominator != 1:
        raise BadInput(
            f"{name.replace('_', ' ')} must be a whole number of units of the grid",
            where=name,
            remedy="choose a grid that divides it, or round it up",
        )
    return value.numerator


def exact_share(number: Number, name: str) -> Fraction:
    """Read a number that must lie between 0 and 1, both left out, or refuse it."""
    value = exact(number, where=name)
    if not 0 < value < 1:
        raise BadInput(f"{name} must be more than 0 and less than 1", where=name)
    return value


def as_digits(number: Fraction) -> Decimal:
    """Return a fraction as a decimal of the precision that is set."""
    return Decimal(number.numerator) / Decimal(number.denominator)
