"""The one contract of all engines: read, count, recode, write. Nothing else knows which engine runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from sfumato.engine.recoding import Recoding
from sfumato.engine.sources import Source


class Order(StrEnum):
    """The order of released rows."""

    SHUFFLED = "shuffled"
    """a fresh random order: the order of the source links rows to people"""
    KEPT = "kept"
    """the order of the source"""


class Suppressed(StrEnum):
    """What becomes of suppressed records."""

    DROP = "drop"
    """left out and counted"""
    STAR = "star"
    """kept, with quasi-identifiers ``*`` and sensitive values blank"""


@dataclass(frozen=True)
class Column:
    """A column's name and type (string, integer, number, boolean, date, datetime)."""

    name: str
    type: str


@dataclass(frozen=True)
class Table:
    """A handle on rows that live in an engine."""

    engine: Engine
    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True)
class Summary:
    """What can be said of a column in one pass: rows, missing values, distinct values (not missing)."""

    name: str
    type: str
    rows: int
    missing: int
    distinct: int


@dataclass(frozen=True)
class Candidates:
    """How many people a column leaves with few candidates, when it is known beside the quasi-identifiers.

    The candidates of a person are those who show the same quasi-identifiers and the same value.
    """

    people: int
    """all people of the table"""
    fewer: int
    """those with fewer candidates than asked for"""
    added: int
    """those of them whose candidates by the quasi-identifiers alone are more"""


@dataclass(frozen=True)
class Groups:
    """What can be said of the groups of rows with equal values, of n people each."""

    number: int
    members: int
    """Σ n"""
    squares: int
    """Σ n²"""
    singles: int
    """groups of one, no value of which is missing"""


@dataclass(frozen=True)
class Layout:
    """How recoded rows are laid out for a release.

    ``columns`` are released in this order; ``quasi`` and ``sensitive`` say which of them are blanked
    in suppressed rows that are kept.
    """

    columns: tuple[str, ...]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    suppressed: Suppressed = Suppressed.DROP


class Engine(Protocol):
    """Where rows live."""

    name: str

    def read(self, source: Source, *, row_ids: bool = False) -> Table:
        """Open a source. With ``row_ids`` every row gets an id (for ``PerRecord``)."""

    def rows(self, table: Table) -> int:
        """Count the rows."""

    def scan(self, table: Table) -> Iterator[pa.RecordBatch]:
        """Stream all rows, in no promised order."""

    def as_text(self, table: Table) -> Table:
        """Return the table with every value as the text that a CSV file would hold."""

    def summarise(self, table: Table) -> list[Summary]:
        """Describe every column in one pass."""

    def sample(self, table: Table, column: str, limit: int = 200) -> list[Any]:
        """Return some distinct values of a column that are not missing (for local use only)."""

    def count(
        self, table: Table, quasi: Sequence[str], *, person: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Group by the quasi-identifiers: one GROUP BY where the data live.

        Batches hold the raw values of ``quasi`` in order, then the number of rows and of distinct
        persons (rows again when no person column is given). Missing is a group of its own.
        """

    def estimate(self, table: Table, quasi: Sequence[str]) -> int:
        """Estimate the number of distinct combinations, within a few per cent, in little memory."""

    def spans(self, table: Table, quasi: Sequence[str], person: str) -> Iterator[pa.RecordBatch]:
        """Return the cells of persons who lie in more than one: a person number, then ``quasi``."""

    def first_rows(
        self, table: Table, quasi: Sequence[str], combination: pa.Table, limit: int = 3
    ) -> list[int]:
        """Return the first row numbers (from 1) whose ``quasi`` are one of the combinations."""

    def candidates(
        self,
        table: Table,
        quasi: Sequence[str],
        column: str,
        *,
        fewer_than: int,
        person: str | None = None,
    ) -> Candidates:
        """Count the people with few candidates when a column is known, too; rows without a person column."""

    def groups(self, table: Table, columns: Sequence[str], *, person: str | None = None) -> Groups:
        """Describe the groups of equal values; missing is a value of its own."""

    def recode(self, table: Table, recoding: Recoding, layout: Layout) -> Table:
        """Apply a recoding; nothing is read or written yet."""

    def write(self, table: Table, path: Path, *, order: Order = Order.SHUFFLED) -> int:
        """Stream a table to one CSV or Parquet file (by its suffix) and return the number of rows."""

    def arrow(self, table: Table, *, order: Order = Order.KEPT) -> pa.Table:
        """Bring a table into memory."""

    def close(self) -> None:
        """Let go of everything, temporary files included."""
