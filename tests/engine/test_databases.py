"""Tables of SQL databases as sources."""

from __future__ import annotations

import datetime as dt
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sfumato.core.errors import BadInput, MissingPart
from sfumato.engine.contract import Engine
from sfumato.engine.sources import SqlTable


def content(engine: Engine, source: SqlTable) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in engine.arrow(engine.read(source)).to_pylist()]


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[tuple[str, sqlite3.Connection]]:
    path = tmp_path / "clinic 100%.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "Blood tests" (id INTEGER, "z""ip" TEXT, v REAL, late)')
    rows = [(i, f"0213{i}", i / 2, None) for i in range(3000)]
    connection.executemany('INSERT INTO "Blood tests" VALUES (?, ?, ?, ?)', [*rows, (None, None, 7, "end")])
    connection.commit()
    yield f"sqlite:///{path}", connection
    connection.close()


class TestSqlite:
    def test_a_table_is_read(self, engine: Engine, sqlite: tuple[str, sqlite3.Connection]) -> None:
        table = engine.read(SqlTable(sqlite[0], table="Blood tests"))
        assert [(column.name, column.type) for column in table.columns] == [
            ("id", "integer"),
            ('z"ip', "string"),
            ("v", "number"),
            ("late", "string"),
        ]
        rows = [tuple(row.values()) for row in engine.arrow(table).to_pylist()]
        assert len(rows) == 3001
        assert rows[:2] == [(0, "02130", 0.0, None), (1, "02131", 0.5, None)]
        assert rows[-1] == (None, None, 7.0, "end")

    def test_a_query_is_read(self, duck: Engine, sqlite: tuple[str, sqlite3.Connection]) -> None:
        query = 'SELECT "z""ip" AS zip FROM main."Blood tests" WHERE id < 2 ORDER BY id DESC;'
        assert content(duck, SqlTable(sqlite[0], query=query)) == [("02131",), ("02130",)]
        assert len(content(duck, SqlTable(sqlite[0], table="main.Blood tests"))) == 3001

    def test_a_table_without_rows_keeps_its_columns(
        self, duck: Engine, sqlite: tuple[str, sqlite3.Connection]
    ) -> None:
        sqlite[1].execute("CREATE TABLE empty (a INTEGER, b)")
        sqlite[1].commit()
        table = duck.read(SqlTable(sqlite[0], table="empty"))
        assert (table.names, duck.rows(table)) == (("a", "b"), 0)

    @pytest.mark.parametrize("place", ["first", "late"])
    def test_a_column_that_mixes_types_is_refused(
        self, duck: Engine, sqlite: tuple[str, sqlite3.Connection], place: str
    ) -> None:
        sqlite[1].execute("CREATE TABLE mixed (a, b)")
        values: list[Any] = [1] * 3000
        values[0 if place == "first" else -1] = "s3cr3t"
        sqlite[1].executemany("INSERT INTO mixed VALUES (1, ?)", [(value,) for value in values])
        sqlite[1].commit()
        with pytest.raises(BadInput) as problem:
            duck.read(SqlTable(sqlite[0], table="mixed"))
        assert "column 'b': the column mixes values of the types integer and text" in str(problem.value)

    def test_whole_and_other_numbers_mix(self, duck: Engine, sqlite: tuple[str, sqlite3.Connection]) -> None:
        sqlite[1].execute("CREATE TABLE numbers (a)")
        sqlite[1].executemany("INSERT INTO numbers VALUES (?)", [(1,), (None,), (2.5,)])
        sqlite[1].commit()
        assert content(duck, SqlTable(sqlite[0], table="numbers")) == [(1.0,), (None,), (2.5,)]

    def test_the_database_is_only_read(self, duck: Engine, sqlite: tuple[str, sqlite3.Connection]) -> None:
        for query in ('DELETE FROM "Blood tests"', 'DELETE FROM "Blood tests" RETURNING id'):
            with pytest.raises(BadInput, match="refuses the query"):
                duck.read(SqlTable(sqlite[0], query=query))
        assert sqlite[1].execute('SELECT COUNT(*) FROM "Blood tests"').fetchone() == (3001,)

    def test_a_table_or_file_that_is_not_there_is_refused(
        self, duck: Engine, sqlite: tuple[str, sqlite3.Connection], tmp_path: Path
    ) -> None:
        with pytest.raises(BadInput, match="table 'nobody': the database has no such table"):
            duck.read(SqlTable(sqlite[0], table="nobody"))
        with pytest.raises(BadInput, match="there is no such SQLite database"):
            duck.read(SqlTable(f"sqlite:///{tmp_path}/none.db", table="t"))
        assert not (tmp_path / "none.db").exists()
        (tmp_path / "text.db").write_text("s3cr3t, not a database" * 100)
        with pytest.raises(BadInput) as problem:
            duck.read(SqlTable(f"sqlite:{tmp_path}/text.db", table="t"))
        assert "s3cr3t" not in str(problem.value)


@pytest.fixture(scope="session")
def clinic(postgres: str) -> str:
    import adbc_driver_postgresql.dbapi as driver

    with driver.connect(postgres) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA ward")
        cursor.execute(
            'CREATE TABLE ward."Pa tients" (id bigint, "z""ip" text, age int, cost numeric(10, 2), '
            "alive boolean, born date, seen timestamp, at timestamptz, u uuid, c varchar(5))"
        )
        cursor.execute(
            "INSERT INTO ward.\"Pa tients\" VALUES (1, '02135', 30, 1.50, true, '1950-02-28', "
            "'2024-02-29 10:00', '2024-02-29 10:00+02', '00000000-0000-0000-0000-00000000000a', 'x'), "
            "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
        )
        connection.commit()
    return postgres


@pytest.mark.postgres
@pytest.mark.xdist_group("spark")
class TestPostgres:
    def test_a_table_is_read(self, engine: Engine, clinic: str) -> None:
        table = engine.read(SqlTable(clinic, table="ward.Pa tients"))
        assert table.names == ("id", 'z"ip', "age", "cost", "alive", "born", "seen", "at", "u", "c")
        types = [column.type for column in table.columns if column.name != "u"]
        assert types == [
            *("integer", "string", "integer", "string", "boolean", "date", "datetime", "datetime", "string"),
        ]
        first, second = (tuple(row.values()) for row in engine.arrow(table).to_pylist())
        assert second == (2, *[None] * 9)
        assert first[:6] == (1, "02135", 30, "1.50", True, dt.date(1950, 2, 28))
        assert first[6] == dt.datetime(2024, 2, 29, 10)
        assert first[7] == dt.datetime(2024, 2, 29, 8, tzinfo=dt.UTC)
        assert str(first[8]) == "00000000-0000-0000-0000-00000000000a"
        assert first[9] == "x"

    def test_a_query_is_read(self, duck: Engine, clinic: str) -> None:
        assert content(
            duck, SqlTable(clinic, query='SELECT age + 1 AS n FROM ward."Pa tients" ORDER BY id;')
        ) == [
            (31,),
            (None,),
        ]

    def test_the_database_is_only_read(self, duck: Engine, clinic: str) -> None:
        with pytest.raises(BadInput, match="refuses the query"):
            duck.read(SqlTable(clinic, query='DELETE FROM ward."Pa tients" RETURNING id'))
        assert len(content(duck, SqlTable(clinic, table="ward.Pa tients"))) == 2

    def test_a_table_that_is_not_there_is_refused(self, duck: Engine, clinic: str) -> None:
        with pytest.raises(BadInput, match=r"table 'ward\.nobody': the database has no such table"):
            duck.read(SqlTable(clinic, table="ward.nobody"))

    def test_a_failing_query_repeats_no_value(self, duck: Engine, clinic: str) -> None:
        with pytest.raises(BadInput) as problem:
            duck.read(SqlTable(clinic, query="""SELECT (c || 's3cr3t')::int FROM ward."Pa tients" """))
        assert "s3cr3t" not in str(problem.value)


@pytest.mark.parametrize(
    "uri", ["postgresql://ann:s3cr3t@127.0.0.1:1/x", "postgres://ann:s3cr3t@127.0.0.1:1/x"]
)
def test_a_server_that_does_not_answer_is_refused_without_its_address(duck: Engine, uri: str) -> None:
    with pytest.raises(BadInput, match="the database cannot be reached") as problem:
        duck.read(SqlTable(uri, table="t"))
    assert "s3cr3t" not in str(problem.value)
    assert "s3cr3t" not in repr(SqlTable(uri, table="t"))


def test_another_kind_of_database_is_refused(duck: Engine) -> None:
    with pytest.raises(BadInput, match="the kind of database is not known") as problem:
        duck.read(SqlTable("oracle://ann:s3cr3t@host/x", table="t"))
    assert "s3cr3t" not in str(problem.value)


def test_a_source_needs_either_a_table_or_a_query(duck: Engine) -> None:
    for source in (SqlTable("sqlite:x.db"), SqlTable("sqlite:x.db", table="t", query="SELECT 1")):
        with pytest.raises(BadInput, match="either a table or a query"):
            duck.read(source)


def test_a_missing_driver_is_named(duck: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
    with pytest.raises(MissingPart, match="install sfumato"):
        duck.read(SqlTable("postgresql://host/x", table="t"))
