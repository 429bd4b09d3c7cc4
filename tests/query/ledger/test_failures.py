"""A ledger that is locked, full, damaged or gone: nothing is charged, nothing could be answered."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from sfumato.core.errors import BadInput, MissingPart
from sfumato.query.ledger import connect
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Charged, LedgerUnavailable
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit
from tests.query.ledger.ask import asked, give, one


def file_of(ledger: SqlLedger) -> Path:
    assert ledger.connections.path is not None
    return ledger.connections.path


def test_only_the_owner_can_read_the_file(sqlite: SqlLedger) -> None:
    give(sqlite)
    files = list(file_of(sqlite).parent.iterdir())
    assert {path.name for path in files} == {"ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db.head"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_every_commit_waits_for_the_disk(sqlite: SqlLedger) -> None:
    def setting(name: str) -> object:
        return sqlite.read(lambda c: c.execute(text(f"PRAGMA {name}")).scalar())

    assert (setting("journal_mode"), setting("synchronous"), setting("foreign_keys")) == ("wal", 2, 1)


@pytest.mark.postgres
def test_every_commit_waits_for_the_disk_on_postgres(postgres_url: str) -> None:
    ledger = SqlLedger.create(postgres_url)

    def setting(name: str) -> object:
        return ledger.read(lambda c: c.execute(text(f"SHOW {name}")).scalar())

    assert (setting("synchronous_commit"), setting("fsync")) == ("on", "on")
    assert setting("transaction_isolation") == "serializable"
    ledger.close()


def test_a_full_disk_charges_nothing(sqlite: SqlLedger) -> None:
    give(sqlite, "1000")
    paid = [one(sqlite, asked(f"q{i}")).spend for i in range(3)]
    sqlite.connections.engine.dispose()
    full = sqlite.read(lambda c: c.execute(text("PRAGMA page_count")).scalar()) or 0

    # The limit on pages belongs to a connection, and the pool hands out the one that was given back.
    sqlite.read(lambda c: c.execute(text(f"PRAGMA max_page_count={full + 3}")))
    long = "x" * 100_000
    with pytest.raises(LedgerUnavailable, match="the disk of the ledger is full"):
        sqlite.charge([asked("small"), asked(long)])
    with pytest.raises(LedgerUnavailable, match="the disk of the ledger is full"):
        sqlite.store([(paid[0], "small"), (paid[1], long)])

    sqlite.read(lambda c: c.execute(text("PRAGMA max_page_count=1000000")))
    assert {each.spent for each in sqlite.all_budgets()} == {Decimal("0.3")}
    assert one(sqlite, asked("q0")).answer is None
    result = verify_chain(sqlite)
    assert result.holds
    assert (result.charges, result.answers) == (3, 0)
    assert one(sqlite, asked("small")).fresh


def test_a_full_disk_admits_nobody(sqlite: SqlLedger) -> None:
    admit(sqlite, "clinic", "2024", np.arange(10))
    sqlite.connections.engine.dispose()
    full = sqlite.read(lambda c: c.execute(text("PRAGMA page_count")).scalar()) or 0
    sqlite.read(lambda c: c.execute(text(f"PRAGMA max_page_count={full + 3}")))
    with pytest.raises(LedgerUnavailable, match="the disk of the ledger is full"):
        admit(sqlite, "clinic", "2024", np.arange(10_000))
    sqlite.read(lambda c: c.execute(text("PRAGMA max_page_count=1000000")))
    assert admit(sqlite, "clinic", "2025", np.arange(20)).tolist() == [False] * 10 + [True] * 10


@pytest.mark.postgres
def test_a_table_that_is_gone_is_told_in_words(postgres_url: str) -> None:
    ledger = SqlLedger.create(postgres_url)
    ledger.write(lambda c, _: c.execute(text("DROP TABLE ledger_people")))
    with pytest.raises(LedgerUnavailable, match="does not work as it should"):
        admit(ledger, "clinic", "2024", np.arange(10))
    ledger.close()


@contextlib.contextmanager
def held(ledger: SqlLedger) -> Iterator[None]:
    """Hold the write lock as another process would."""
    other = sqlite3.connect(file_of(ledger), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def test_a_ledger_locked_by_another_charges_nothing_and_works_again_after(sqlite: SqlLedger) -> None:
    give(sqlite)
    with held(sqlite):
        with pytest.raises(LedgerUnavailable, match="the ledger is locked by another process"):
            sqlite.charge([asked()])
        assert {each.spent for each in sqlite.all_budgets()} == {Decimal(0)}
    assert one(sqlite, asked()).fresh


@pytest.mark.postgres
def test_a_locked_ledger_on_postgres_says_so(postgres_url: str) -> None:
    ledger = SqlLedger.create(postgres_url, wait=0.3)
    give(ledger)
    with ledger.connections.engine.begin() as other:
        other.execute(text("LOCK TABLE ledger_turn IN EXCLUSIVE MODE"))
        with pytest.raises(LedgerUnavailable, match="the ledger is locked by another process"):
            ledger.charge([asked()])
    assert one(ledger, asked()).fresh
    ledger.close()


@pytest.mark.postgres
def test_a_connection_that_was_lost_is_made_anew(postgres_url: str) -> None:
    ledger = SqlLedger.create(postgres_url)
    give(ledger)
    with pytest.raises(LedgerUnavailable, match="the ledger cannot be reached"):
        ledger.write(lambda c, _: c.execute(text("SELECT pg_terminate_backend(pg_backend_pid())")))
    assert one(ledger, asked()).fresh
    assert verify_chain(ledger).holds
    ledger.close()


def test_a_ledger_that_cannot_be_written_charges_nothing(
    sqlite: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(sqlite)
    opened = sqlite3.connect
    read_only = lambda address, **how: opened(address.replace("mode=rw", "mode=ro"), **how)  # noqa: E731
    monkeypatch.setattr(connect.sqlite3, "connect", read_only)
    other = SqlLedger(f"sqlite:///{file_of(sqlite)}")
    with pytest.raises(LedgerUnavailable, match="the ledger cannot be written"):
        other.charge([asked()])
    assert {each.spent for each in other.all_budgets()} == {Decimal(0)}
    other.close()


def test_a_damaged_file_is_refused(sqlite: SqlLedger, tmp_path: Path) -> None:
    give(sqlite, "10", *(f"analyst {i}" for i in range(200)))
    url = f"sqlite:///{file_of(sqlite)}"
    sqlite.close()
    whole = bytearray(file_of(sqlite).read_bytes())
    whole[4096:] = b"s3cr3t" * ((len(whole) - 4096) // 6 + 1)
    file_of(sqlite).write_bytes(whole)
    with pytest.raises(LedgerUnavailable) as problem:
        SqlLedger(url).charge([asked()])
    assert "the ledger is damaged or is no ledger" in str(problem.value)
    (tmp_path / "text.db").write_text("s3cr3t, not a database" * 100)
    with pytest.raises(LedgerUnavailable) as problem:
        SqlLedger(f"sqlite:///{tmp_path}/text.db")
    assert "s3cr3t" not in str(problem.value)


def test_a_ledger_that_is_not_there_is_never_made_by_opening_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no ledger here"):
        SqlLedger(f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.db").touch()
    with pytest.raises(BadInput, match="there is no ledger here"):
        SqlLedger(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(LedgerUnavailable, match="cannot be made"):
        SqlLedger.create(f"sqlite:///{tmp_path}/no folder/ledger.db")


def test_a_file_that_was_replaced_while_open_stops_the_ledger(sqlite: SqlLedger, tmp_path: Path) -> None:
    """Else some connections would charge the old file and some the new one."""
    give(sqlite)
    one(sqlite, asked("q0"))
    SqlLedger.create(f"sqlite:///{tmp_path}/other.db").close()
    os.replace(tmp_path / "other.db", file_of(sqlite))
    with pytest.raises(LedgerUnavailable, match="moved or replaced"):
        sqlite.charge([asked("q1")])


def test_an_unreachable_server_is_told_without_its_password() -> None:
    with pytest.raises(LedgerUnavailable) as problem:
        SqlLedger("postgresql://olga:s3cr3t@127.0.0.1:1/ledger")
    assert "the ledger cannot be reached" in str(problem.value)
    assert "s3cr3t" not in str(problem.value)


@pytest.mark.parametrize("url", ["mysql://x/y", "ledger.db", "", "sqlite://", "sqlite:///:memory:"])
def test_addresses_that_are_no_ledger_are_refused(url: str) -> None:
    with pytest.raises(BadInput):
        SqlLedger.create(url)


def test_without_the_driver_the_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingPart, match="the driver for Postgres is not installed"):
        SqlLedger("postgresql://x/y")


def test_work_that_fails_halfway_leaves_nothing(ledger: SqlLedger) -> None:
    give(ledger)
    before = ledger.head()

    def dies(connection: object, moment: int) -> None:
        from sfumato.query.ledger.charging import charge_all

        (charged,) = charge_all(connection, [asked()], moment)  # type: ignore[arg-type]  # a Connection
        assert isinstance(charged, Charged)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ledger.write(dies)
    assert ledger.head() == before
    assert {each.spent for each in ledger.all_budgets()} == {Decimal(0)}
    assert one(ledger, asked()).fresh
