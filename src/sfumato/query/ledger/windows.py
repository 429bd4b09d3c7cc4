"""A budget follows the person: a new window frees budget only for people who were in no earlier one.

Windows split people, not time. Whoever was admitted to a window stays in it for good, in every version of its
data, and is left out of all others. So the windows are disjoint parts of the people and, by parallel
composition (F. McSherry, "Privacy integrated queries", 2009), nobody pays more than the budget of one window.
Whether a person is admitted depends on that person alone, so adding or removing another changes nothing.

People are kept as keyed hashes of 64 bits. Two people with the same hash share their window: one of them
may be left out of a later window needlessly, never counted in two. Among ten million people that happens to
about three pairs in a million such data sets.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, insert, select

from sfumato.core.errors import BadInput
from sfumato.query.ledger.accounts import number_of
from sfumato.query.ledger.chain import Kind, Pen
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import DATA_SETS, PEOPLE, WINDOWS
from sfumato.query.ledger.words import name_checked

_CHUNK = 200_000
_SHORTEST_SECRET = 16


def people_hashes(secret: bytes, people: Iterable[str]) -> NDArray[np.int64]:
    """Return the keyed hash of each person: HMAC-SHA-256 with the data set's secret, cut to 64 bits.

    >>> people_hashes(b"0" * 32, ["ada", "bo", "ada"])[[0, 2]]
    array([-4288740428897094214, -4288740428897094214])
    """
    if len(secret) < _SHORTEST_SECRET:
        raise BadInput(
            "the secret of the data set is too short", where="secret", remedy="use 32 random bytes"
        )
    digests = b"".join(hmac.digest(secret, person.encode(), "sha256")[:8] for person in people)
    return np.frombuffer(digests, "<i8").astype(np.int64)


def admit(ledger: SqlLedger, data_set: str, window: str, people: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Admit people (``people_hashes``) to a window, and say which of them belong to it.

    True are those who are new to the data set, from now on people of this window, and those who were
    admitted to this window before. False are people of another window: leave out all of their rows.

    One durable transaction. How many were admitted is told to the caller alone and not written to the log:
    it is an exact count of people.
    """
    name_checked(data_set, "data set")
    name_checked(window, "window", empty=True)
    hashes = np.ascontiguousarray(people, np.int64)
    unique = np.unique(hashes)

    place, number = ledger.write(lambda connection, moment: _open(connection, data_set, window, moment))

    def work(connection: Connection, _moment: int) -> NDArray[np.int64]:
        if connection.dialect.name == "sqlite":
            _insert_sqlite(connection, place, number, unique)
        else:
            _insert_postgres(connection, place, number, unique)
        mine = (
            select(PEOPLE.c.person)
            .where(PEOPLE.c.data_set == place, PEOPLE.c.window == number)
            .execution_options(yield_per=_CHUNK)
        )
        parts = [np.array(part, np.int64) for part in connection.execute(mine).scalars().partitions(_CHUNK)]
        return np.concatenate([np.empty(0, np.int64), *parts])

    return np.isin(hashes, ledger.write_long(work))


def windows_of(ledger: SqlLedger, data_set: str) -> list[str]:
    """Return the windows that were opened for a data set, the oldest first."""
    names = (
        select(WINDOWS.c.name)
        .join(DATA_SETS, DATA_SETS.c.number == WINDOWS.c.data_set)
        .where(DATA_SETS.c.name == data_set)
        .order_by(WINDOWS.c.number)
    )
    return ledger.read(lambda connection: list(connection.execute(names).scalars()))


def _open(connection: Connection, data_set: str, window: str, moment: int) -> tuple[int, int]:
    place = number_of(connection, data_set)
    here = select(WINDOWS.c.number).where(WINDOWS.c.data_set == place, WINDOWS.c.name == window)
    number = connection.execute(here).scalar()
    if number is None:
        number = (connection.execute(select(func.max(WINDOWS.c.number))).scalar() or 0) + 1
        connection.execute(insert(WINDOWS).values(number=number, data_set=place, name=window))
        pen = Pen(connection, moment)
        pen.write(Kind.WINDOW, {"data_set": data_set, "window": window})
        pen.flush()
    return place, number


def _insert_sqlite(connection: Connection, place: int, number: int, people: NDArray[np.int64]) -> None:
    # SQLAlchemy would make a dictionary of every row; the driver's own way is ten times quicker.
    cursor = connection.connection.cursor()
    for start in range(0, people.size, _CHUNK):
        cursor.executemany(
            f"INSERT INTO ledger_people VALUES ({place}, ?, {number}) ON CONFLICT DO NOTHING",
            [(person,) for person in people[start : start + _CHUNK].tolist()],
        )


def _insert_postgres(connection: Connection, place: int, number: int, people: NDArray[np.int64]) -> None:
    cursor: Any = connection.connection.cursor()
    cursor.execute("CREATE TEMPORARY TABLE ledger_staged (person bigint) ON COMMIT DROP")
    with cursor.copy("COPY ledger_staged FROM STDIN") as copy:
        for start in range(0, people.size, _CHUNK):
            copy.write("".join(f"{person}\n" for person in people[start : start + _CHUNK].tolist()))
    # In one order for everybody: two who admit the same people at once then wait and do not block each other.
    cursor.execute(
        f"INSERT INTO ledger_people SELECT {place}, person, {number} FROM ledger_staged ORDER BY person "
        "ON CONFLICT DO NOTHING"
    )
