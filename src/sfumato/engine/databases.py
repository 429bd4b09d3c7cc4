"""SQL databases as sources, read through ADBC: rows stream in as Arrow batches.

Messages never repeat the address of a database (it may hold a password) nor what the server answers
(it may quote values).
"""

from __future__ import annotations

import contextlib
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote as percent

import pyarrow as pa

from sfumato.core.errors import BadInput, MissingPart
from sfumato.engine.sources import SqlTable
from sfumato.engine.sql import quote

_MISSING = ("42P01", "3F000")
"""SQLSTATE of a relation or schema that does not exist"""
_FORBIDDEN = "42501"
_FIRST = {"integer": "0", "real": "0.0", "text": "''", "blob": "x''"}


@contextlib.contextmanager
def fetch(source: SqlTable) -> Iterator[pa.RecordBatchReader]:
    """Run the query of a source and stream its rows. The database is only read."""
    if (source.table is None) == (source.query is None):
        raise BadInput("a database source needs either a table or a query", remedy="give one of the two")
    if source.uri.startswith(("postgresql://", "postgres://")):
        yield from _postgres(source)
    elif source.uri.startswith("sqlite:"):
        yield from _sqlite(source)
    else:
        raise BadInput(
            "the kind of database is not known", remedy="start its address with 'postgresql://' or 'sqlite:'"
        )


def selection(source: SqlTable) -> str:
    """Return the query of a source; the parts of a table's name are quoted.

    >>> selection(SqlTable("sqlite:x.db", table="main.Blood tests"))
    'SELECT * FROM "main"."Blood tests"'
    """
    if source.query is not None:
        return source.query.strip().rstrip(";")
    name = ".".join(quote(part) for part in (source.table or "").split("."))
    return f"SELECT * FROM {name}"


def _driver(database: str) -> ModuleType:
    try:
        return importlib.import_module(f"adbc_driver_{database}.dbapi")
    except ImportError:
        raise MissingPart(
            f"the driver for {database} is not installed", remedy="install sfumato[sql]"
        ) from None


def _connect(driver: ModuleType, uri: str) -> Any:
    try:
        return driver.connect(uri)
    except driver.Error:
        raise BadInput(
            "the database cannot be reached", remedy="check its address, name and password"
        ) from None


def _postgres(source: SqlTable) -> Iterator[pa.RecordBatchReader]:
    driver = _driver("postgresql")
    with _connect(driver, source.uri) as connection, connection.cursor() as cursor:
        try:
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute(selection(source))
            reader = cursor.fetch_record_batch()
        except driver.Error as problem:
            raise _refused(source, getattr(problem, "sqlstate", None) or "") from None
        yield _readable(reader)


def _sqlite(source: SqlTable) -> Iterator[pa.RecordBatchReader]:
    """Read from SQLite, where every value has a type of its own.

    The driver takes the types of columns from the first rows it sees. So the types are looked up
    first, over all rows, and a first row that shows them is put before the others, then left out.
    """
    path = _sqlite_path(source.uri)
    if not path.is_file():
        raise BadInput(
            "there is no such SQLite database",
            remedy="write sqlite:///relative/path or sqlite:////absolute/path",
        )
    driver = _driver("sqlite")
    with _connect(driver, f"file:{percent(str(path))}?mode=ro") as connection, connection.cursor() as cursor:
        rows = f"({selection(source)}) AS source"
        try:
            cursor.execute(f"SELECT * FROM {rows} LIMIT 0")
            names = [column[0] for column in cursor.description]
            kinds = _sqlite_kinds(cursor, rows, names)
            shown = ", ".join(f"{_FIRST[kind]} AS {quote(name)}" for name, kind in kinds.items())
            picked = ", ".join(
                f"CAST({quote(name)} AS REAL)" if kind == "real" else quote(name)
                for name, kind in kinds.items()
            )
            cursor.execute(f"SELECT {shown} UNION ALL SELECT {picked} FROM {rows}")
            reader = cursor.fetch_record_batch()
        except driver.Error as problem:
            state = _MISSING[0] if "no such table" in str(problem) else ""
            raise _refused(source, state) from None
        yield _readable(reader, leave_out=1)


def _sqlite_kinds(cursor: Any, rows: str, names: list[str]) -> dict[str, str]:
    """Find the type of every column in one pass; whole and other numbers mix, nothing else does."""
    counts = ", ".join(
        f"COUNT(CASE WHEN typeof({quote(name)}) = '{kind}' THEN 1 END)" for name in names for kind in _FIRST
    )
    cursor.execute(f"SELECT {counts} FROM {rows}")
    found = iter(cursor.fetchone())
    kinds = {}
    for name in names:
        present = [kind for kind in _FIRST if next(found)]
        if present == ["integer", "real"]:
            present = ["real"]
        if len(present) > 1:
            raise BadInput(
                f"the column mixes values of the types {' and '.join(present)}",
                where=f"column '{name}'",
                remedy="give a query that casts it to one type",
            )
        kinds[name] = present[0] if present else "text"
    return kinds


def _sqlite_path(uri: str) -> Path:
    """Return the path: sqlite:x.db and sqlite:///x.db are relative, sqlite:////x.db is absolute.

    >>> _sqlite_path("sqlite:////data/x.db").as_posix(), _sqlite_path("sqlite:///x.db").as_posix()
    ('/data/x.db', 'x.db')
    """
    return Path(re.sub(r"^sqlite:(///)?", "", uri))


def _refused(source: SqlTable, state: str) -> BadInput:
    if state in _MISSING:
        where = f"table '{source.table}'" if source.table else "the query"
        return BadInput(
            "the database has no such table", where=where, remedy="check its name (schema.table is possible)"
        )
    if state == _FORBIDDEN:
        return BadInput("the database does not allow reading this", remedy="ask for the right to read it")
    return BadInput("the database refuses the query", remedy="try the query in the database's own shell")


def _readable(reader: Any, leave_out: int = 0) -> pa.RecordBatchReader:
    """Give columns plain types: numbers of any precision and JSON stay the text that they are."""
    schema = pa.schema([pa.field(field.name, _storage(field.type)) for field in reader.schema])

    def batches() -> Iterator[pa.RecordBatch]:
        skip = leave_out
        for batch in reader:
            pairs = zip(batch.columns, schema, strict=True)
            columns = [column if column.type == field.type else column.storage for column, field in pairs]
            yield pa.RecordBatch.from_arrays(columns, schema=schema).slice(skip)
            skip = 0

    return pa.RecordBatchReader.from_batches(schema, batches())


def _storage(kind: pa.DataType) -> pa.DataType:
    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name != "arrow.uuid":
        return kind.storage_type
    return kind
