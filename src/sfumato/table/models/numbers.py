"""Parameters of models read as they are written, and numbers shown on the right side of a bound."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.core.errors import BadInput, nearest


def exactly(value: Any, what: str, where: str, remedy: str) -> Fraction:
    """Return a number as it was written: 0.2 is 1/5.

    >>> exactly(0.2, "t", "t-closeness", "")
    Fraction(1, 5)
    """
    plain = isinstance(value, int | float | Fraction | Decimal) and not isinstance(value, bool)
    if plain and math.isfinite(value):
        return Fraction(str(value))
    raise BadInput(f"{what} must be a number", where=where, remedy=remedy)


def check_whole(value: Any, what: str, least: int, where: str) -> None:
    """Refuse what is not a whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadInput(
            f"{what} must be a whole number of at least {least}",
            where=where,
            remedy=f"try {what}: {max(least, 3)}",
        )


def check_column(value: Any, where: str) -> None:
    """Refuse what cannot be the name of a column."""
    if value is not None and (not isinstance(value, str) or not value):
        raise BadInput(
            "column must be the name of a sensitive column",
            where=where,
            remedy="leave it out to cover every sensitive column",
        )


def check_choice(value: Any, choices: Sequence[str], what: str, where: str) -> None:
    """Refuse what is not one of the choices."""
    if value not in choices:
        raise BadInput(f"the {what} is not known", where=where, remedy=nearest(str(value), choices))


def check_texts(value: Any, what: str, where: str) -> None:
    """Refuse what is not a list of texts."""
    if isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise BadInput(
            f"{what} must be a list of texts", where=where, remedy="write them as they stand in the data"
        )


def pair(value: Fraction) -> tuple[int, int]:
    """Return a fraction as two parameters of a rule."""
    return value.numerator, value.denominator


def number(value: Any) -> Fraction:
    """Return a sensitive value as the number that it is written as; dates and times count in days."""
    if isinstance(value, dt.datetime):
        since_midnight = dt.timedelta(
            hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
        )
        return value.toordinal() + Fraction(since_midnight // dt.timedelta(microseconds=1), 86_400_000_000)
    if isinstance(value, dt.date):
        return Fraction(value.toordinal())
    try:
        return Fraction(str(value))
    except ValueError:
        return Fraction(dt.date.fromisoformat(value).toordinal())


def plain(value: Fraction) -> str:
    """Write a parameter in full, as it was given.

    >>> plain(Fraction("0.69999999999")), plain(Fraction(3)), plain(Fraction("2.5"))
    ('0.69999999999', '3', '2.5')
    """
    return str(value.numerator) if value.denominator == 1 else repr(float(value))


def shown(value: Fraction | float, bound: Fraction | None = None) -> str:
    """Write a number with four digits, or as many as it takes to be on its side of a bound.

    >>> shown(Fraction(3, 8)), shown(30162), shown(0.30000001), shown(0.30000001, Fraction(3, 10))
    ('0.375', '30162', '0.3', '0.30000001')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "∞" if value > 0 else "nothing"
    whole = len(str(math.floor(abs(float(value)))))
    few = text = _written(value, max(4, whole))
    if bound is None:
        return few
    side = _sign(Fraction(value) - bound)
    for digits in range(max(4, whole), 18):
        text = _written(value, digits)
        if _sign(Fraction(text) - bound) == side:
            return text
    return few


def _written(value: Fraction | float, digits: int) -> str:
    return f"{float(value):.{digits}g}"


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
