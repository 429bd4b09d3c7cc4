"""Rules as kernels read them: plain numbers, and what they need to know of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.table import exact
from sfumato.table.cells import Cells
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.rule_tables import numbers_of

_MOST_EXACT = 2**62
_TABULATED = 4096
"""counts f up to which f · ln f is looked up"""
_KERNEL_KIND = {
    RuleKind.LIKENESS: RuleKind.MAX_SHARE,
    RuleKind.LIKENESS_ENHANCED: RuleKind.MAX_SHARE,
    RuleKind.CLOSE_NUMERIC: RuleKind.CLOSE_ORDERED,
}
"""kinds that are one loop for kernels, with other numbers in its table"""
_WITH_WHOLE_NUMBER = {
    RuleKind.MIN_PERSONS: 0,
    RuleKind.MIN_POPULATION: 0,
    RuleKind.DISTINCT: 0,
    RuleKind.RECURSIVE: 2,
    RuleKind.NEIGHBOURHOOD: 2,
}
"""where a kind has a parameter that is a whole number"""
_COUNTED_EXACTLY = frozenset({RuleKind.MAX_SHARE, RuleKind.RECURSIVE, RuleKind.PRESENCE})
"""kinds that compare whole numbers with a fraction of others, often equal ones"""


class Line(NamedTuple):
    """A rule as kernels read it."""

    kind: int
    whole: int
    """its whole number (k, l, m, the height of a hierarchy)"""
    bound: float
    """its fraction"""
    upper: float
    """its second fraction"""
    numerator: int
    denominator: int
    upper_numerator: int
    upper_denominator: int
    exact: bool
    """whether its fractions times the number of people fit into 63 bits"""
    values: int
    """how many sensitive values there are"""
    groups: int
    """how many combinations of what is known"""
    hereditary: bool
    monotone: bool
    bounded: bool
    """whether it is worked out how many must go; not along a hierarchy of several roots"""
    everybody: int
    """all rows"""
    table: NDArray[np.float64]
    """what it needs to know of the whole table"""


class Book(NamedTuple):
    """Several rules for a kernel that asks them all: as ``Line``, one entry for each, tables in a row."""

    kind: NDArray[np.int64]
    whole: NDArray[np.int64]
    bound: NDArray[np.float64]
    upper: NDArray[np.float64]
    numerator: NDArray[np.int64]
    denominator: NDArray[np.int64]
    upper_numerator: NDArray[np.int64]
    upper_denominator: NDArray[np.int64]
    exact: NDArray[np.bool_]
    values: NDArray[np.int64]
    groups: NDArray[np.int64]
    hereditary: NDArray[np.bool_]
    monotone: NDArray[np.bool_]
    bounded: NDArray[np.bool_]
    everybody: NDArray[np.int64]
    begins: NDArray[np.int64]
    """where the table of each rule begins; the last entry is where all end"""
    table: NDArray[np.float64]


def book_of(lines: Sequence[Line]) -> Book:
    """Bind lines into a book."""
    floats, flags = ("bound", "upper"), ("exact", "hereditary", "monotone", "bounded")
    columns: dict[str, Any] = {}
    for name in Line._fields[:-1]:
        kind = np.float64 if name in floats else np.bool_ if name in flags else np.int64
        columns[name] = np.array([getattr(line, name) for line in lines], kind)
    begins = np.cumsum([0, *(len(line.table) for line in lines)]).astype(np.int64)
    table = np.concatenate([np.zeros(0), *(line.table for line in lines)])
    return Book(**columns, begins=begins, table=table)


def line_of(rule: Rule, cells: Cells, facts: exact.Facts | None) -> Line:
    """Write a rule down for kernels."""
    first = second = Fraction(0)
    if rule.kind not in (RuleKind.MIN_PERSONS, RuleKind.MIN_POPULATION, RuleKind.DISTINCT):
        first = exact.fraction(rule)
        second = exact.fraction(rule, 2) if rule.kind is RuleKind.PRESENCE else first
    people = max(cells.total_rows, 0 if cells.population is None else int(cells.population.sum()))
    numbers = (first.numerator, first.denominator, second.numerator, second.denominator)
    counted = rule.kind in _COUNTED_EXACTLY and max(numbers) * people < _MOST_EXACT
    whole = rule.parameters[_WITH_WHOLE_NUMBER[rule.kind]] if rule.kind in _WITH_WHOLE_NUMBER else 0
    values, groups, bounded, table = 1, 1, True, np.zeros(0)
    if rule.column is not None and facts is not None:
        histogram = cells.histogram(rule.column, rule.known, in_rows=rule.in_rows)
        values, groups = len(histogram.domain), len(histogram.groups)
        table = np.ascontiguousarray(numbers_of(rule, facts, histogram), np.float64)
        if rule.kind is RuleKind.ENTROPY:
            counts = np.arange(_TABULATED, dtype=np.float64)
            table = counts * np.log(np.maximum(counts, 1.0))
        if facts.ladder is not None and rule.kind is RuleKind.CLOSE_HIERARCHICAL:
            whole, bounded = facts.ladder.height, not facts.ladder.rungs[-1].any()
    return Line(
        int(_KERNEL_KIND.get(rule.kind, rule.kind)),
        whole,
        float(first),
        float(second),
        *(numbers if counted else (0, 1, 0, 1)),
        counted,
        values,
        groups,
        rule.hereditary,
        rule.monotone,
        bounded,
        cells.total_rows,
        np.array(table),
    )
