"""What is counted exactly for each measure, and how much one person can change it.

A measure is made of one or a few whole numbers per group, and the noise goes onto these. Means and variances
are not taken from a sum and a count, each with its own noise. With x between l and u and t = (x − l)/(u − l)
in [0, 1], a row adds to each of the Bernstein polynomials (S. Bernstein, 1912)

    mean:      t, 1 − t                      variance:  t², 2t(1 − t), (1 − t)²

which are never negative and add up to 1. So one row changes all of them together by exactly 1 in L1, where a
centred sum and a count change by 2 and need half of ε each. Their total is the number of rows n, and

    mean = l + (u − l) Σt / n        variance = (u − l)² (Σt² / n − (Σt / n)²).

The error of a mean is therefore smaller by √2 than with a centred sum, wherever the mean lies.

Everything here is made from the question and from metadata. Δ are upper bounds over all pairs of neighbours,
for a person with at most r rows that count (in all groups together) in at most g groups.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sfumato.dp import sensitivity as known
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.sensitivity import Contribution, Sensitivity
from sfumato.query.metadata import Metadata
from sfumato.query.question import Expression, Measure, Question, Statistic

WIDEST_SQUARE = 2**30
"""wider ranges are coarsened before they are squared; the squares of one row then fit 64 bits"""


@dataclass(frozen=True)
class Reach:
    """How far one person, and all people, reach into a question. From metadata alone."""

    rows: int
    """most rows of one person that count, in all groups together"""
    groups: int
    """most groups that one person counts in"""
    grouped: bool
    total: int
    """most rows that can count at all"""
    neighbours: Neighbours
    bound_rows: bool
    """whether rows beyond have to be left out when the question is run (joins)"""
    bound_groups: bool
    """whether groups beyond have to be left out when the question is run"""
    complete: bool = False
    """whether all neighbours have as many rows: one table, rows are people, all are asked, one is replaced"""

    @classmethod
    def of(cls, question: Question, metadata: Metadata) -> Reach:
        """Find out how far people reach.

        Rows are bounded over all groups together, which already bounds what a person does to counts, sums,
        means, variances and quantiles however many groups there are. Only counts of persons, and the choice
        of unknown groups, need the bound on groups, so only then are groups left out.
        """
        tables = [metadata.tables[name] for name in question.tables]
        joined = math.prod(1 if table.person is None else table.rows_per_person for table in tables)
        rows = min(question.rows_per_person, joined)
        in_persons = any(measure.statistic is Statistic.PERSONS for measure in question.measures)
        unknown = any(key.values is None for key in question.keys)
        groups = min(rows, question.groups_per_person) if in_persons or unknown else rows
        largest = min(table.max_rows for table in tables)
        return cls(
            rows,
            groups,
            bool(question.keys),
            largest if len(tables) == 1 else largest * rows,
            metadata.neighbours,
            rows < joined,
            bool(question.keys) and groups < rows,
            # With other tables beside it somebody may be in those alone, and be replaced by one who is not.
            metadata.neighbours is Neighbours.SUBSTITUTION
            and not (question.keys or question.where)
            and len(metadata.tables) == 1
            and tables[0].person is None,
        )

    @property
    def contribution(self) -> Contribution:
        """The same for the sensitivities of the dp room."""
        return Contribution(self.rows, self.groups if self.grouped else None)

    @property
    def touched(self) -> int:
        """Most groups in which neighbours can differ."""
        if not self.grouped:
            return 1
        return self.groups * (1 if self.neighbours is Neighbours.ADD_REMOVE else 2)


@dataclass(frozen=True)
class Additive:
    """Whole numbers per group that get noise: ``aggregates`` are SQL over the column of the measure.

    With a ``divisor`` they are divided by it, towards zero, so that they and their noise fit 64 bits; a
    number that changes by Δ then changes by at most ⌈Δ / divisor⌉. No aggregates: the answer is a constant.
    """

    aggregates: tuple[str, ...]
    sensitivity: Sensitivity
    largest: int
    """no aggregate is larger in absolute value, whatever the data"""
    row: int = 1
    """what one row adds to all aggregates together, before they are divided (means and variances)"""
    divisor: int = 1
    shared: tuple[str, ...] = ()
    """aggregates that are the same for all neighbours: told to the estimate without noise"""

    def divided(self, divisor: int, touched: int) -> Additive:
        """Return the same in coarser units, with the sensitivity that rounding leaves."""
        if divisor == 1:
            return self
        cells = touched * len(self.aggregates)
        before = self.sensitivity
        # Δᵢ/d + 1 per number: in L1 they add up, in L2 by the triangle inequality.
        l2 = before.l2 / divisor + Fraction(math.isqrt(cells) + 1)
        after = Sensitivity(before.l1 / divisor + cells, l2**2, before.linf / divisor + 1, before.neighbours)
        pieces = tuple(f"({aggregate}) // {divisor}" for aggregate in self.aggregates)
        return Additive(pieces, after, self.largest // divisor + 1, self.row, divisor, self.shared)


def units(expression: Expression) -> tuple[int, int]:
    """Return the smallest and the largest whole number of grid units of an expression."""
    lower = math.ceil(expression.lower / expression.grid)
    return lower, max(lower, math.floor(expression.upper / expression.grid))


def square_step(expression: Expression) -> int:
    """Return how many grid units are taken as one before squaring."""
    lower, upper = units(expression)
    return -(-(upper - lower) // WIDEST_SQUARE) or 1


def additive(measure: Measure, column: str, reach: Reach) -> Additive:
    """Return the numbers of a measure that is not a quantile. ``column`` holds its units, clamped."""
    where = reach.contribution
    match measure.statistic:
        case Statistic.COUNT:
            counted = "COUNT(*)" if measure.expression is None else f"COUNT({column})"
            return Additive((counted,), known.count(where, reach.neighbours), reach.total)
        case Statistic.PERSONS:
            groups = reach.groups if reach.grouped else None
            return Additive((persons(reach),), known.persons(groups, reach.neighbours), reach.total)
        case Statistic.SUM:
            assert measure.expression is not None
            lower, upper = units(measure.expression)
            most = max(abs(lower), abs(upper))
            change = known.total(lower, upper, where, reach.neighbours)
            summed = (f"COALESCE(SUM({column}), 0)",) if most else ()
            return Additive(summed, change, reach.total * most)
        case Statistic.MEAN:
            assert measure.expression is not None
            lower, upper = units(measure.expression)
            width = upper - lower
            rows, total = f"COUNT({column})::HUGEINT", f"COALESCE(SUM({column}), 0)"
            if reach.complete and width:
                return _replaced(f"{total} - {lower} * {rows}", rows, width, reach)
            two = (f"{total} - {lower} * {rows}", f"{upper} * {rows} - {total}")
            return _partition(two, width, reach)
        case Statistic.VARIANCE:
            assert measure.expression is not None
            lower, upper = units(measure.expression)
            step = square_step(measure.expression)
            width = (upper - lower) // step
            a = f"(({column} - {lower}) // {step})" if step > 1 else f"({column} - {lower})"
            rows = f"COUNT({column})::HUGEINT"
            first, second = f"COALESCE(SUM({a}), 0)", f"COALESCE(SUM({a} * {a}), 0)"
            three = (
                second,
                f"2 * ({width} * {first} - {second})",
                f"{width * width}::HUGEINT * {rows} - {2 * width} * {first} + {second}",
            )
            return _partition(three, width * width, reach)
        case _:
            raise AssertionError("quantiles are chosen, not added up")


def _replaced(total: str, rows: str, width: int, reach: Reach) -> Additive:
    """Return the numbers of a mean where one row is replaced by another and the number of rows is public.

    With a = x − l and w = u − l a row adds (2a, 0), a missing one (w, w). Two rows differ by
    2|a − a′| ≤ 2w, or by |2a − w| + w ≤ 2w where one of them is missing: Δ₁ = 2w, and Δ₂² = 4w².
    """
    missing = f"{width} * (COUNT(*)::HUGEINT - {rows})"
    change = Sensitivity(Fraction(2 * width), Fraction(4 * width**2), Fraction(2 * width), reach.neighbours)
    numbers = (f"2 * ({total}) + {missing}", missing)
    return Additive(numbers, change, 2 * reach.total * width, 2 * width, shared=("COUNT(*)",))


def persons(reach: Reach) -> str:
    """Return the SQL that counts people."""
    return "COUNT(*)" if reach.rows == 1 else "COUNT(DISTINCT person)"


def _partition(pieces: tuple[str, ...], width: int, reach: Reach) -> Additive:
    """Return numbers to which each row adds something that is not negative, ``width`` in all.

    One person adds v ≥ 0 with ‖v‖₁ ≤ r · width, and ‖v‖₂ ≤ ‖v‖₁. Replaced by a person who adds w ≥ 0,
    ‖v − w‖₁ ≤ ‖v‖₁ + ‖w‖₁ and, as v · w ≥ 0, ‖v − w‖₂² ≤ ‖v‖₂² + ‖w‖₂².
    """
    most = Fraction(reach.rows * width)
    times = 1 if reach.neighbours is Neighbours.ADD_REMOVE else 2
    change = Sensitivity(times * most, times * most**2, most, reach.neighbours)
    return Additive(pieces if width else (), change, reach.total * width, width)
