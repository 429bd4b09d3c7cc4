"""Copies that are put back, and processes that die at any step: the budget is never answered twice.

A schedule asks, copies the ledger, dies somewhere between commit and reply, puts a copy back, starts again.
What must happen is known without the ledger: a ledger is accepted if its log begins with all that was ever
made durable outside, compared entry by entry, and refused otherwise. So honest crashes are never refused,
copies that forgot anything always are, and over all lives of the ledger no more than the budget is answered.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from sfumato.core.errors import SfumatoError
from sfumato.query.ledger import kept_head
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.chain import Head
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.kept_head import BLOCK, KeptHead
from sfumato.query.ledger.sql_ledger import SqlLedger, head_beside
from sfumato.query.ledger.tables import METADATA
from tests.query.ledger.ask import asked, give

REACHES = 10
"""questions that the budget pays"""
SCHEDULES = 100
POINTS = ("begin", "commit", "torn", "kept", "run")
"""it dies before the commit, after it, while the head is written, after that, or (charges) after running"""


class Crash(BaseException):
    """The process dies here."""


class Dying(KeptHead):
    """A file that is written by a process that may die before, while or after it does."""

    point = ""

    def keep(self, head: Head) -> None:
        if self.point == "commit":
            raise Crash
        if self.point == "torn":
            before = self.path.read_bytes() if self.path.exists() else b""
            super().keep(head)
            whole = self.path.read_bytes()
            for place in (BLOCK, 2 * BLOCK):
                slot = whole[place : place + 128]
                if before and slot != before[place : place + 128]:
                    with self.path.open("r+b") as file:
                        file.seek(place)
                        file.write(slot[:20] + bytes(108))
                    raise Crash
        super().keep(head)
        if self.point == "kept":
            raise Crash


def _hasten(raw: Any, _record: Any) -> None:
    raw.execute("PRAGMA synchronous=OFF")


class World:
    """A ledger in a place where it can be copied and put back, and everything that ever left it."""

    def __init__(self, url: str, folder: Path, chance: random.Random) -> None:
        self.url, self.folder, self.chance = url, folder, chance
        self.path = None if url.startswith("postgres") else Path(url.removeprefix("sqlite:///"))
        self.place = folder / "kept.head" if self.path is None else head_beside(self.path)
        SqlLedger.create(url, kept=self.place).close()
        self.ledger: SqlLedger | None = None
        self.kept: list[str] = []
        self.answers: dict[str, str] = {}
        self.copies: list[Any] = []
        self.refused = self.crashes = self.asked = 0

    def start(self) -> SqlLedger:
        if self.ledger is None:
            self.ledger = SqlLedger(self.url, kept=self.place)
            if self.path is not None:
                # Processes die here, not the machine: the disk need not be waited for.
                event.listen(self.ledger.connections.engine, "connect", _hasten)
                self.ledger.connections.engine.dispose()
            self.dying = Dying(self.place)
            self.ledger._heads = (self.dying,)
        return self.ledger

    def stop(self) -> None:
        if self.ledger is not None:
            self.ledger.close()
            self.ledger = None

    def log(self) -> list[str]:
        """The hashes of the log, read past the ledger."""
        rows = "SELECT hash FROM ledger_log ORDER BY sequence"
        if self.path is not None:
            with sqlite3.connect(self.path) as connection:
                found = [value for (value,) in connection.execute(rows)]
            connection.close()
            return found
        return self._directly(lambda connection: [value for (value,) in connection.execute(text(rows))])

    def _directly(self, work: Callable[[Any], Any]) -> Any:
        ledger = SqlLedger(self.url, kept=self.folder / "none")
        try:
            with ledger.connections.engine.begin() as connection:
                return work(connection)
        finally:
            ledger.close()

    def copy(self) -> None:
        if self.path is None:
            tables = METADATA.sorted_tables
            self.copies.append(
                self._directly(
                    lambda connection: [
                        (one, connection.execute(one.select()).mappings().all()) for one in tables
                    ]
                )
            )
            return
        place = self.folder / f"copy {len(self.copies)}.db"
        source, target = sqlite3.connect(self.path), sqlite3.connect(place)
        source.backup(target)
        source.close()
        target.close()
        self.copies.append(place)

    def put_back(self, copy: Any) -> None:
        self.stop()
        if self.path is None:

            def fill(connection: Any) -> None:
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                for table, rows in copy:
                    connection.execute(table.delete())
                    if rows:
                        connection.execute(table.insert(), [dict(row) for row in rows])

            self._directly(fill)
            return
        for side in ("-wal", "-shm"):
            self.path.with_name(self.path.name + side).unlink(missing_ok=True)
        shutil.copy(copy, self.path)

    def accepted(self) -> bool:
        """Whether the ledger has all that was ever made durable outside."""
        return self.log()[: len(self.kept)] == self.kept

    def step(self, work: Callable[[SqlLedger], Any], point: str) -> Any:
        """Do something with the ledger, which may die at a point; what was kept is known afterwards."""
        must = self.accepted()
        ledger = self.start()
        clock = ledger._clock

        def dead() -> int:
            raise Crash

        if point == "begin":
            ledger._clock = dead
        self.dying.point = point
        try:
            done = work(ledger)
        except Crash:
            self.crashes += 1
            if point == "kept":
                self.kept = self.log()
            self.stop()
            raise
        except LedgerUnavailable as problem:
            self.stop()
            if must or "another ledger than before, or an old copy" not in str(problem):
                raise AssertionError(f"an honest ledger was refused: {problem}") from None
            self.refused += 1
            raise
        finally:
            ledger._clock = clock
            self.dying.point = ""
        assert must, "it answered although it forgot something"
        self.kept = self.log()
        return done

    def ask(self, question: str, charge_dies: str = "", store_dies: str = "") -> None:
        """Ask as the service does: charge, run, store, and only then hand over."""
        self.asked += 1
        (charged,) = self.step(lambda ledger: ledger.charge([asked(question)]), charge_dies)
        if isinstance(charged, SfumatoError):
            return
        answer = charged.answer
        if answer is None:
            noisy = secrets.token_hex(8)
            if charge_dies == "run":
                self.stop()
                self.crashes += 1
                return
            (answer,) = self.step(lambda ledger: ledger.store([(charged.spend, noisy)]), store_dies)
        assert self.answers.setdefault(question, answer) == answer, "one question, one noise"
        assert len(self.answers) <= REACHES

    def live(self, steps: int) -> None:
        chance = self.chance
        for number in range(steps):
            what = chance.random()
            if what < 0.2:
                self.copy()
            elif what < 0.4 and self.copies:
                self.stop()
                self.copy()
                newest = self.copies.pop()
                self.put_back(chance.choice(self.copies))
                try:
                    self.ask(f"q{chance.randrange(14)}")
                except LedgerUnavailable:
                    self.put_back(newest)
            elif what < 0.5:
                point = chance.choice(("", *POINTS[:4]))
                with contextlib.suppress(Crash):
                    self.step(lambda ledger, number=number: Accounts(ledger).add(f"a{number}"), point)
            else:
                dies = [chance.choice(("", "", *POINTS)) if chance.random() < 0.5 else "" for _ in range(2)]
                with contextlib.suppress(Crash):
                    self.ask(f"q{chance.randrange(14)}", dies[0], "" if dies[1] == "run" else dies[1])


def lived(url: str, folder: Path, seed: int, steps: int = 14) -> World:
    world = World(url, folder, random.Random(seed))
    world.step(lambda ledger: give(ledger, "1"), "")
    world.live(steps)
    assert world.accepted(), "an honest ledger is left at the end"
    world.ask("the last")
    world.stop()
    return world


def test_a_hundred_schedules_of_copying_dying_and_putting_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_head, "_SYNC", lambda _file: None)
    worlds = []
    for seed in range(SCHEDULES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        worlds.append(lived(f"sqlite:///{folder}/ledger.db", folder, seed))
        shutil.rmtree(folder)
    assert sum(world.refused for world in worlds) > 50, "old copies were put back"
    assert sum(world.crashes for world in worlds) > 150
    assert sum(len(world.answers) for world in worlds) > 300
    assert max(len(world.answers) for world in worlds) <= REACHES


@pytest.mark.postgres
def test_schedules_on_postgres(postgres_url: str, tmp_path: Path) -> None:
    import psycopg

    schema = postgres_url.rpartition("search_path%3D")[2]
    refused = crashes = 0
    for seed in range(6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        world = lived(postgres_url, folder, seed, steps=10)
        refused, crashes = refused + world.refused, crashes + world.crashes
        with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
            connection.execute(f"CREATE SCHEMA {schema}")
    assert refused > 1
    assert crashes > 4


# Does what the service does, and tells of it in a file: charge, run, store, hand over.
CLIENT = """
import secrets, sys
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked
url, sent, turn = sys.argv[1:]
ledger = SqlLedger(url)
with open(sent, "a") as out:
    for i in range(10**6):
        (charged,) = ledger.charge([asked(f"q {turn} {i}", "0.001")])
        (answer,) = ledger.store([(charged.spend, secrets.token_hex(8))])
        out.write(f"q {turn} {i}={answer}\\n")
        out.flush()
"""


def test_a_ledger_of_killed_processes_is_accepted_and_its_copies_are_not(tmp_path: Path) -> None:
    """Real processes and SIGKILL at any moment."""
    path, sent = tmp_path / "ledger.db", tmp_path / "sent"
    url = f"sqlite:///{path}"
    ledger = SqlLedger.create(url)
    give(ledger, "1000")
    ledger.close()
    sent.touch()
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    chance = random.Random(1)

    def wait_for(lines: int) -> None:
        ends = time.monotonic() + 60
        while sent.read_bytes().count(b"\n") < lines:
            assert time.monotonic() < ends
            time.sleep(0.002)

    for turn in range(3):
        command = [sys.executable, "-c", CLIENT, url, str(sent), str(turn)]
        process = subprocess.Popen(command, cwd=root, env=environment)
        try:
            begun = sent.read_bytes().count(b"\n")
            wait_for(begun + chance.randint(1, 5))
            source, target = sqlite3.connect(path), sqlite3.connect(tmp_path / "old.db")
            source.backup(target)
            source.close()
            target.close()
            wait_for(sent.read_bytes().count(b"\n") + 2)
            time.sleep(chance.uniform(0, 0.01))
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
            if (tmp_path / name).exists():
                (tmp_path / name).rename(tmp_path / f"newest {name}")
        shutil.copy(tmp_path / "old.db", path)
        old = SqlLedger(url)
        with pytest.raises(LedgerUnavailable, match="an old copy"):
            old.charge([asked("from an old copy", "0.001")])
        old.close()
        for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
            if (tmp_path / f"newest {name}").exists():
                (tmp_path / f"newest {name}").rename(tmp_path / name)
        newest = SqlLedger(url)
        for line in sent.read_text().splitlines():
            question, _, answer = line.partition("=")
            (charged,) = newest.charge([asked(question, "0.001")])
            assert not isinstance(charged, SfumatoError)
            assert (charged.fresh, charged.answer) == (False, answer)
        newest.close()


def test_a_ledger_that_is_exchanged_while_it_is_open_stops(sqlite: SqlLedger, tmp_path: Path) -> None:
    """Its rows go back under an open connection, as `cp` over the file or a restored database would do."""
    give(sqlite, "1")
    give(sqlite, "1", "bo")
    with sqlite.connections.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER ledger_log_delete"))
        connection.execute(text("DELETE FROM ledger_log WHERE sequence = 4"))
    with pytest.raises(LedgerUnavailable, match="its entry 4 is missing or different"):
        sqlite.charge([asked()])
