"""Which attributes identify: the risk of every combination of quasi-identifiers up to some size.

L. Sweeney, "Simple demographics often identify people uniquely" (2000): date of birth, sex and five-digit
ZIP code single out 87 % of the people of the United States, each of them alone hardly anybody. C. C.
Aggarwal, "On k-anonymity and the curse of dimensionality" (2005): the more an adversary knows, the fewer
people look alike.

For a set S of columns, with f_i persons in the i-th class of S, c classes and N persons,

    uniques(S) = |{i : f_i = 1}| / N,    average(S) = c / N,    above(S) = Σ {f_i : 1 / f_i > threshold} / N,

and all of them grow with S. Where a person has rows in several classes of S, they are upper bounds, as in
``ClassSizes``.

This is about identity disclosure to somebody who knows exactly S of a person who is in the data. It does
not say who knows what, nor whether somebody who is unique here is unique in the population.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.cells import Cells
from sfumato.table.risk._kernels_subsets import sum_up
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD
from sfumato.table.risk.walk import checked_size, classes_of_subsets, number_of_subsets, occupied

DEFAULT_SHARE = Fraction(1, 2)
"""a combination that singles out half of the people is called identifying unless another share is asked"""
SHOWN = 10
"""combinations in a printed table"""


@dataclass(frozen=True)
class SubsetRisk:
    """What somebody who knows these columns of a person can do with them."""

    columns: tuple[str, ...]
    classes: int
    smallest: int
    """persons in the smallest class"""
    uniques: int
    """persons who are alone with their values"""
    unique_share: float
    average: float
    """average prosecutor risk: the share of persons who would be found by guessing within their class"""
    above: int
    """persons whose prosecutor risk is above the threshold"""
    share_above: float
    distinction: float
    """distinct combinations / rows"""
    separation: float | None
    """the share of pairs of rows that differ; None when there is one row"""

    def __str__(self) -> str:
        return (
            f"{', '.join(self.columns)}: {self.uniques:,} uniques ({100 * self.unique_share:.1f} %), "
            f"average risk {100 * self.average:.1f} %, smallest class {self.smallest:,}"
        )


@dataclass(frozen=True)
class Growth:
    """What an adversary gains who knows ``size`` columns: over all combinations of so many."""

    size: int
    subsets: int
    least_unique: float
    mean_unique: float
    greatest_unique: float
    least_average: float
    mean_average: float
    greatest_average: float


@dataclass(frozen=True)
class SubsetRisks:
    """The risk of every combination of up to ``up_to`` quasi-identifiers.

    >>> import pyarrow as pa
    >>> from sfumato.engine import open_engine
    >>> from sfumato.engine.sources import Frame
    >>> from sfumato.table.count import count
    >>> people = pa.table({"birth": [1, 1, 2, 2], "zip": [5, 6, 5, 6], "sex": ["f", "f", "f", "m"]})
    >>> table = open_engine("duckdb").read(Frame(people))
    >>> risks = SubsetRisks.of(count(table, ["birth", "zip", "sex"]).cells, up_to=2)
    >>> print(risks.identifying()[0])
    birth, zip: 4 uniques (100.0 %), average risk 100.0 %, smallest class 1
    >>> [(step.size, step.greatest_unique) for step in risks.growth]
    [(1, 0.25), (2, 1.0)]
    """

    subsets: tuple[SubsetRisk, ...] = field(repr=False)
    """fewer columns first, then in the order of the columns"""
    together: SubsetRisk
    """all quasi-identifiers at once, whatever ``up_to``"""
    up_to: int
    persons: int
    threshold: Fraction
    upper_bounds: bool
    """some persons have rows in several classes, so shares of persons are upper bounds"""

    threat = Threat.IDENTITY

    @classmethod
    def of(
        cls,
        cells: Cells,
        up_to: int = 3,
        threshold: Fraction | float = DEFAULT_THRESHOLD,
        progress: Progress = SILENT,
    ) -> SubsetRisks:
        """Measure every combination of one to ``up_to`` columns of counted cells."""
        size = checked_size(cells, up_to)
        limit = _as_share(threshold, "the risk threshold")
        inside = occupied(cells)
        if not len(inside):
            raise BadInput("there is nobody in the table", remedy="give a table with at least one row")
        measure = _Measure(inside.total_rows, inside.total_persons, limit)
        progress.step("measuring combinations of columns")
        number = number_of_subsets(len(cells.domains), size)
        found = []
        for done, classes in enumerate(classes_of_subsets(inside, size), 1):
            names = tuple(cells.names[j] for j in classes.columns)
            found.append((len(names), classes.columns, measure.of(names, classes.persons, classes.rows)))
            progress.update(done / number)
        subsets = tuple(risk for _, _, risk in sorted(found, key=lambda each: each[:2]))
        together = measure.of(cells.names, np.array(inside.persons), np.array(inside.rows))
        return cls(subsets, together, size, measure.persons, limit, inside.spans is not None)

    def identifying(self, share: Fraction | float = DEFAULT_SHARE) -> tuple[SubsetRisk, ...]:
        """Return the smallest combinations that single out at least this share of the persons.

        A combination is listed when no part of it does so already. Those with the fewest columns come
        first, and among them those with the most uniques. None: no combination of up to ``up_to`` does.
        """
        limit = _as_share(share, "the share of unique persons")
        enough: set[tuple[str, ...]] = set()
        found = []
        for risk in self.subsets:
            if risk.uniques * limit.denominator >= limit.numerator * self.persons:
                # Uniques stay unique when more is known: what some part does, one that lacks a column does.
                parts = (risk.columns[:j] + risk.columns[j + 1 :] for j in range(len(risk.columns)))
                if not any(part in enough for part in parts):
                    found.append(risk)
                enough.add(risk.columns)
        return tuple(sorted(found, key=lambda risk: (len(risk.columns), -risk.uniques)))

    @cached_property
    def growth(self) -> tuple[Growth, ...]:
        """How risk grows with the number of columns that an adversary knows."""
        return tuple(
            _growth(size, [risk for risk in self.subsets if len(risk.columns) == size])
            for size in range(1, self.up_to + 1)
        )

    @property
    def ranked(self) -> tuple[SubsetRisk, ...]:
        """All combinations, those with the most uniques first, then those with the highest average risk."""
        return tuple(sorted(self.subsets, key=lambda r: (-r.uniques, -r.classes, len(r.columns))))

    def __str__(self) -> str:
        shown = self.ranked[:SHOWN]
        names = [", ".join(risk.columns) for risk in shown]
        width = max(7, *map(len, names))
        wide = max(7, *(len(f"{risk.uniques:,}") for risk in shown))
        number, limit = len(self.subsets), f"above {100 * float(self.threshold):.3g} %"
        bounds = "; shares are upper bounds" if self.upper_bounds else ""
        lines = [
            f"{number:,} combinations of up to {self.up_to} columns, {self.persons:,} persons{bounds}",
            f"{'columns':<{width}}  smallest  {'uniques':>{wide}}   unique  average  {limit:>11}",
        ]
        for name, risk in zip(names, shown, strict=True):
            unique, average, above = (
                f"{100 * share:.1f} %" for share in (risk.unique_share, risk.average, risk.share_above)
            )
            lines.append(
                f"{name:<{width}}  {risk.smallest:>8,}  {risk.uniques:>{wide},}  "
                f"{unique:>7}  {average:>7}  {above:>11}"
            )
        if number > SHOWN:
            lines.append(f"and {number - SHOWN:,} more")
        return "\n".join(lines)


@dataclass(frozen=True)
class _Measure:
    """Sums the classes of a combination up; the same formulas as ``Uniques`` and ``ProsecutorRisk``."""

    rows: int
    persons: int
    threshold: Fraction

    def of(self, names: tuple[str, ...], persons: np.ndarray, rows: np.ndarray) -> SubsetRisk:
        limit = self.threshold
        # 1/f > p/q for whole f is f < q/p, that is f ≤ ⌈q/p⌉ − 1.
        most = -(-limit.denominator // limit.numerator) - 1 if limit else self.persons
        found = np.empty(4, np.int64)
        sum_up(persons, rows, min(most, self.persons), found)
        smallest, alone, above, agreeing = (int(number) for number in found)
        uniques, above = min(alone, self.persons), min(above, self.persons)
        pairs = self.rows * (self.rows - 1) // 2
        return SubsetRisk(
            columns=names,
            classes=len(persons),
            smallest=smallest,
            uniques=uniques,
            unique_share=uniques / self.persons,
            average=min(len(persons) / self.persons, 1 / smallest),
            above=above,
            share_above=above / self.persons,
            distinction=len(persons) / self.rows,
            separation=(pairs - agreeing) / pairs if pairs else None,
        )


def _growth(size: int, subsets: Sequence[SubsetRisk]) -> Growth:
    unique = [risk.unique_share for risk in subsets]
    average = [risk.average for risk in subsets]
    return Growth(
        size,
        len(subsets),
        min(unique),
        sum(unique) / len(unique),
        max(unique),
        min(average),
        sum(average) / len(average),
        max(average),
    )


def _as_share(given: Fraction | float, what: str) -> Fraction:
    """Read a share as the fraction that was meant: 0.2 is 1/5, and 1/3 in floating point is 1/3."""
    if isinstance(given, bool) or not 0 <= given <= 1:
        raise BadInput(f"{what} must lie between 0 and 1", remedy="for example 0.2")
    return given if isinstance(given, Fraction) else Fraction(given).limit_denominator(10**9)
