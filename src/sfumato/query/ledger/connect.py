"""Transactions that are durable when they return, on SQLite and on Postgres.

SQLite writes ahead (WAL), waits for the disk at every commit (synchronous=FULL) and takes the write lock at
the beginning of a transaction that charges (BEGIN IMMEDIATE), so that nothing is decided on numbers that are
about to change. Postgres runs SERIALIZABLE. There, a transaction first locks a table that is always empty:
LOCK TABLE takes no snapshot, so the snapshot is taken when it is this transaction's turn, and collisions,
which are run again a bounded number of times, stay rare. Nothing is lost by taking turns: every charge needs
the hash of the entry before it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import Pool, QueuePool

from sfumato.core.errors import BadInput, MissingPart
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.failures import AGAIN, in_words, sqlstate, told_in_words

T = TypeVar("T")

_TRIES = 12
_READING = "sfumato_reading"


def read_url(url: str) -> URL:
    """Read the address of a ledger; it is never repeated in a message, since it may hold a password.

    >>> read_url("sqlite:///ledger.db").database
    'ledger.db'
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise _unknown() from None
    if address.drivername == "sqlite":
        if not address.database or address.database == ":memory:":
            raise BadInput(
                "a ledger in memory would forget what was spent",
                where="ledger",
                remedy="write sqlite:///relative/path or sqlite:////absolute/path",
            )
        return address
    if address.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        if importlib.util.find_spec("psycopg") is None:
            raise MissingPart("the driver for Postgres is not installed", remedy="install sfumato[postgres]")
        return address.set(drivername="postgresql+psycopg")
    raise _unknown()


def _unknown() -> BadInput:
    return BadInput(
        "the address of the ledger is not understood",
        where="ledger",
        remedy="start it with 'sqlite:///' or 'postgresql://'",
    )


def sqlite_path(address: URL) -> Path | None:
    """Return the file of a ledger on SQLite, None on Postgres."""
    return Path(address.database or "") if address.drivername == "sqlite" else None


def make_file(path: Path) -> None:
    """Make the empty file of a ledger, for its owner alone (mode 0600); its side files take the same mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BadInput(
            "there is a file of this name already", where="ledger", remedy="open it, or choose another"
        ) from None
    except OSError:
        raise LedgerUnavailable(
            "the file of the ledger cannot be made",
            where="ledger",
            remedy="check that its folder exists and may be written",
        ) from None
    with told_in_words(), contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


class Connections:
    """A pool of connections, and the two kinds of transactions that a ledger needs."""

    def __init__(self, url: str, *, wait: float = 10.0) -> None:
        address = read_url(url)
        self.path = sqlite_path(address)
        self._file = _identity(self.path)
        self._wait = wait
        self._turn = threading.Lock()
        self.engine = _postgres(address, wait) if self.path is None else _sqlite(self.path, wait)
        self._reading = self.engine.execution_options(**{_READING: True})
        self._kept: tuple[Pool, Connection] | None = None

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run something that only reads, on one consistent state of the database."""
        return self._again(lambda: self._once(self._reading, work))

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run something alone, durably: when this returns it is on disk, when it raises nothing happened.

        Should the connection be lost in the very moment of the commit, it raises although the change may
        have been made: a charge that nobody uses, or an answer that was not sent. Asking again finds it.
        ``work`` may be run more than once and must not change anything but the database.
        """
        if self.path is None:
            return self._again(lambda: self._once(self.engine, work, lock=True))
        # Threads of one process queue up here: fairer and quicker than SQLite's sleeping and trying again.
        if not self._turn.acquire(timeout=self._wait):
            raise in_words(_busy())
        try:
            self._refuse_another_file()
            return self._in_turn(work)
        finally:
            self._turn.release()

    def _in_turn(self, work: Callable[[Connection], T]) -> T:
        """Run a write transaction on the connection that is kept for them: fetching one takes as long again.

        After anything that went wrong, and when the pool was emptied, the next one gets a new connection.
        """
        with told_in_words():
            if self._kept is None or self._kept[0] is not self.engine.pool:
                self._let_go()
                self._kept = self.engine.pool, self.engine.connect()
            connection = self._kept[1]
            try:
                with connection.begin():
                    return work(connection)
            except BaseException:
                self._let_go()
                raise

    def _let_go(self) -> None:
        kept, self._kept = self._kept, None
        if kept is not None:
            kept[1].close()

    def write_long(self, work: Callable[[Connection], T]) -> T:
        """Run something long; on Postgres others charge meanwhile, until it takes its turn to write the log.

        Whatever it read before ``take_turn`` may have changed by then.
        """
        if self.path is not None:
            return self.write(work)
        committed = self.engine.execution_options(isolation_level="READ COMMITTED")
        return self._again(lambda: self._once(committed, work))

    def _refuse_another_file(self) -> None:
        """Stop when the file was moved or replaced: open connections would go on writing to the old one."""
        if self._file is not None and self._file != _identity(self.path):
            raise LedgerUnavailable(
                "the file of the ledger was moved or replaced while it was open",
                where="ledger",
                remedy="stop every process that has it open, put it back, start again",
            )

    def _once(self, engine: Engine, work: Callable[[Connection], T], *, lock: bool = False) -> T:
        with told_in_words_unless_again(), engine.begin() as connection:
            if lock:
                take_turn(connection)
            return work(connection)

    def _again(self, once: Callable[[], T]) -> T:
        for attempt in range(_TRIES):
            try:
                return once()
            except DBAPIError as problem:
                if attempt + 1 == _TRIES:
                    raise in_words(problem) from None
            # Not for secrecy: whoever collided should not collide again.
            time.sleep(random.uniform(0.0, 0.01 * 2 ** min(attempt, 5)))
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close all connections."""
        if self._turn.acquire(timeout=self._wait):
            try:
                self._let_go()
            finally:
                self._turn.release()
        self.engine.dispose()


def take_turn(connection: Connection) -> None:
    """Wait until nobody else writes to the ledger (SQLite's write transactions have that from the start)."""
    if connection.dialect.name == "postgresql":
        # Set here as well: a pooler between us and the server may hand each transaction another session.
        connection.execute(
            text("SET LOCAL synchronous_commit = on; LOCK TABLE ledger_turn IN EXCLUSIVE MODE")
        )


@contextlib.contextmanager
def told_in_words_unless_again() -> Iterator[None]:
    """Turn errors of the database into words, but for collisions that may be run again."""
    with told_in_words():
        try:
            yield
        except DBAPIError as problem:
            if sqlstate(problem) not in AGAIN:
                raise
            collision = problem
        else:
            return
    raise collision


def _identity(path: Path | None) -> tuple[int, int] | None:
    try:
        found = None if path is None else path.stat()
    except OSError:
        found = None
    return None if found is None else (found.st_dev, found.st_ino)


def _busy() -> sqlite3.OperationalError:
    problem = sqlite3.OperationalError("busy")
    problem.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return problem


def _sqlite(path: Path, wait: float) -> Engine:
    def connect() -> sqlite3.Connection:
        # mode=rw: a ledger that is not there is never made by opening it, which would forget what was spent.
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw",
            uri=True,
            timeout=wait,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA cell_size_check=ON")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=5, max_overflow=60, pool_timeout=wait
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get(_READING, False)
        raw: Any = connection.connection.driver_connection
        raw.execute("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _postgres(address: URL, wait: float) -> Engine:
    engine = create_engine(
        address,
        isolation_level="SERIALIZABLE",
        pool_size=5,
        max_overflow=60,
        pool_timeout=wait,
        pool_pre_ping=True,
        connect_args={"connect_timeout": max(2, int(wait))},
    )

    @event.listens_for(engine, "connect")
    def connect(raw: Any, _record: Any) -> None:
        before = raw.autocommit
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute("SET synchronous_commit = on")
            cursor.execute(f"SET lock_timeout = {int(wait * 1000)}")
            cursor.execute("SET idle_in_transaction_session_timeout = 60000")
        raw.autocommit = before

    return engine
