"""DuckDB: the engine of one machine, also for data that do not fit into its memory."""

from __future__ import annotations

import codecs
import contextlib
import glob
import gzip
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import check_file, damaged, nul_somewhere
from sfumato.core.memory import in_bytes
from sfumato.core.system import system_errors, system_problem
from sfumato.core.temporary import new_temporary_folder
from sfumato.engine import sql
from sfumato.engine.base import SqlEngine
from sfumato.engine.contract import Column, Layout, Order, Table
from sfumato.engine.frames import to_arrow
from sfumato.engine.lines import (
    CODES,
    LINE,
    baskets,
    first_bad_line,
    json_column,
    json_keys,
    json_scan,
    json_value,
)
from sfumato.engine.names import ROW_ID
from sfumato.engine.recoding import Recoding
from sfumato.engine.sources import (
    BasketFile,
    CsvFile,
    Frame,
    JsonLines,
    ParquetFile,
    Source,
    SqlTable,
    check_bytes,
    check_names,
    is_gz,
    open_text,
    place_of_record,
    undecodable,
)

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
# DuckDB casts generously: '1.5' to the integer 2, a time of day away from a date, an offset away from a
# time. A declared type must not change a value, so what may be cast is narrower.
_DAY = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_WRITTEN = {
    "integer": r"\s*[+-]?[0-9]+\s*",
    "number": r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*",
    "boolean": "(?i)true|false|t|f|yes|no|y|n|1|0",
    "date": _DAY,
    "datetime": f"{_DAY}([ T][0-9]{{1,2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]{{1,6}})?)?)?",
}
_BATCH_ROWS = 100_000


class DuckEngine(SqlEngine):
    """Rows in DuckDB. ``memory_limit`` such as ``2GB`` bounds it; the rest goes to a temporary folder."""

    name = "duckdb"

    def __init__(self, memory_limit: str | None = None, threads: int | None = None) -> None:
        super().__init__()
        config: dict[str, Any] = {}
        if memory_limit:
            config["memory_limit"] = f"{in_bytes(memory_limit) >> 20}MiB"
        if threads:
            config["threads"] = threads
        self._folder = new_temporary_folder()
        config["temp_directory"] = str(self._folder / "spill")
        self._connection = duckdb.connect(":memory:", config=config)
        self._run("SET TimeZone = 'UTC'")
        self._row_ids: set[str] = set()
        self._origins: dict[str, tuple[Table, Recoding, Layout]] = {}

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
            case JsonLines():
                self._read_json(name, source)
            case BasketFile():
                self._share(name, baskets(source))
            case Frame():
                data = to_arrow(source.data)
                check_names(data.column_names, "the frame")
                self._share(name, data)
            case SqlTable():
                from sfumato.engine.databases import fetch

                with fetch(source) as reader:
                    check_names(reader.schema.names, "the database table")
                    self._connection.register(f"{name}_in", reader)
                    try:
                        self._run(f"CREATE TABLE {name} AS SELECT * FROM {name}_in")
                    except duckdb.Error:
                        raise BadInput(
                            "the database broke off while it was read", remedy="try again"
                        ) from None
                    self._connection.unregister(f"{name}_in")
        table = Table(self, name, self._columns(name))
        numbers = [column.name for column in table.columns if column.type == "number"]
        if numbers:
            # The statistics of Parquet files leave NaN out, and DuckDB would believe them.
            self._run("SET disabled_optimizers = 'statistics_propagation'")
            table = self._table(sql.plain_numbers(table.name, table.names, numbers))
        return self._with_row_ids(table) if row_ids else table

    def _read_csv(self, name: str, source: CsvFile) -> None:
        delimiter, names = source.header()
        check_bytes(source)
        columns = ", ".join(f"{sql.literal(column)}: 'VARCHAR'" for column in names)
        # Without any text for missing values DuckDB would still take the empty one.
        texts = source.missing or (secrets.token_hex(16),)
        missing = ", ".join(sql.literal(text) for text in texts)
        path = self._as_utf8(name, source)
        options = [
            "auto_detect=false",
            f"compression='{'gzip' if is_gz(path) else 'none'}'",
            "header=true",
            f"delim={sql.literal(delimiter)}",
            "quote='\"'",
            "escape='\"'",
            "strict_mode=true",
            "hive_partitioning=false",
            f"columns={{{columns}}}",
            f"nullstr=[{missing}]",
            f"allow_quoted_nulls={source.quoted_missing}",
        ]
        scan = f"read_csv({_path(path)}, {', '.join(options)})"
        try:
            kind = "TABLE" if source.keep or source.types or path != source.path else "VIEW"
            self._run(f"CREATE {kind} {name} AS SELECT * FROM {scan}")
        except duckdb.Error as problem:
            raise _csv_problem(source, delimiter, problem) from None
        finally:
            if path != source.path:
                path.unlink()
        self._cast(name, source)

    def _as_utf8(self, name: str, source: CsvFile) -> Path:
        """Return the file, or a copy in UTF-8: DuckDB itself knows few other encodings."""
        if codecs.lookup(source.encoding).name in ("utf-8", "utf-8-sig"):
            return source.path
        copy = self._folder / f"{name}.csv"
        try:
            with open_text(source) as file, copy.open("w", encoding="utf-8", newline="") as plain:
                while piece := file.read(1 << 20):
                    if "\0" in piece:
                        raise nul_somewhere(source.path)
                    plain.write(piece)
        except UnicodeError:
            raise undecodable(source) from None
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise damaged(source.path) from None
        except OSError as problem:
            raise system_problem(problem, "the file cannot be read", where=str(self._folder.parent)) from None
        return copy

    def _cast(self, name: str, source: CsvFile) -> None:
        """Give columns the types that the recipe declares; refuse values that do not fit."""
        names = [column.name for column in self._columns(name)]
        for column, kind in source.types.items():
            if column not in names:
                raise BadInput(
                    f"a type is declared for '{column}', which is not a column",
                    where=str(source.path),
                    remedy=nearest(column, names),
                )
            if kind not in _SQL_TYPES:
                raise BadInput(
                    f"there is no type '{kind}'",
                    where=f"{source.path}, column '{column}'",
                    remedy=nearest(kind, _SQL_TYPES),
                )
        wanted = {column: kind for column, kind in source.types.items() if kind != "string"}
        if not wanted:
            return
        picked = []
        for column in names:
            quoted = sql.quote(column)
            if column not in wanted:
                picked.append(quoted)
                continue
            kind = wanted[column]
            target = _SQL_TYPES[kind]
            fits = (
                f"regexp_full_match(v, {sql.literal(_WRITTEN[kind])}) AND TRY_CAST(v AS {target}) IS NOT NULL"
            )
            found = self._all(
                f"SELECT COUNT(*) AS n, MIN(r) AS r FROM (SELECT {quoted} AS v, ROW_NUMBER() OVER () AS r "
                f"FROM {name}) WHERE v IS NOT NULL AND NOT ({fits})"
            ).to_pylist()[0]
            if found["n"]:
                many = "1 value is" if found["n"] == 1 else f"{found['n']} values are"
                raise BadInput(
                    f"{many} not of the type {kind} (first in row {found['r']})",
                    where=f"{source.path}, column '{column}'",
                    remedy="mend them, add them to 'missingValues', or declare 'type: string'",
                )
            picked.append(f"CAST({quoted} AS {target}) AS {quoted}")
        self._run(f"CREATE TABLE {name}_typed AS SELECT {', '.join(picked)} FROM {name}")
        self._run(f"DROP TABLE {name}")
        self._run(f"ALTER TABLE {name}_typed RENAME TO {name}")

    def _read_parquet(self, name: str, source: ParquetFile) -> None:
        where = str(source.path)
        check_file(source.path)
        try:
            # Views rename repeated columns, so the names are read from the file itself.
            schema = pq.read_schema(source.path)
            check_names(schema.names, where)
            # A column without any value may have no type either: it is taken as text.
            empty = [field.name for field in schema if pa.types.is_null(field.type)]
            texts = ", ".join(f"CAST({sql.quote(c)} AS VARCHAR) AS {sql.quote(c)}" for c in empty)
            picked = f"* REPLACE ({texts})" if empty else "*"
            self._run(f"CREATE VIEW {name} AS SELECT {picked} FROM {_parquet(source.path)}")
        except (duckdb.Error, pa.ArrowException, OSError) as problem:
            raise system_problem(
                problem, "the file is not Parquet", where=where, remedy="check the file"
            ) from None

    def _read_json(self, name: str, source: JsonLines) -> None:
        where, lines = str(source.path), f"{name}_in"
        try:
            self._run(f"CREATE TABLE {lines} AS {json_scan(source, _path(source.path))}")
            forms = {form for (form,) in self._fetched(f"SELECT DISTINCT json_type({LINE}) FROM {lines}")}
            if not forms:
                raise BadInput("the file is empty", where=where, remedy="give a file with records")
            if forms == {"ARRAY"}:
                values = {CODES: LINE}
            elif forms == {"OBJECT"}:
                values = {key: json_value(key) for (key,) in self._fetched(json_keys(lines))}
            else:
                raise first_bad_line(source)
            check_names(list(values), where)
            picked = []
            for column, value in values.items():
                kinds = {
                    kind for (kind,) in self._fetched(f"SELECT DISTINCT json_type({value}) FROM {lines}")
                }
                picked.append(json_column(value, kinds, column, where))
            self._run(f"CREATE TABLE {name} AS SELECT {', '.join(picked)} FROM {lines}")
        except duckdb.Error:
            raise first_bad_line(source) from None
        self._run(f"DROP TABLE {lines}")

    def _fetched(self, statement: str) -> list[tuple[Any, ...]]:
        with _interruptible():
            return self._connection.sql(statement).fetchall()

    def _run(self, statement: str) -> None:
        # A result that is not fetched to its end would block the connection.
        with _interruptible():
            self._connection.execute(statement).fetchall()

    def _columns(self, name: str) -> tuple[Column, ...]:
        relation = self._connection.sql(f"SELECT * FROM {name} LIMIT 0")
        return tuple(
            Column(column, _type_name(str(kind)))
            for column, kind in zip(relation.columns, relation.types, strict=True)
        )

    def _batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        with _told("run the query"):
            yield from self._connection.sql(statement).to_arrow_reader(_BATCH_ROWS)

    def _all(self, statement: str) -> pa.Table:
        with _told("run the query"):
            return self._connection.sql(statement).to_arrow_table()

    def _view(self, name: str, statement: str) -> tuple[Column, ...]:
        self._run(f"CREATE VIEW {name} AS {statement}")
        return self._columns(name)

    def _share(self, name: str, data: pa.Table) -> None:
        self._connection.register(name, data)

    def _number_rows(self, table: Table) -> str:
        return f"SELECT * FROM {self._with_row_ids(table).name}"

    def _with_row_ids(self, table: Table) -> Table:
        """Number the rows in source order; a recoded table is recoded again from its numbered source.

        Joins may hand rows on in any order (the smaller side is built into a hash table), so the
        numbers have to be there before the first of them.
        """
        if self._has_row_ids(table):
            return table
        if table.name in self._origins:
            origin, recoding, layout = self._origins[table.name]
            return self.recode(self._with_row_ids(origin), recoding, layout)
        row = sql.quote(ROW_ID)
        numbered = self._table(f"SELECT ROW_NUMBER() OVER () AS {row}, * FROM {table.name}")
        self._row_ids.add(numbered.name)
        return numbered

    def _has_row_ids(self, table: Table) -> bool:
        return table.name in self._row_ids

    def recode(self, table: Table, recoding: Recoding, layout: Layout) -> Table:
        """Apply a recoding as one statement."""
        recoded = super().recode(table, recoding, layout)
        if self._has_row_ids(table):
            self._row_ids.add(recoded.name)
        else:
            self._origins[recoded.name] = (table, recoding, layout)
        return recoded

    def _ordered(self, table: Table, order: Order) -> str:
        columns = ", ".join(sql.quote(name) for name in table.names)
        if order is Order.SHUFFLED:
            # DuckDB's generator is seeded by the operating system's, afresh for every release.
            self._run(f"SELECT setseed({secrets.randbits(53) / 2**52 - 1})")
            return f"SELECT {columns} FROM {table.name} ORDER BY random()"
        if table.name in self._origins or self._has_row_ids(table):
            numbered = self._with_row_ids(table)
            return f"SELECT {columns} FROM {numbered.name} ORDER BY {sql.quote(ROW_ID)}"
        return f"SELECT {columns} FROM {table.name}"

    def write(self, table: Table, path: Path, *, order: Order = Order.SHUFFLED) -> int:
        """Stream a table to one CSV (also .gz) or Parquet file."""
        options = "FORMAT parquet, COMPRESSION zstd" if path.suffix == ".parquet" else "FORMAT csv, HEADER"
        if path.suffix == ".gz":
            options += ", COMPRESSION gzip"
        statement = f"COPY ({self._ordered(table, order)}) TO {sql.literal(str(path))} ({options})"
        with _told("write the file"):
            found = self._connection.execute(statement).fetchall()
        os.chmod(path, 0o644)
        return int(found[0][0])

    def arrow(self, table: Table, *, order: Order = Order.KEPT) -> pa.Table:
        """Bring a table into memory."""
        return self._all(self._ordered(table, order))

    def gather(self, parts: Sequence[Path], names: Sequence[str]) -> Table:
        """Read Parquet files one after the other, as they lie, and name their columns."""
        scan = _parquet(*parts)
        fields = pq.read_schema(parts[0]).names
        picked = [f"{sql.quote(a)} AS {sql.quote(b)}" for a, b in zip(fields, names, strict=True)]
        return self._table(f"SELECT {', '.join(picked)} FROM {scan}")

    def arranged(self, table: Table, columns: Sequence[str], by: Sequence[str] = ()) -> Table:
        """Return some columns of a table, its rows in the order of others (missing values last)."""
        picked = ", ".join(sql.quote(name) for name in columns)
        order = ", ".join(f"{sql.quote(name)} NULLS LAST" for name in by)
        return self._table(f"SELECT {picked} FROM {table.name}" + (f" ORDER BY {order}" if by else ""))

    def pieces(self, table: Table, rows: int, *, order: Order = Order.KEPT) -> Iterator[pa.RecordBatch]:
        """Stream a table, so many rows at a time: for rows that are long."""
        with _told("run the query"):
            yield from self._connection.sql(self._ordered(table, order)).to_arrow_reader(rows)

    def plain(self, table: Table) -> Table:
        """Return the table with types that every engine knows; the table itself when it has no others."""
        relation = self._connection.sql(f"SELECT * FROM {table.name} LIMIT 0")
        kinds = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
        casts = {name: _plain_type(kind) for name, kind in kinds.items()}
        if casts == kinds:
            return table
        picked = (f"CAST({sql.quote(name)} AS {kind}) AS {sql.quote(name)}" for name, kind in casts.items())
        return self._table(f"SELECT {', '.join(picked)} FROM {table.name}")


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C be what it is: DuckDB stops its query and raises an error of its own."""
    try:
        with system_errors():
            yield
    except (duckdb.InterruptException, RuntimeError) as problem:
        if "interrupt" in str(problem).lower():
            raise KeyboardInterrupt from None
        raise


@contextlib.contextmanager
def _told(task: str) -> Iterator[None]:
    """Turn DuckDB's complaints into one sentence without its text, which may quote values."""
    try:
        with _interruptible():
            yield
    except duckdb.Error as problem:
        raise BadInput(
            f"DuckDB could not {task} ({type(problem).__name__})",
            remedy="check that the files are whole",
        ) from None


def _plain_type(kind: str) -> str:
    if kind.endswith("[]"):
        return "VARCHAR[]"
    if kind in ("UBIGINT", "HUGEINT", "UHUGEINT"):
        return "DECIMAL(38, 0)"
    if kind.startswith("TIMESTAMP"):
        return kind if kind.endswith("ZONE") else "TIMESTAMP"
    return "VARCHAR" if _type_name(kind) in ("string", "other") else kind


def _path(path: Path) -> str:
    """Quote a path so that no letter of it stands for others."""
    return sql.literal(glob.escape(str(path)))


def _parquet(*paths: Path) -> str:
    """Scan Parquet files; a folder called ``column=value`` must not stand in for a column."""
    return f"read_parquet([{', '.join(_path(path) for path in paths)}], hive_partitioning=false)"


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


def _csv_problem(source: CsvFile, delimiter: str, problem: Exception) -> BadInput:
    """Turn DuckDB's complaint into one sentence; its text quotes the line, so only numbers are taken."""
    text = str(problem)
    if "unicode" in text or "utf-8" in text:
        return undecodable(source)
    if "GZIP" in text:
        return damaged(source.path)
    record = re.search(r"Line: (\d+)", text)
    where = place_of_record(source, delimiter, int(record[1])) if record else str(source.path)
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if columns:
        return BadInput(
            f"the line has {columns[2]} values, the header has {columns[1]}",
            where=where,
            remedy="mend the line",
        )
    if "unterminated quote" in text:
        return BadInput("a quote is opened and never closed", where=where, remedy="mend the line")
    return BadInput(
        "the file cannot be read as CSV",
        where=where,
        remedy="check delimiter, quotes, line endings and encoding",
    )
