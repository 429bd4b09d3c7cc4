"""Arithmetic whose results are known to fit: intervals in exact fractions (Moore 1966) beside the SQL.

A number is u · grid, where the SQL yields u as a BIGINT or missing and low ≤ u ≤ high holds for every row
that keeps the declared bounds. Every step is proved to stay below 2⁶², so that nothing can overflow, and
divisors to differ from 0: what runs cannot fail, whatever the data are.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sfumato.core.errors import BadInput

LIMIT = 2**62
"""no step reaches it"""
STEPS = 10**6
"""a quotient keeps at least so many grid steps in its largest value, where they fit"""
LEAST_STEPS = 10**3
FIRST_DAY = datetime.date(1970, 1, 1)
DAYS = tuple((edge - FIRST_DAY).days for edge in (datetime.date.min, datetime.date.max))
"""days that have a year"""


@dataclass(frozen=True)
class Number:
    """u · grid with low ≤ u ≤ high, or missing where ``nullable``."""

    sql: str
    low: int
    high: int
    grid: Fraction
    nullable: bool = True
    constant: bool = False
    date: bool = False
    """days since 1970-01-01"""
    points: tuple[Fraction, ...] | None = None
    """all values that it can have, where they are few and known"""

    @property
    def lower(self) -> Fraction:
        """The least value."""
        return self.low * self.grid

    @property
    def upper(self) -> Fraction:
        """The largest value."""
        return self.high * self.grid


def units(count: int) -> str:
    """Write a whole number as SQL; the type is said, or a short literal would be a 32-bit number."""
    return f"{count}::BIGINT" if count >= 0 else f"({count})::BIGINT"


def constant(value: Fraction, *, date: bool = False) -> Number:
    """Return a number that is the same everywhere.

    >>> constant(Fraction(5, 2)).sql, constant(Fraction(5, 2)).grid
    ('5::BIGINT', Fraction(1, 2))
    """
    count = _fits(value.numerator)
    grid = Fraction(1, value.denominator)
    return Number(units(count), count, count, grid, False, True, date, (value,))


def column(sql: str, lower: Fraction, upper: Fraction, grid: Fraction, *, date: bool = False) -> Number:
    """Return a column of a prepared table. Bounds between grid points are widened to the next ones."""
    low, high = _fits(math.floor(lower / grid)), _fits(math.ceil(upper / grid))
    return Number(sql, low, high, grid, date=date)


def on_grid(number: Number, grid: Fraction) -> Number:
    """Express a number on a finer grid, of which its own is a whole multiple."""
    factor = number.grid / grid
    assert factor.denominator == 1
    if factor == 1:
        return number
    if number.constant:
        count = _fits(number.low * factor.numerator)
        return replace(number, sql=units(count), low=count, high=count, grid=grid)
    low, high = _fits(number.low * factor.numerator), _fits(number.high * factor.numerator)
    return replace(number, sql=_product(number.sql, _fits(factor.numerator)), low=low, high=high, grid=grid)


def common(numbers: Sequence[Number]) -> list[Number]:
    """Express numbers on their common grid: the largest of which all grids are whole multiples."""
    shared = numbers[0].grid
    for number in numbers[1:]:
        shared = _common_divisor(shared, number.grid)
    return [on_grid(number, shared) for number in numbers]


def negative(number: Number) -> Number:
    """Return −x."""
    if number.constant:
        return constant(-number.lower)
    return Number(f"(-{number.sql})", -number.high, -number.low, number.grid, number.nullable)


def plus(left: Number, right: Number, sign: int = 1) -> Number:
    """Return left + right, or left − right for sign −1. Two dates differ by days; a date takes days."""
    date = left.date != right.date
    if (left.date and right.date and sign == 1) or (right.date and not left.date and sign == -1):
        raise BadInput("dates cannot be added", remedy="subtract two dates, or add days to one")
    if left.constant and right.constant:
        return constant(left.lower + sign * right.lower, date=date)
    one, two = common([left, right])
    if date and one.grid.denominator != 1:
        raise BadInput("a date takes whole days", remedy="write whole numbers of days")
    bounds = (two.low, two.high) if sign == 1 else (-two.high, -two.low)
    low, high = _fits(one.low + bounds[0]), _fits(one.high + bounds[1])
    if sign == 1:
        one, two = sorted((one, two), key=lambda number: number.sql)
    sql = f"({one.sql} {'+' if sign == 1 else '-'} {two.sql})"
    return Number(sql, low, high, one.grid, left.nullable or right.nullable, date=date)


def times(left: Number, right: Number) -> Number:
    """Return left · right. A constant only changes the grid: nothing is computed and nothing is lost."""
    if left.constant and right.constant:
        return constant(left.lower * right.lower)
    if left.constant:
        left, right = right, left
    if right.constant and right.low:
        scaled = left if right.low > 0 else negative(left)
        return replace(scaled, grid=left.grid * abs(right.lower), points=None)
    one, two = sorted((left, right), key=lambda number: number.sql)
    corners = [_fits(a * b) for a in (one.low, one.high) for b in (two.low, two.high)]
    sql = f"({one.sql} * {two.sql})"
    return Number(sql, min(corners), max(corners), one.grid * two.grid, left.nullable or right.nullable)


def divided(left: Number, right: Number) -> Number:
    """Return left / right, exact for a constant divisor, else cut towards 0 to a grid that the bounds fix.

    The grid is the largest power of ten with at least a million steps up to the largest quotient, or
    coarser (a thousand steps) where a million would not fit into 62 bits.
    """
    if right.low <= 0 <= right.high:
        raise BadInput(
            "this divides by something that can be 0",
            remedy="divide by a number whose declared bounds leave out 0, or by GREATEST(x, 1)",
        )
    if right.constant:
        return times(left, constant(1 / right.lower))
    quotients = [a / b for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
    nullable = left.nullable or right.nullable
    largest = max(abs(quotient) for quotient in quotients)
    steps = STEPS
    while steps >= LEAST_STEPS:
        grid = _power_of_ten_below(largest / steps) if largest else Fraction(1)
        ratio = left.grid / (right.grid * grid)
        above = [left.low * ratio.numerator, left.high * ratio.numerator]
        below = [right.low * ratio.denominator, right.high * ratio.denominator]
        factors = [ratio.numerator, ratio.denominator]
        if all(abs(step) < LIMIT for step in (*above, *below, *factors)):
            cut = [math.trunc(quotient / grid) for quotient in quotients]
            sql = f"({_product(left.sql, ratio.numerator)} // {_product(right.sql, ratio.denominator)})"
            return Number(sql, min(cut), max(cut), grid, nullable)
        steps //= 10
    raise _overflow()


def floor(number: Number) -> Number:
    """Return the whole number at or below. Shifted to be non-negative first: // cuts towards 0."""
    above, below = number.grid.numerator, number.grid.denominator
    if below == 1:
        return number
    if number.constant:
        return constant(Fraction(math.floor(number.lower)))
    least = number.low * above // below
    _fits(number.low * above), _fits(number.high * above), _fits(below), _fits(least * below)
    shifted = _product(number.sql, above)
    if least:
        _fits(number.high * above - least * below)
        sql = f"((({shifted} - {units(least * below)}) // {below}) + {units(least)})"
    else:
        sql = f"({shifted} // {below})"
    return Number(sql, least, number.high * above // below, Fraction(1), number.nullable)


def ceiling(number: Number) -> Number:
    """Return the whole number at or above."""
    return number if number.grid.denominator == 1 else negative(floor(negative(number)))


def absolute(number: Number) -> Number:
    """Return |x|."""
    if number.constant:
        return constant(abs(number.lower))
    least = 0 if number.low <= 0 <= number.high else min(abs(number.low), abs(number.high))
    most = max(abs(number.low), abs(number.high))
    return Number(f"abs({number.sql})", least, most, number.grid, number.nullable)


def extreme(function: str, numbers: Sequence[Number]) -> Number:
    """Return the ``least`` or ``greatest``; missing ones are passed over, as DuckDB does."""
    _alike(numbers)
    parts = sorted(common(numbers), key=lambda number: number.sql)
    # Where one of them is missing another is the result, so that the bounds are those of all of them.
    sure = [part for part in parts if not part.nullable]
    low, high = min(part.low for part in parts), max(part.high for part in parts)
    if sure and function == "least":
        high = min(part.high for part in sure)
    elif sure:
        low = max(part.low for part in sure)
    sql = f"{function}({', '.join(part.sql for part in parts)})"
    return Number(sql, low, high, parts[0].grid, not sure, date=numbers[0].date)


def first_present(numbers: Sequence[Number]) -> Number:
    """Return COALESCE: the first that is not missing."""
    _alike(numbers)
    parts = common(numbers)
    sql = f"coalesce({', '.join(part.sql for part in parts)})"
    nullable = all(part.nullable for part in parts)
    return replace(_hull(sql, parts), nullable=nullable, date=numbers[0].date)


def choice(conditions: Sequence[str], numbers: Sequence[Number], other: Number | None) -> Number:
    """Return CASE WHEN condition THEN number … ELSE other END."""
    every = [*numbers, *([] if other is None else [other])]
    _alike(every)
    parts = common(every)
    arms = " ".join(
        f"WHEN {condition} THEN {part.sql}" for condition, part in zip(conditions, parts, strict=False)
    )
    tail = "" if other is None else f" ELSE {parts[-1].sql}"
    nullable = other is None or any(part.nullable for part in parts)
    points = None
    if all(number.points is not None for number in every):
        points = tuple(sorted({point for number in every for point in number.points or ()}))
    hull = _hull(f"(CASE {arms}{tail} END)", parts)
    return replace(hull, nullable=nullable, date=every[0].date, points=points)


def part_of_date(part: str, number: Number) -> Number:
    """Return the year, quarter, month or day of a date, or its day of the week (Sunday is 0)."""
    first, last = as_date(number.low), as_date(number.high)
    bounds = {
        "year": (first.year, last.year),
        "quarter": (1, 4),
        "month": (1, 12),
        "day": (1, 31),
        "dayofweek": (0, 6),
        "isodow": (1, 7),
    }[part]
    if part == "month" and first.year == last.year:
        bounds = (first.month, last.month)
    return Number(f"{part}({date_sql(number)})", *bounds, Fraction(1), number.nullable)


def date_sql(number: Number) -> str:
    """Return a date as a DATE in SQL; the cast cannot fail, and the years stay within 1 to 9999."""
    as_date(number.low), as_date(number.high)
    return f"(DATE '1970-01-01' + TRY_CAST({number.sql} AS INTEGER))"


def as_date(days: int) -> datetime.date:
    """Return the date that lies so many days after 1970-01-01."""
    if not DAYS[0] <= days <= DAYS[1]:
        raise BadInput("this date could lie outside the years 1 to 9999", remedy="ask the owner for bounds")
    return FIRST_DAY + datetime.timedelta(days=days)


def _product(sql: str, factor: int) -> str:
    return sql if factor == 1 else f"({sql} * {factor})"


def _hull(sql: str, parts: Sequence[Number]) -> Number:
    return Number(sql, min(part.low for part in parts), max(part.high for part in parts), parts[0].grid)


def _alike(numbers: Sequence[Number]) -> None:
    if len({number.date for number in numbers}) > 1:
        raise BadInput("dates and numbers stand side by side", remedy="let all branches be of one kind")


def _fits(count: int) -> int:
    if abs(count) >= LIMIT:
        raise _overflow()
    return count


def _overflow() -> BadInput:
    return BadInput(
        "this number could overflow: by its declared bounds it may reach 2^62 steps of its grid",
        remedy="multiply fewer columns, or ask the owner for narrower bounds or a coarser grid",
    )


def _common_divisor(one: Fraction, two: Fraction) -> Fraction:
    numerator = math.gcd(one.numerator * two.denominator, two.numerator * one.denominator)
    return Fraction(numerator, one.denominator * two.denominator)


def _power_of_ten_below(number: Fraction) -> Fraction:
    power = Fraction(1)
    while power > number:
        power /= 10
    while power * 10 <= number:
        power *= 10
    return power
