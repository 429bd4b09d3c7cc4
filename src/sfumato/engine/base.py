"""What SQL engines share: every statement is built here and run by the engine."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.engine import sql
from sfumato.engine.contract import Candidates, Column, Groups, Layout, Order, Summary, Table
from sfumato.engine.names import HIT, ROW_ID
from sfumato.engine.recoding import PerAttribute, PerRecord, Recoding
from sfumato.engine.sources import Source


class SqlEngine(ABC):
    """An engine that understands SQL: subclasses open sources, run statements and write files."""

    name: str

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    @abstractmethod
    def read(self, source: Source, *, row_ids: bool = False) -> Table:
        """Open a source."""

    @abstractmethod
    def write(self, table: Table, path: Path, *, order: Order = Order.SHUFFLED) -> int:
        """Stream a table to one file."""

    @abstractmethod
    def arrow(self, table: Table, *, order: Order = Order.KEPT) -> pa.Table:
        """Bring a table into memory."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything."""

    @abstractmethod
    def _batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Run a query and stream its rows."""

    @abstractmethod
    def _view(self, name: str, statement: str) -> tuple[Column, ...]:
        """Give a query a name; nothing runs yet. Return its columns."""

    @abstractmethod
    def _share(self, name: str, data: pa.Table) -> None:
        """Make a small Arrow table visible to SQL under a name."""

    @abstractmethod
    def _number_rows(self, table: Table) -> str:
        """Return a query that adds the column ROW_ID (from 1, in source order) to a table."""

    def _fresh(self, stem: str) -> str:
        return f"{stem}_{next(self._numbers)}"

    def _shared(self, stem: str, data: pa.Table) -> str:
        name = self._fresh(stem)
        self._share(name, data)
        return name

    def _table(self, statement: str) -> Table:
        name = self._fresh("t")
        columns = self._view(name, statement)
        return Table(self, name, tuple(column for column in columns if column.name != ROW_ID))

    def _all(self, statement: str) -> pa.Table:
        return pa.Table.from_batches(list(self._batches(statement)))

    def rows(self, table: Table) -> int:
        """Count the rows."""
        return int(self._all(f"SELECT COUNT(*) AS n FROM {table.name}")["n"][0].as_py())

    def scan(self, table: Table) -> Iterator[pa.RecordBatch]:
        """Stream all rows."""
        return self._batches(f"SELECT * FROM {table.name}")

    def as_text(self, table: Table) -> Table:
        """Return the table with every value as text."""
        picked = (f"CAST({sql.quote(name)} AS TEXT) AS {sql.quote(name)}" for name in table.names)
        return self._table(f"SELECT {', '.join(picked)} FROM {table.name}")

    def summarise(self, table: Table) -> list[Summary]:
        """Describe every column in one pass."""
        found = self._all(sql.summarise(table.name, table.names)).to_pylist()[0]
        return [
            Summary(column.name, column.type, found["n"], found["n"] - found[f"p{i}"], found[f"d{i}"])
            for i, column in enumerate(table.columns)
        ]

    def sample(self, table: Table, column: str, limit: int = 200) -> list[Any]:
        """Return some distinct values of a column that are not missing."""
        name = sql.quote(column)
        found = self._all(
            f"SELECT DISTINCT {name} AS v FROM (SELECT {name} FROM {table.name} "
            f"WHERE {name} IS NOT NULL LIMIT {50 * limit}) AS s LIMIT {limit}"
        )
        return found.column(0).to_pylist() if found.num_rows else []

    def count(
        self, table: Table, quasi: Sequence[str], *, person: str | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Group by the quasi-identifiers where the data live."""
        return self._batches(sql.count(table.name, quasi, person))

    def estimate(self, table: Table, quasi: Sequence[str]) -> int:
        """Estimate the number of distinct combinations."""
        return int(self._all(sql.estimate(table.name, quasi)).column(0)[0].as_py())

    def spans(self, table: Table, quasi: Sequence[str], person: str) -> Iterator[pa.RecordBatch]:
        """Return the cells of persons who lie in more than one."""
        return self._batches(sql.spans(table.name, quasi, person))

    def first_rows(
        self, table: Table, quasi: Sequence[str], combination: pa.Table, limit: int = 3
    ) -> list[int]:
        """Return the first row numbers whose values are one of the combinations."""
        numbered = f"({self._number_rows(table)})"
        wanted = self._shared("combinations", combination)
        found = self._all(sql.matching_rows(numbered, wanted, quasi, limit))
        return [int(row) for row in found.column(0).to_pylist()] if found.num_rows else []

    def candidates(
        self,
        table: Table,
        quasi: Sequence[str],
        column: str,
        *,
        fewer_than: int,
        person: str | None = None,
    ) -> Candidates:
        """Count the people with few candidates when a column is known, too, where the data live."""
        found = self._figures(sql.candidates(table.name, quasi, column, fewer_than, person))
        return Candidates(found["people"], found["fewer"], found["added"])

    def groups(self, table: Table, columns: Sequence[str], *, person: str | None = None) -> Groups:
        """Describe the groups of equal values, where the data live."""
        found = self._figures(sql.groups(table.name, columns, person))
        return Groups(found["number"], found["members"], found["squares"], found["singles"])

    def _figures(self, statement: str) -> dict[str, int]:
        """Return the one row of a statement; a sum over nothing is 0."""
        return {name: int(value or 0) for name, value in self._all(statement).to_pylist()[0].items()}

    def recode(self, table: Table, recoding: Recoding, layout: Layout) -> Table:
        """Apply a recoding as one statement."""
        keep_row = self._has_row_ids(table)
        if isinstance(recoding, PerRecord) and not keep_row:
            raise BadInput("the rows of the table have no ids", remedy="read it with row_ids=True")
        wanted = set(layout.columns) | set(recoding.quasi)
        columns = [name for name in table.names if name in wanted]
        if isinstance(recoding, PerAttribute):
            suppressed = None
            if recoding.suppressed is not None and recoding.suppressed.num_rows:
                hits = pa.array([True] * recoding.suppressed.num_rows)
                suppressed = self._shared("suppressed", recoding.suppressed.append_column(HIT, hits))
            maps = {name: self._shared("map", data) for name, data in recoding.maps.items()}
            statement = sql.recode_per_attribute(
                table.name, columns, maps, suppressed, recoding.quasi, layout, keep_row=keep_row
            )
        else:
            members = recoding.rows if isinstance(recoding, PerRecord) else recoding.cells
            statement = sql.recode_boxes(
                table.name,
                columns,
                self._shared("members", members),
                self._shared("boxes", recoding.boxes),
                recoding.quasi,
                layout,
                by_row=isinstance(recoding, PerRecord),
                keep_row=keep_row,
            )
        return self._table(statement)

    @abstractmethod
    def _has_row_ids(self, table: Table) -> bool:
        """Say whether the rows of a table are numbered."""
