"""Intervals of numbers: exact bounds, labels, leaves. Shared by ``Intervals`` and ``Cuts``."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_number
from sfumato.core.errors import BadInput
from sfumato.hierarchy.build import Level, UnreadableValues, present_values
from sfumato.hierarchy.ladder import ROOT

EXACT = 2**52
"""integers up to here are exact as floats, halves too"""
Bounds = tuple[Fraction | None, Fraction | None]
"""[low, high): None where the interval is open-ended"""


def exact(number: Any, what: str) -> Fraction:
    """Read a parameter as the decimal it is written as: 0.1 is one tenth."""
    number_like = isinstance(number, Rational | float | Decimal) and not isinstance(number, bool)
    if not number_like or not math.isfinite(number):
        raise BadInput(f"{what} must be a number", where="intervals")
    return Fraction(str(number))


def as_float(number: Fraction) -> float:
    """Return the nearest float; beyond the largest one, infinity."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def positions_of(domain: Domain) -> NDArray[np.float64]:
    """Return the numbers of a column in order, without missing; values that are none are an error."""
    present = present_values(domain)
    if domain.scale is Scale.NUMBER and domain.positions is not None:
        return domain.positions[:present]
    strange = [code for code in range(present) if as_number(domain.values[code]) is None]
    if strange:
        raise UnreadableValues(domain.name, tuple(strange), "a number", "numbers")
    return np.empty(0)


def is_whole(positions: NDArray[np.float64]) -> bool:
    """Say whether all numbers are integers."""
    return bool((positions == np.floor(positions)).all())


def leaf_count(positions: NDArray[np.float64], whole: bool) -> int:
    """Return the size of an axis: the integers from the lowest to the highest, or the distinct values.

    Numbers that are written in two ways (7 and 07) count once for each. A range beyond 2^52 has more
    integers than floats can count one by one: there the distinct values are taken too.
    """
    if not _integers_count(positions, whole):
        return len(positions)
    return int(positions[-1]) - int(positions[0]) + 1 + int(_repeated(positions).sum())


def interval_level(
    positions: NDArray[np.float64], keys: NDArray[np.int64], bounds: Callable[[int], Bounds], whole: bool
) -> Level:
    """Return the level whose groups are the distinct ``keys``, with the interval of each.

    Leaves: of whole numbers, the integers of the interval between the lowest and the highest of
    the column; of others, the distinct values of the column in it.
    """
    used, groups = np.unique(keys, return_inverse=True)
    intervals = [bounds(key) for key in used.tolist()]
    if _integers_count(positions, whole):
        leaves = np.bincount(groups, _repeated(positions), minlength=len(used)).astype(np.float64)
        lowest, highest = int(positions[0]), int(positions[-1])
        for group, (low, high) in enumerate(intervals):
            first = lowest if low is None else max(lowest, math.ceil(low))
            last = highest if high is None else min(highest, math.ceil(high) - 1)
            leaves[group] += last - first + 1
    else:
        leaves = np.bincount(groups, minlength=len(used)).astype(np.float64)
    return Level(
        groups.astype(np.int64), [interval_label(*interval, whole) for interval in intervals], leaves
    )


def interval_label(low: Fraction | None, high: Fraction | None, whole: bool) -> str:
    """Write an interval: closed for whole numbers, half-open for others.

    >>> interval_label(Fraction(20), Fraction(25), whole=True)
    '20-24'
    >>> interval_label(Fraction(-5), Fraction(0), whole=True)
    '-5 to -1'
    >>> interval_label(Fraction(1, 2), Fraction(1), whole=False)
    '[0.5, 1)'
    >>> interval_label(None, Fraction(20), whole=True), interval_label(Fraction(90), None, whole=True)
    ('<20', '90+')
    """
    if low is None:
        return ROOT if high is None else f"<{number_text(high)}"
    if high is None:
        return f"{number_text(low)}+"
    if not whole:
        return f"[{number_text(low)}, {number_text(high)})"
    last = high - 1
    if last == low:
        return number_text(low)
    return f"{number_text(low)}{'-' if low >= 0 else ' to '}{number_text(last)}"


def number_text(number: Fraction) -> str:
    """Write an exact decimal without exponent or trailing zeros.

    >>> number_text(Fraction("2.50")), number_text(Fraction(1200))
    ('2.5', '1200')
    """
    if number.denominator == 1:
        return str(number.numerator)
    return format((Decimal(number.numerator) / Decimal(number.denominator)).normalize(), "f")


def _integers_count(positions: NDArray[np.float64], whole: bool) -> bool:
    return whole and len(positions) > 0 and float(positions[-1]) - float(positions[0]) < EXACT


def _repeated(positions: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark numbers that equal the one before them."""
    return np.append(False, positions[1:] == positions[:-1])
