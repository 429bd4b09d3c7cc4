"""What can happen to a database, said in words. Nothing that a driver says is passed on."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from sfumato.query.ledger.contract import LedgerUnavailable

_LOCKED = ("the ledger is locked by another process", "try again; if it stays so, see who holds it open")
_FULL = ("the disk of the ledger is full", "make room, then ask again")
_READ_ONLY = ("the ledger cannot be written", "check who may write the file, its folder and the database")
_CORRUPT = (
    "the ledger is damaged or is no ledger",
    "stop asking, and restore it together with the head that you kept outside",
)
_UNREACHABLE = ("the ledger cannot be reached", "check its address, its server, name and password")
_OTHER = ("the ledger does not work as it should", "look into the log of its database; ask again after that")

_SQLITE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _CORRUPT,
    sqlite3.SQLITE_NOTADB: _CORRUPT,
    sqlite3.SQLITE_CANTOPEN: _UNREACHABLE,
}
_POSTGRES = {
    "55P03": _LOCKED,
    "57014": _LOCKED,
    "40001": _LOCKED,
    "40P01": _LOCKED,
    "53100": _FULL,
    "53200": _FULL,
    "25006": _READ_ONLY,
    "42501": _READ_ONLY,
    "XX001": _CORRUPT,
    "XX002": _CORRUPT,
}
AGAIN = ("40001", "40P01")
"""SQLSTATE of transactions that collided and may simply be run again"""


def sqlstate(problem: BaseException) -> str:
    """Return the code that Postgres gave, '' where there is none."""
    original = problem.orig if isinstance(problem, DBAPIError) else problem
    return getattr(original, "sqlstate", None) or ""


def in_words(problem: BaseException) -> LedgerUnavailable:
    """Turn what a driver raised into one sentence and a remedy."""
    original = problem.orig if isinstance(problem, DBAPIError) else problem
    if isinstance(original, sqlite3.Error):
        # The low byte is the class of the error; a damaged file is also read as text that is none.
        code = getattr(original, "sqlite_errorcode", None)
        what, remedy = _OTHER if code is None else _SQLITE.get(code & 0xFF, _OTHER)
    elif isinstance(problem, PoolTimeout):
        what, remedy = _LOCKED
    else:
        state = sqlstate(problem)
        lost = isinstance(problem, DBAPIError) and problem.connection_invalidated
        what, remedy = _POSTGRES.get(
            state, _UNREACHABLE if lost or not state or state[:2] == "08" else _OTHER
        )
    return LedgerUnavailable(what, where="ledger", remedy=remedy)


@contextlib.contextmanager
def told_in_words() -> Iterator[None]:
    """Turn every error of the database into ``LedgerUnavailable``."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as problem:
        raise in_words(problem) from None
