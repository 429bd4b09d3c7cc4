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

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, insert, select

from sfumato.core.errors import BadInput
from sfumato.query.ledger.accounts import number_of
from sfumato.query.ledger.chain import Kind, Pen
from sfumato.query.ledger.connect import take_turn
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import PEOPLE, WINDOWS
from sfumato.query.ledger.words import name_checked

_CHUNK = 200_000
_SHORTEST_SECRET = 16


def people_hashes(secret: bytes, people: Iterable[str]) -> NDArray[np.int64]:
    """Return the keyed hash of each person: HMAC-SHA-256 with the data set's secret, cut to 64 bits.

    >>> people_hashes(b"0" * 32, ["ada", "bo", "ada"])[[0, 2]]
    array([-4063263158240250420, -4063263158240250420])
    """
    if len(secret) < _SHORTEST_SECRET:
        raise BadInput("the secret of the data set is too short", where="secret", remedy="use 32 random bytes")
    digests = b"".join(hmac.digest(secret, person.encode(), hashlib.sha256().name)[:8] for person in people)
    return np.frombuffer(digests, "<i8").astype(np.int64)


def admit(
    ledger: SqlLedger, data_set: str, window: str, people: NDArray[np.int64]
) -> NDArray[np.bool_]:
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

    def work(connection: Connection, moment: int) -> NDArray[np.int64]:
        place, number = _numbers(connection, data_set, window, moment)
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
    """Return the windows to which people of a data set were admitted, in that order."""

    def find(connection: Connection) -> list[str]:
        place = number_of_known(connection, data_set)
        names = select(WINDOWS.c.name).where(WINDOWS.c.data_set == place).order_by(WINDOWS.c.number)
        return list(connection.execute(names).scalars())

    return ledger.read(find)
