"""The original and the released records side by side: what measures of analytic tasks look at.

They need no common order: a release is shuffled, and some records are left out. Where the caller knows
which original row each released one came from, ``rows`` says so, and some measures become sharper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.measure import Measure, Measured
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.utility.labels import Cover, LabelReader, Members
from sfumato.table.utility.predicates import On, both

Conjunction = Mapping[str, On]
"""one condition for each of some columns, all of which must hold"""
_MOST_TERMS = 10
"""conditions joined by OR: the terms of their inclusion and exclusion double with each"""


class RecordMeasure(Measure, Protocol):
    """A measure of how well a task can still be done with a release."""

    def measure(self, records: Records) -> Measured:
        """Compare the original with the release."""


@dataclass(frozen=True)
class Side:
    """One column of one table: what each distinct label covers, and which one each row shows."""

    covers: list[Cover]
    shown: NDArray[np.int64]

    def shares(self, predicate: On) -> NDArray[np.float64]:
        """Return for every row which part of its label satisfies a condition."""
        return np.array([cover.share(predicate) for cover in self.covers], np.float64)[self.shown]


@dataclass(frozen=True)
class Records:
    """Two tables with the same columns, and the parts that columns play."""

    original: pa.Table
    released: pa.Table
    quasi: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    rows: NDArray[np.int64] | None = None
    """the original row of each released one, where it is known"""
    _readers: dict[str, LabelReader] = field(default_factory=dict, repr=False, compare=False)
    _sides: dict[tuple[str, bool], Side] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.original.num_rows:
            raise BadInput("the original has no rows", remedy="give a table with at least one row")
        for name in self.quasi:
            self.check(name)
        if self.rows is not None and len(self.rows) != self.released.num_rows:
            raise BadInput("there must be one original row for each released one")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that both tables have, in the order of the original."""
        return tuple(name for name in self.original.column_names if name in self.released.column_names)

    def check(self, name: str) -> None:
        """Refuse a column that one of the tables does not have."""
        for what, table in (("original", self.original), ("release", self.released)):
            if name not in table.column_names:
                raise BadInput(f"the {what} has no column '{name}'", remedy=nearest(name, table.column_names))

    def chosen(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that were named, or else the quasi-identifiers."""
        for name in names:
            self.check(name)
        return tuple(names) or self.quasi or self.columns

    def reader(self, name: str) -> LabelReader:
        """Return what reads the labels of a column."""
        if name not in self._readers:
            self.check(name)
            hierarchy = self.hierarchies.get(name)
            self._readers[name] = LabelReader.of(name, self.original.column(name), hierarchy)
        return self._readers[name]

    def side(self, name: str, *, released: bool) -> Side:
        """Return a column of one of the tables, read."""
        key = (name, released)
        if key not in self._sides:
            reader = self.reader(name)
            if not released:
                # An original value stands for itself, whatever a hierarchy calls by the same name.
                reader = LabelReader(reader.domain)
            table = self.released if released else self.original
            self._sides[key] = Side(*reader.covers(table.column(name)))
        return self._sides[key]

    def expected(self, condition: Sequence[Conjunction], *, released: bool) -> float:
        """Return how many records satisfy one of the conjunctions: exactly, or as a release lets expect."""
        if len(condition) > _MOST_TERMS:
            raise BadInput(
                f"the condition has {len(condition)} alternatives",
                remedy=f"join at most {_MOST_TERMS} by OR",
            )
        total = 0.0
        for size in range(1, len(condition) + 1):
            for some in combinations(condition, size):
                total += (-1) ** (size + 1) * self._all_of(_together(some), released=released)
        return total

    def _all_of(self, conjunction: Conjunction, *, released: bool) -> float:
        """Add up, over the records, the product of the shares: columns are taken as independent in a box."""
        table = self.released if released else self.original
        product = np.ones(table.num_rows)
        for name, predicate in conjunction.items():
            product *= self.side(name, released=released).shares(predicate)
        return float(product.sum())

    def numbers(self, name: str, *, released: bool) -> NDArray[np.float64]:
        """Return a column of an axis as numbers: labels by their middle, missing as NaN."""
        if not self.reader(name).on_axis:
            raise BadInput("its values are no numbers", where=f"column '{name}'", remedy="name other columns")
        side = self.side(name, released=released)
        whole = 1.0 if self.reader(name).whole else 0.0
        middles = [
            np.nan if isinstance(cover, Members) or cover.missing == 1.0 else cover.middle - whole / 2
            for cover in side.covers
        ]
        return np.array(middles, np.float64)[side.shown]


def _together(some: Sequence[Conjunction]) -> Conjunction:
    merged: dict[str, On] = {}
    for conjunction in some:
        for name, predicate in conjunction.items():
            merged[name] = both(merged[name], predicate) if name in merged else predicate
    return merged
