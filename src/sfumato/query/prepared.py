"""Data made to fit what is public of them: the only tables that questions are run on.

Everything that could make a question fail on one data set and not on its neighbour is settled here, once,
by the owner: numbers are clamped to their declared bounds and become whole grid units, unreadable values
and categories outside the public list become missing, columns that were not declared are not loaded.

A person may count with ``rows_per_person`` rows. Which ones is decided by a keyed hash of person and row: the
choice looks at that person's rows alone (so one person changes nothing for another, as the stability of
McSherry's PINQ, 2009, needs), not at the order of the file, and nobody without the secret can steer it. Rows
without a person are left out: they could all belong to the same one.

What was left out is told to the owner (``facts``) and never enters an answer.
"""

from __future__ import annotations

import hashlib
import hmac
import shutil
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import system_problem
from sfumato.core.temporary import new_temporary_folder
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import FILES, Frame, Source, SqlTable, source_of
from sfumato.engine.sql import quote
from sfumato.query.consistent import check_metadata
from sfumato.query.fitting import converted, text_of, type_of
from sfumato.query.metadata import Metadata, Table, Type

PERSON = "__person"
RANK = "__rank"
SHORTEST_SECRET = 16
RAW, PEOPLE, FITTED = "__raw", "__people", "__fitted"

Admit = Callable[[NDArray[np.int64]], NDArray[np.bool_]]
"""is handed the keyed hashes of people and says who of them belongs to this window (see ledger.windows)"""


@dataclass(frozen=True)
class TableFacts:
    """What happened to a table when it was registered. For its owner only: computed from data, no noise."""

    table: str
    rows: int
    kept: int
    without_person: int
    not_admitted: int
    beyond_rows_per_person: int
    made_missing: Mapping[str, int]
    """per column: values that were there and could not be read, or were not in the public list"""


@dataclass(frozen=True)
class Prepared:
    """Registered data. Ask for a ``cursor`` per call: it may be used from several threads.

    >>> from fractions import Fraction
    >>> from sfumato.query.metadata import Column, Metadata, Table, Type
    >>> age = Column("age", Type.INTEGER, Fraction(0), Fraction(100))
    >>> public = Metadata("clinic", {"visits": Table("visits", {"age": age}, None, 1, 1000)})
    >>> prepared = Prepared.register(public, {"visits": pa.table({"age": [5, 200, None]})}, secret=b"s" * 16)
    >>> prepared.cursor().execute('SELECT "age" FROM "visits" ORDER BY 1').fetchall()
    [(5,), (100,), (None,)]
    """

    metadata: Metadata
    version: str
    """a keyed fingerprint of data and metadata: says only whether they are the same as before"""
    facts: tuple[TableFacts, ...] = field(repr=False)
    connection: duckdb.DuckDBPyConnection = field(repr=False, compare=False)
    shape: duckdb.DuckDBPyConnection = field(repr=False, compare=False)
    """the same tables without rows: statements are tried on them before anything is charged"""

    @classmethod
    def register(
        cls,
        metadata: Metadata,
        sources: Mapping[str, Any],
        *,
        secret: bytes,
        database: str | Path = ":memory:",
        threads: int = 1,
        admit: Admit | None = None,
    ) -> Prepared:
        """Load every table of the metadata from its source: a path, a source of the engine, or a frame.

        ``secret`` keys the choice of rows and the fingerprint; keep it for as long as the data set lives.
        With ``database`` the prepared tables lie in a DuckDB file, which replaces what was in it.
        """
        if len(secret) < SHORTEST_SECRET:
            raise BadInput(
                f"the secret of the data set has fewer than {SHORTEST_SECRET} bytes",
                remedy="make one, for example with: openssl rand -hex 32",
            )
        check_metadata(metadata)
        for name in metadata.tables:
            if name not in sources:
                raise BadInput(f"the table '{name}' has no source", remedy=nearest(name, sources))
        for name in sources:
            if name not in metadata.tables:
                raise BadInput(
                    f"there is a source for '{name}', which is not a declared table",
                    remedy=nearest(name, metadata.tables),
                )
        connection = _connect(database, threads)
        loader = _Loader(connection, metadata, secret, admit)
        try:
            facts = tuple(loader.load(table, sources[name]) for name, table in metadata.tables.items())
            version = loader.fingerprint()
        except duckdb.Error as problem:
            connection.close()
            # The engine's own words can quote values, so only its kind of error is told.
            raise system_problem(
                problem,
                f"the data could not be registered ({type(problem).__name__})",
                remedy="check that there is room for them and that the file is not open elsewhere",
            ) from None
        except BaseException:
            connection.close()
            raise
        _lock(connection)
        return cls(metadata, version, facts, connection, _without_rows(metadata))

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of its own for one call."""
        return self.connection.cursor()

    def close(self) -> None:
        """Let go of the data."""
        self.connection.close()
        self.shape.close()


class _Loader:
    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        metadata: Metadata,
        secret: bytes,
        admit: Admit | None,
    ) -> None:
        self.connection = connection
        self.metadata = metadata
        self.secret = secret
        self.admit = admit
        # People have the same number in every table, so that tables can be joined.
        self._run(
            f"CREATE OR REPLACE TEMP TABLE {PEOPLE} (__name VARCHAR, __number BIGINT, __admitted BOOLEAN)"
        )

    def load(self, table: Table, given: Any) -> TableFacts:
        where = f"table '{table.name}'"
        rows = self._bring(table, given, where)
        if rows > table.max_rows:
            raise BadInput(
                f"there are more rows than the declared {table.max_rows}",
                where=where,
                remedy="declare a larger 'max_rows'",
            )
        self._number_people(table)
        self._run(f"CREATE OR REPLACE TEMP TABLE {FITTED} AS {self._fitted(table)}")
        without, stranger, missing = self._left_out(table)
        kept = self._keep(table)
        self._run(f"DROP TABLE {RAW}")
        self._run(f"DROP TABLE {FITTED}")
        beyond = rows - without - stranger - kept
        return TableFacts(table.name, rows, kept, without, stranger, beyond, missing)

    def _bring(self, table: Table, given: Any, where: str) -> int:
        wanted = [*table.columns, *([table.person] if table.person is not None else [])]
        with DuckEngine(threads=1) as engine:
            held = engine.read(_source(given))
            for name in wanted:
                if name not in held.names:
                    raise BadInput(
                        f"the column '{name}' is not in the data",
                        where=where,
                        remedy=nearest(name, held.names),
                    )
            batches = engine.scan(held)
            first = next(batches, None)
            if first is None:
                columns = ", ".join(f"NULL::VARCHAR AS {quote(name)}" for name in dict.fromkeys(wanted))
                self._run(f"CREATE OR REPLACE TEMP TABLE {RAW} AS SELECT {columns} LIMIT 0")
                return 0
            picked = first.select(list(dict.fromkeys(wanted))).schema
            reader = pa.RecordBatchReader.from_batches(picked, _picked(first, batches, picked.names))
            self.connection.register("__reader", reader)
            texts = {name for name, column in table.columns.items() if column.type is Type.CATEGORY}
            texts |= {table.person} if table.person is not None else set()
            columns = ", ".join(
                f"{text_of(quote(each.name), each.type)} AS {quote(each.name)}"
                if each.name in texts
                else quote(each.name)
                for each in picked
            )
            self._run(f"CREATE OR REPLACE TEMP TABLE {RAW} AS SELECT {columns} FROM __reader")
            self.connection.unregister("__reader")
        return int(self._one(f"SELECT COUNT(*) FROM {RAW}")[0])

    def _number_people(self, table: Table) -> None:
        if table.person is None:
            if self.admit is not None:
                raise BadInput(
                    "a budget that follows the person needs to know who is who",
                    where=f"table '{table.name}'",
                    remedy="declare its 'person' column, or use no windows",
                )
            return
        name = quote(table.person)
        # Whose name is blank is nobody: taken as one person, many people would share one.
        self._run(f"UPDATE {RAW} SET {name} = NULL WHERE trim({name}) = ''")
        self._run(
            f"INSERT INTO {PEOPLE} SELECT __name, (SELECT COUNT(*) FROM {PEOPLE}) + row_number() OVER "
            f"(ORDER BY __name), true FROM (SELECT DISTINCT {name} AS __name FROM {RAW} "
            f"WHERE {name} IS NOT NULL AND {name} NOT IN (SELECT __name FROM {PEOPLE}))"
        )
        if self.admit is None:
            return
        from sfumato.query.ledger.windows import people_hashes

        names = [row[0] for row in self.connection.execute(f"SELECT __name FROM {PEOPLE}").fetchall()]
        allowed = self.admit(people_hashes(self.secret, names))
        strangers = [name for name, known in zip(names, allowed.tolist(), strict=True) if not known]
        self.connection.register("__strangers", pa.table({"__name": pa.array(strangers, pa.string())}))
        self._run(f"UPDATE {PEOPLE} SET __admitted = __name NOT IN (SELECT __name FROM __strangers)")
        self.connection.unregister("__strangers")

    def _fitted(self, table: Table) -> str:
        columns = ", ".join(f"{converted(column)} AS {quote(name)}" for name, column in table.columns.items())
        listed = "".join(f", {columns}" if columns else "")
        raw = "".join(f", {quote(n)} IS NOT NULL AS {quote('__had_' + n)}" for n in table.columns)
        if table.person is None:
            return f"SELECT row_number() OVER () AS {PERSON}, true AS __admitted{listed}{raw} FROM {RAW}"
        return (
            f"SELECT __number AS {PERSON}, __admitted, __name{listed}{raw} FROM {RAW} "
            f"LEFT JOIN {PEOPLE} ON __name = {quote(table.person)}"
        )

    def _left_out(self, table: Table) -> tuple[int, int, dict[str, int]]:
        lost = "".join(
            f", COUNT(*) FILTER (WHERE {quote('__had_' + name)} AND {quote(name)} IS NULL)"
            for name in table.columns
        )
        found = self._one(
            f"SELECT COUNT(*) FILTER (WHERE {PERSON} IS NULL), COUNT(*) FILTER (WHERE NOT __admitted){lost} "
            f"FROM {FITTED}"
        )
        missing = {name: int(count) for name, count in zip(table.columns, found[2:], strict=True) if count}
        return int(found[0]), int(found[1]), missing

    def _keep(self, table: Table) -> int:
        names = [quote(name) for name in table.columns]
        listed = "".join(f", {name}" for name in names)
        target = quote(table.name)
        self._run(f"DROP TABLE IF EXISTS {target}")
        if table.person is None:
            self._run(f"CREATE TABLE {target} AS SELECT {PERSON}, 1::BIGINT AS {RANK}{listed} FROM {FITTED}")
        else:
            texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
            # Rows that are alike in all columns may change places; all others are told apart by the
            # columns themselves should their hashes meet, so the choice never hangs on physical order.
            # The name is in the hash, or the same few of several values would be kept of everybody.
            order = f"sha256(concat(?, CAST(row(__name, {texts}) AS VARCHAR))){listed}" if names else PERSON
            given = [self._keyed("rank", table.name).hex()] if names else []
            self.connection.execute(
                f"CREATE TABLE {target} AS SELECT {PERSON}, row_number() OVER (PARTITION BY {PERSON} "
                f"ORDER BY {order}) AS {RANK}{listed} FROM {FITTED} WHERE {PERSON} IS NOT NULL AND "
                f"__admitted QUALIFY {RANK} <= {table.rows_per_person}",
                given,
            )
        return int(self._one(f"SELECT COUNT(*) FROM {target}")[0])

    def fingerprint(self) -> str:
        """Return a keyed hash of what all tables hold, whatever the order of their rows."""
        seen: list[object] = [repr(self.metadata)]
        for name, table in self.metadata.tables.items():
            owned = [] if table.person is None else [PERSON]
            columns = [*owned, *(quote(column) for column in table.columns)]
            row = f"hash(row({', '.join(columns)}))" if columns else "0::UBIGINT"
            seen.append((name, *self._one(f"SELECT COUNT(*), SUM({row}), bit_xor({row}) FROM {quote(name)}")))
        self._run(f"DROP TABLE {PEOPLE}")
        return self._keyed("version", repr(seen)).hex()[:32]

    def _keyed(self, use: str, text: str) -> bytes:
        return hmac.digest(
            self.secret, f"{use}\x1f{self.metadata.data_set}\x1f{text}".encode(), hashlib.sha256
        )

    def _run(self, statement: str) -> None:
        self.connection.execute(statement)

    def _one(self, statement: str) -> tuple[Any, ...]:
        found = self.connection.execute(statement).fetchone()
        assert found is not None
        return found


def _picked(
    first: pa.RecordBatch, rest: Iterator[pa.RecordBatch], names: list[str]
) -> Iterator[pa.RecordBatch]:
    yield first.select(names)
    for batch in rest:
        yield batch.select(names)


def _source(given: Any) -> Source:
    if isinstance(given, (*FILES, Frame, SqlTable)):
        return given
    if isinstance(given, str | Path):
        return source_of(given)
    return Frame(given)


def _connect(database: str | Path, threads: int) -> duckdb.DuckDBPyConnection:
    # By itself DuckDB would spill into the current folder, where anybody may read.
    spill = new_temporary_folder()
    try:
        config: dict[str, Any] = {"threads": threads, "temp_directory": str(spill / "spill")}
        connection = duckdb.connect(str(database), config=config)
    except duckdb.Error as problem:
        shutil.rmtree(spill, ignore_errors=True)
        raise system_problem(
            problem,
            "the database file cannot be opened",
            where=str(database),
            remedy="check the path, and that no other process has it open",
        ) from None
    weakref.finalize(connection, shutil.rmtree, spill, ignore_errors=True)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def _lock(connection: duckdb.DuckDBPyConnection) -> None:
    """From now on the tables are all there is: no files, no variables of this process, no other settings."""
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _without_rows(metadata: Metadata) -> duckdb.DuckDBPyConnection:
    connection = _connect(":memory:", 1)
    for name, table in metadata.tables.items():
        columns = "".join(f", {quote(key)} {type_of(column)}" for key, column in table.columns.items())
        connection.execute(f"CREATE TABLE {quote(name)} ({PERSON} BIGINT, {RANK} BIGINT{columns})")
    _lock(connection)
    return connection


__all__ = ["PERSON", "RANK", "Admit", "Prepared", "TableFacts"]
