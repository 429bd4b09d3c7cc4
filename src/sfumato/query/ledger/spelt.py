"""Statements that every question runs: spelt once per database, then handed to its driver as they are.

SQLAlchemy says what a statement is on SQLite and on Postgres; walking through it again for each question
would take several times as long as the databases do. Everything else in this room, which runs rarely, uses
SQLAlchemy directly. Only texts and whole numbers pass here, which need no translation on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Column, ColumnElement, Connection, bindparam
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.expression import Executable

MOST = 512
"""names in one IN list"""
_NAME = "one_of_{}"


class Spelt:
    """A statement with named parameters.

    >>> from sqlalchemy import Integer, create_engine, literal, select
    >>> plus = Spelt(select(literal(1) + bindparam("more", type_=Integer)))
    >>> with create_engine("sqlite://").begin() as connection:
    ...     plus.rows(connection, {"more": 2})
    [(3,)]
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._spelt: dict[str, tuple[str, Sequence[str] | None, dict[str, Any]]] = {}

    def rows(self, connection: Connection, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run it and return all rows, as the driver gives them (SQLite has 0 and 1 for false and true)."""
        text, given = self._given(connection, [parameters])
        found: list[tuple[Any, ...]] = _run(
            connection, lambda cursor: cursor.execute(text, given[0]).fetchall()
        )
        return found

    def many(self, connection: Connection, parameters: Iterable[Mapping[str, Any]]) -> None:
        """Run it once for each set of parameters."""
        text, given = self._given(connection, parameters)
        _run(connection, lambda cursor: cursor.executemany(text, given))

    def _given(
        self, connection: Connection, parameters: Iterable[Mapping[str, Any]]
    ) -> tuple[str, list[Mapping[str, Any] | list[Any]]]:
        """Return the text, and the parameters as the driver takes them: by place (SQLite) or by name."""
        dialect = connection.dialect
        if dialect.name not in self._spelt:
            compiled: Any = self._statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # all have it
            constants = {name: value for name, value in compiled.params.items() if value is not None}
            self._spelt[dialect.name] = (str(compiled), compiled.positiontup, constants)
        text, places, constants = self._spelt[dialect.name]
        whole = ({**constants, **each} for each in parameters)
        return text, [each if places is None else [each[name] for name in places] for each in whole]


class SpeltOneOf:
    """A statement that looks for some of the values of a column; ``make`` is handed the condition.

    Lists are filled up to a power of two with their last value, which changes nothing, so that there are few
    spellings.
    """

    def __init__(self, column: Column[Any], make: Callable[[ColumnElement[bool]], Executable]) -> None:
        self._column = column
        self._make = make
        self._of_size: dict[int, Spelt] = {}

    def rows(
        self, connection: Connection, those: Iterable[Any], parameters: Mapping[str, Any] | None = None
    ) -> list[tuple[Any, ...]]:
        """Run it, as often as it takes for so many values."""
        listed = sorted(set(those))
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(listed), MOST):
            some = listed[start : start + MOST]
            some += some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))
            named = {_NAME.format(i): value for i, value in enumerate(some)}
            found += self._spelt(len(some)).rows(connection, {**named, **(parameters or {})})
        return found

    def _spelt(self, size: int) -> Spelt:
        found = self._of_size.get(size)
        if found is None:
            values: list[BindParameter[Any]] = [
                bindparam(_NAME.format(i), type_=self._column.type) for i in range(size)
            ]
            found = self._of_size[size] = Spelt(self._make(self._column.in_(values)))
        return found


def _run(connection: Connection, work: Callable[[Any], Any]) -> Any:
    # SQLAlchemy begins a transaction by itself, a driver may not: each statement would stand alone.
    assert connection.in_transaction()
    driver: Any = connection.dialect.dbapi
    raw: Any = connection.connection
    cursor = raw.cursor()
    try:
        return work(cursor)
    except driver.Error as problem:
        # As SQLAlchemy would have raised it: what may be run again is, the rest is told in words.
        lost = connection.dialect.is_disconnect(problem, raw, cursor)
        raise DBAPIError("ledger", None, problem, connection_invalidated=lost) from None
    finally:
        cursor.close()
