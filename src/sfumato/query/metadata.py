"""What is public about a data set: the only thing that questions, prices and error bars are made from.

Nothing here is ever computed from the data. When data are registered they are made to fit: numbers are
clamped to their bounds, values outside the list become missing, undeclared columns are not loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from sfumato.dp.neighbours import Neighbours


class Type(StrEnum):
    """What a column holds."""

    INTEGER = "integer"
    NUMBER = "number"
    """a decimal number; whole multiples of the column's grid"""
    CATEGORY = "category"
    BOOLEAN = "boolean"
    DATE = "date"
    """days; bounds are days since 1970-01-01"""


@dataclass(frozen=True)
class Column:
    """A column as it may be asked about. Bounds and values are declared, never looked up.

    Numbers and dates have ``lower`` and ``upper`` (dates as days since 1970-01-01) and a ``grid``: values are
    rounded to whole multiples of it. Categories have ``values``, or None when they are not public: groups
    are then chosen by partition selection.
    """

    name: str
    type: Type
    lower: Fraction | None = None
    upper: Fraction | None = None
    grid: Fraction = Fraction(1)
    values: tuple[str, ...] | None = None
    title: str = ""


@dataclass(frozen=True)
class Table:
    """A table of the data set: one row per event of a person."""

    name: str
    columns: Mapping[str, Column]
    person: str | None
    """the column that names the person (never itself asked about); None: a row is a person"""
    rows_per_person: int
    """most rows of one person that count; more are left out by a keyed hash"""
    max_rows: int
    """more rows than this are refused when the data are registered; sums cannot overflow below it"""
    source: str = ""
    """the file, relative to the metadata file"""


@dataclass(frozen=True)
class Metadata:
    """All that is public of a data set."""

    data_set: str
    tables: Mapping[str, Table]
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    groups_per_person: int = 1
    """most groups of one GROUP BY that one person counts in"""
    max_groups: int = 1_000_000
    """questions that could have more groups are refused"""
    max_delta: Fraction = Fraction(1, 10**6)
    """the largest δ of one question; less than 1 / people"""
    details: Mapping[str, str] = field(default_factory=dict)
