"""DuckDB: the engine of one machine, also for data that do not fit into its memory."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.engine import sql
from sfumato.engine.base import SqlEngine
from sfumato.engine.contract import Column, Order, Table
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source, SqlTable, check_names

_TYPES = {
    "BOOLEAN": "boolean",
    "DATE": "date",
    "FLOAT": "number",
    "DOUBLE": "number",
    "VARCHAR": "string",
}
_SQL_TYPES = {
    "string": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "TIMESTAMP",
}
_BATCH_ROWS = 100_000


class DuckEngine(SqlEngine):
    """Rows in DuckDB. ``memory_limit`` such as ``2GB`` bounds it; the rest goes to a temporary folder."""

    name = "duckdb"

    def __init__(self, memory_limit: str | None = None, threads: int | None = None) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp(prefix="sfumato-"))
        config: dict[str, Any] = {"temp_directory": str(self._folder / "spill")}
        if memory_limit:
            config["memory_limit"] = memory_limit
        if threads:
            config["threads"] = threads
        try:
            self._connection = duckdb.connect(str(self._folder / "work.duckdb"), config=config)
        except duckdb.Error as problem:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BadInput(
                f"DuckDB does not take these settings ({_first_line(problem)})",
                remedy="give a memory limit such as '2GB'",
            ) from None
        self._row_ids: set[str] = set()

    def close(self) -> None:
        """Close the connection and delete the temporary folder."""
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> DuckEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, source: Source, *, row_ids: bool = False) -> Table:
        """Open a source. CSV is parsed once; Parquet and frames stay where they are."""
        name = self._fresh("t")
        match source:
            case CsvFile():
                self._read_csv(name, source)
            case ParquetFile():
                self._read_parquet(name, source)
            case Frame():
                data = to_arrow(source.data)
                check_names(data.column_names, "the frame")
                self._share(name, data)
            case SqlTable():
                from sfumato.engine.databases import fetch

                with fetch(source) as reader:
                    check_names(reader.schema.names, "the database table")
                    self._connection.register(f"{name}_in", reader)
                    self._run(f"CREATE TABLE {name} AS SELECT * FROM {name}_in")
                    self._connection.unregister(f"{name}_in")
        table = Table(self, name, self._columns(name))
        if not row_ids:
            return table
        numbered = self._table(self._number_rows(table))
        self._row_ids.add(numbered.name)
        return numbered

    def _read_csv(self, name: str, source: CsvFile) -> None:
        delimiter, names = source.header()
        columns = ", ".join(f"{sql.literal(column)}: 'VARCHAR'" for column in names)
        missing = ", ".join(sql.literal(text) for text in source.missing)
        encoding = "" if source.encoding.lower() in ("utf-8", "utf8", "utf-8-sig") else source.encoding
        options = [
            "auto_detect=false",
            "header=true",
            f"delim={sql.literal(delimiter)}",
            "quote='\"'",
            "escape='\"'",
            "strict_mode=true",
            f"columns={{{columns}}}",
            *([f"nullstr=[{missing}]"] if missing else []),
            *([f"encoding={sql.literal(encoding)}"] if encoding else []),
        ]
        scan = f"read_csv({sql.literal(str(source.path))}, {', '.join(options)})"
        try:
            self._run(f"CREATE TABLE {name} AS SELECT * FROM {scan}")
        except duckdb.Error as problem:
            raise _csv_problem(source, problem) from None
        self._cast(name, source)

    def _cast(self, name: str, source: CsvFile) -> None:
        """Give columns the types that the recipe declares; refuse values that do not fit."""
        wanted = {column: kind for column, kind in source.types.items() if kind != "string"}
        if not wanted:
            return
        picked = []
        for column in self._columns(name):
            quoted = sql.quote(column.name)
            if column.name not in wanted:
                picked.append(quoted)
                continue
            target = _SQL_TYPES[wanted[column.name]]
            found = self._all(
                f"SELECT COUNT(*) AS n, MIN(r) AS r FROM (SELECT {quoted} AS v, ROW_NUMBER() OVER () AS r "
                f"FROM {name}) WHERE v IS NOT NULL AND TRY_CAST(v AS {target}) IS NULL"
            ).to_pylist()[0]
            if found["n"]:
                kind = wanted[column.name]
                raise BadInput(
                    f"{found['n']} values are not of the type {kind} (first in row {found['r']})",
                    where=f"{source.path}, column '{column.name}'",
                    remedy="mend them, add them to 'missingValues', or declare 'type: string'",
                )
            picked.append(f"CAST({quoted} AS {target}) AS {quoted}")
        self._run(f"CREATE TABLE {name}_typed AS SELECT {', '.join(picked)} FROM {name}")
        self._run(f"DROP TABLE {name}")
        self._run(f"ALTER TABLE {name}_typed RENAME TO {name}")

    def _read_parquet(self, name: str, source: ParquetFile) -> None:
        where = str(source.path)
        if not source.path.exists():
            raise BadInput("there is no such file", where=where, remedy="check the path")
        try:
            self._run(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({sql.literal(where)})")
        except duckdb.Error:
            raise BadInput("the file is not Parquet", where=where, remedy="check the file") from None

    def _run(self, statement: str) -> None:
        self._connection.execute(statement)

    def _columns(self, name: str) -> tuple[Column, ...]:
        relation = self._connection.sql(f"SELECT * FROM {name} LIMIT 0")
        return tuple(
            Column(column, _type_name(str(kind)))
            for column, kind in zip(relation.columns, relation.types, strict=True)
        )

    def _batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        yield from self._connection.sql(statement).to_arrow_reader(_BATCH_ROWS)

    def _all(self, statement: str) -> pa.Table:
        return self._connection.sql(statement).to_arrow_table()

    def _view(self, name: str, statement: str) -> tuple[Column, ...]:
        self._run(f"CREATE VIEW {name} AS {statement}")
        return self._columns(name)

    def _share(self, name: str, data: pa.Table) -> None:
        self._connection.register(name, data)

    def _number_rows(self, table: Table) -> str:
        if self._has_row_ids(table):
            return f"SELECT * FROM {table.name}"
        return f"SELECT ROW_NUMBER() OVER () AS {sql.quote(sql.ROW_ID)}, * FROM {table.name}"

    def _has_row_ids(self, table: Table) -> bool:
        return table.name in self._row_ids

    def recode(self, table: Table, recoding: Any, layout: Any) -> Table:
        """Apply a recoding as one statement."""
        recoded = super().recode(table, recoding, layout)
        if self._has_row_ids(table):
            self._row_ids.add(recoded.name)
        return recoded

    def _ordered(self, table: Table, order: Order) -> str:
        columns = ", ".join(sql.quote(name) for name in table.names)
        if order is Order.SHUFFLED:
            # DuckDB's generator is seeded by the operating system's, afresh for every release.
            self._run(f"SELECT setseed({secrets.randbits(53) / 2**52 - 1})")
            return f"SELECT {columns} FROM {table.name} ORDER BY random()"
        if self._has_row_ids(table):
            return f"SELECT {columns} FROM {table.name} ORDER BY {sql.quote(sql.ROW_ID)}"
        return f"SELECT {columns} FROM {table.name}"

    def write(self, table: Table, path: Path, *, order: Order = Order.SHUFFLED) -> int:
        """Stream a table to one CSV (also .gz) or Parquet file."""
        options = "FORMAT parquet, COMPRESSION zstd" if path.suffix == ".parquet" else "FORMAT csv, HEADER"
        if path.suffix == ".gz":
            options += ", COMPRESSION gzip"
        statement = f"COPY ({self._ordered(table, order)}) TO {sql.literal(str(path))} ({options})"
        found = self._connection.execute(statement).fetchone()
        os.chmod(path, 0o644)
        return int(found[0]) if found else 0

    def arrow(self, table: Table, *, order: Order = Order.KEPT) -> pa.Table:
        """Bring a table into memory."""
        return self._all(self._ordered(table, order))


def _type_name(kind: str) -> str:
    if kind in _TYPES:
        return _TYPES[kind]
    if kind.endswith("INT") or kind in ("INTEGER", "UINTEGER"):
        return "integer"
    if kind.startswith("DECIMAL"):
        return "number"
    if kind.startswith("TIMESTAMP"):
        return "datetime"
    return "string" if kind.startswith("ENUM") else "other"


def _first_line(problem: Exception) -> str:
    return str(problem).splitlines()[0] if str(problem) else type(problem).__name__


def _csv_problem(source: CsvFile, problem: Exception) -> BadInput:
    """Turn DuckDB's complaint into one sentence; its text quotes the line, so only numbers are taken."""
    text = str(problem)
    line = re.search(r"Line: (\d+)", text)
    where = f"{source.path}, line {line[1]}" if line else str(source.path)
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if columns:
        return BadInput(
            f"the line has {columns[2]} values, the header has {columns[1]}",
            where=where,
            remedy="mend the line",
        )
    if "unicode" in text or "utf-8" in text:
        return BadInput(f"the text is not {source.encoding}", where=where, remedy="set the right 'encoding'")
    if "unterminated quote" in text:
        return BadInput("a quote is opened and never closed", where=where, remedy="mend the line")
    return BadInput(
        "the file cannot be read as CSV", where=where, remedy="check delimiter, quotes and encoding"
    )
