"""A budget follows the person: a new window frees budget only for people who were in no earlier one.

Windows split people, not time. Whoever was admitted to a window stays in it for good, in every version of its
data, and is left out of all others. So the windows are disjoint parts of the people and, by parallel
composition (F. McSherry, "Privacy integrated queries", 2009), nobody pays more than the budget of one window.
The ledger holds this up: a second window is charged only if people were admitted to both of them before the
first charge to each. Whether a person is admitted depends on that person alone, so adding or removing another
changes nothing.

People are kept as keyed hashes of 64 bits. Two people with the same hash share their window: one of them
may be left out of a later window needlessly, never counted in two. Among ten million people that happens to
about three pairs in a million such data sets.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import DBAPIError

from sfumato.core.errors import BadInput
from sfumato.query.ledger.accounts import number_of
from sfumato.query.ledger.chain import Kind, Pen
from sfumato.query.ledger.charging import find_budgets
from sfumato.query.ledger.connect import take_turn
from sfumato.query.ledger.contract import Scope
from sfumato.query.ledger.people import vouched
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import DATA_SETS, LOG, PEOPLE, WINDOWS
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

    Durable when it returns. Where somebody was new, an entry of the log vouches for the people of the window
    (``people``). How many were admitted is told to the caller alone and not written to the log: it is an
    exact count of people.
    """
    name_checked(data_set, "data set")
    name_checked(window, "window", empty=True)
    hashes = np.ascontiguousarray(people, np.int64)
    order = np.argsort(hashes, kind="stable")
    arranged = hashes[order]
    first = np.ones(arranged.size, np.bool_)
    first[1:] = arranged[1:] != arranged[:-1]
    place, number = ledger.write(lambda connection, moment: _open(connection, data_set, window, moment))

    def work(connection: Connection, moment: int) -> NDArray[np.int64]:
        sqlite = connection.dialect.name == "sqlite"
        insert_new, members_of = (_new_to_sqlite, _of_sqlite) if sqlite else (_new_to_postgres, _of_postgres)
        driver: Any = connection.dialect.dbapi
        cursor: Any = connection.connection.cursor()
        try:
            new = insert_new(cursor, place, number, arranged[first])
            if new:
                # Only now: inserting millions must not keep others from charging, writing to the log must.
                take_turn(connection)
            found = members_of(cursor, place, number)
        except driver.Error as problem:
            # As SQLAlchemy would have raised it: what may be run again is, the rest is told in words.
            raise DBAPIError("admit", None, problem) from None
        if new:
            whole = select(WINDOWS.c.complete).where(WINDOWS.c.number == number)
            complete = bool(connection.execute(whole).scalar())
            _tell(connection, moment, data_set, window, complete, found)
        return found

    members = np.sort(ledger.write_long(work))
    inside = np.zeros(hashes.size, np.bool_)
    if members.size:
        # Both are sorted, so the search runs through memory once.
        found = np.minimum(np.searchsorted(members, arranged), members.size - 1)
        inside[order] = members[found] == arranged
    return inside


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
        key = (data_set, window, str(Scope.DATA_SET), data_set)
        budget = find_budgets(connection, [key]).get(key)
        complete = budget is None or not (budget.spent or budget.spent_delta)
        values = {"number": number, "data_set": place, "name": window, "complete": complete}
        connection.execute(insert(WINDOWS).values(**values))
        _tell(connection, moment, data_set, window, complete, np.empty(0, np.int64))
    return place, number


def _tell(
    connection: Connection,
    moment: int,
    data_set: str,
    window: str,
    complete: bool,
    people: NDArray[np.int64],
) -> None:
    pen = Pen(connection, moment)
    body = {"data_set": data_set, "window": window, "complete": complete}
    pen.write(Kind.WINDOW, body | vouched(people))
    pen.flush()


def vouch_for_all(connection: Connection, moment: int) -> None:
    """Write an entry for the people of every window that has none yet, as they are now.

    Where there is one it stays: whoever removes people and lets the ledger pass for an older one would
    otherwise have them vouched for.
    """
    entries = connection.execute(select(LOG.c.body).where(LOG.c.kind == str(Kind.WINDOW))).scalars()
    told = {(body["data_set"], body["window"]) for body in map(json.loads, entries) if "people" in body}
    places = (
        select(DATA_SETS.c.number, DATA_SETS.c.name, WINDOWS.c.number, WINDOWS.c.name, WINDOWS.c.complete)
        .join_from(WINDOWS, DATA_SETS)
        .order_by(WINDOWS.c.number)
    )
    for place, data_set, number, window, complete in connection.execute(places).all():
        if (data_set, window) in told:
            continue
        people = select(PEOPLE.c.person).where(PEOPLE.c.data_set == place, PEOPLE.c.window == number)
        found = np.fromiter(connection.execute(people).scalars(), np.int64)
        _tell(connection, moment, data_set, window, bool(complete), found)


def _new_to_sqlite(cursor: Any, place: int, number: int, people: NDArray[np.int64]) -> bool:
    """Insert those who are new, in order of the key; return whether anybody was."""
    before = cursor.connection.total_changes
    for start in range(0, people.size, _CHUNK):
        cursor.executemany(
            f"INSERT INTO ledger_people VALUES ({place}, ?, {number}) ON CONFLICT DO NOTHING",
            [(person,) for person in people[start : start + _CHUNK].tolist()],
        )
    return bool(cursor.connection.total_changes > before)


def _of_sqlite(cursor: Any, place: int, number: int) -> NDArray[np.int64]:
    """Return everybody of the window."""
    cursor.execute(f"SELECT person FROM ledger_people WHERE data_set = {place} AND window = {number}")
    return np.fromiter((person for (person,) in cursor), np.int64)


_COPIED = np.dtype([("columns", ">i2"), ("bytes", ">i4"), ("person", ">i8")])
"""a row of one bigint in Postgres' binary form of COPY"""
_COPY_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TAIL = b"\xff\xff"


def _new_to_postgres(cursor: Any, place: int, number: int, people: NDArray[np.int64]) -> bool:
    """Insert those who are new, in one order for everybody, so that two who admit at once wait, not block."""
    rows = np.empty(people.size, _COPIED)
    rows["columns"], rows["bytes"], rows["person"] = 1, 8, people
    cursor.execute("CREATE TEMPORARY TABLE ledger_staged (person bigint) ON COMMIT DROP")
    with cursor.copy("COPY ledger_staged FROM STDIN (FORMAT binary)") as copy:
        copy.write(_COPY_HEAD)
        for start in range(0, people.size, _CHUNK):
            copy.write(rows[start : start + _CHUNK].tobytes())
        copy.write(_COPY_TAIL)
    cursor.execute(
        f"INSERT INTO ledger_people SELECT {place}, person, {number} FROM ledger_staged ORDER BY person "
        "ON CONFLICT DO NOTHING"
    )
    return bool(cursor.rowcount)


def _of_postgres(cursor: Any, place: int, number: int) -> NDArray[np.int64]:
    """Return everybody of the window."""
    mine = f'SELECT person FROM ledger_people WHERE data_set = {place} AND "window" = {number}'
    with cursor.copy(f"COPY ({mine}) TO STDOUT (FORMAT binary)") as copy:
        whole = b"".join(copy)
    return np.frombuffer(whole[len(_COPY_HEAD) : -len(_COPY_TAIL)], _COPIED)["person"].astype(np.int64)
