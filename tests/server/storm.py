"""Many analysts at once against a real service, which may be killed and started again meanwhile.

Everybody asks their own questions, all at the same price, and repeats each one until there is a reply. The
budget of the data set ends a few questions before all were asked. So it is known to the unit what must come
out: how many answers, how many refusals, what was spent.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select

from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import ANSWERS, SPENDS

PRICE = Decimal("0.01")
REPLIES_WITHIN = 60.0
_MAIN = "from sfumato.cli import main; main()"


class Served:
    """``sfumato serve`` in a process of its own, on a port that stays the same after a restart."""

    def __init__(self, databases: Sequence[Path], ledger: str, *more: str) -> None:
        self.command = [sys.executable, "-c", _MAIN, "serve", *map(str, databases), "--ledger", ledger, *more]
        self.port = 0
        self.kills = 0
        self.said: list[str] = []
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*self.command, "--port", str(self.port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("Listening on "):
                self.port = int(line.rsplit(":", 1)[1])
                return process
        assert process.stderr is not None
        raise AssertionError(f"the service did not start: {process.stderr.read()}")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it as a power cut would, and start it again."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)
        self.kills += 1
        self.process = self._start()

    def stop(self) -> int:
        """Ask it to end; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return code

    def cpu(self) -> float:
        """Return the CPU seconds of the process so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Storm:
    """What analysts got."""

    answers: list[tuple[str, str]] = field(default_factory=list)
    """analyst and text"""
    refused: int = 0
    repeated: int = 0
    seconds: float = 0.0

    @property
    def replies(self) -> int:
        return len(self.answers) + self.refused


def set_up(ledger: SqlLedger, data_set: str, analysts: int, questions: int, short: int) -> dict[str, str]:
    """Add analysts who may ask all their questions, of a data set whose budget ends ``short`` of them."""
    accounts = Accounts(ledger)
    keys = {name: accounts.add(name) for name in (f"analyst {number}" for number in range(analysts))}
    limits = dict.fromkeys(keys, PRICE * questions)

    def budget(scope: Scope, name: str, limit: Decimal) -> Budget:
        return Budget(scope, name, data_set, "", Composition.BASIC, limit, Decimal(0))

    ledger.set_budgets(
        [budget(Scope.DATA_SET, data_set, PRICE * (analysts * questions - short))]
        + [budget(Scope.ANALYST, name, limit) for name, limit in limits.items()]
    )
    return keys


class Line:
    """One connection that is kept open, in plain HTTP/1.1: a full client takes more CPU than the service.

    It reads replies with a Content-Length, which are all that the service sends.
    """

    def __init__(self, port: int, key: str) -> None:
        self.port = port
        self.key = key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, body: dict[str, str]) -> tuple[int, str] | None:
        """Return status and text of the reply; None when the connection broke before it was whole."""
        try:
            async with asyncio.timeout(REPLIES_WITHIN):
                return await self._ask(json.dumps(body).encode())
        except (OSError, EOFError):
            self.close()
            return None

    async def _ask(self, body: bytes) -> tuple[int, str]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        head = (
            f"POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().rstrip().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        text = (await reader.readexactly(int(headers["content-length"]))).decode()
        if headers.get("connection") == "close":
            self.close()
        return int(first.split()[1]), text

    def close(self) -> None:
        """Hang up; the next question dials again."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _analyst(
    storm: Storm, port: int, name: str, key: str, questions: Sequence[str], told: Callable[[], None]
) -> None:
    line = Line(port, key)
    for sql in questions:
        while True:
            reply = await line.ask({"sql": sql, "epsilon": str(PRICE)})
            if reply is not None and reply[0] in (200, 402):
                break
            assert reply is None or reply[0] == 503, reply
            storm.repeated += 1
            await asyncio.sleep(0.5 if reply is None else 0.1)
        if reply[0] == 200:
            storm.answers.append((name, reply[1]))
        else:
            storm.refused += 1
        told()
    line.close()


async def _rage(
    served: Served, keys: dict[str, str], question: Callable[[int, int], str], number: int, kills: int
) -> Storm:
    storm = Storm()
    moments = sorted(random.Random(kills).sample(range(1, len(keys) * number - 1), kills))
    due = asyncio.Event()

    def told() -> None:
        if moments and storm.replies >= moments[0]:
            due.set()

    async def killer() -> None:
        while moments:
            await due.wait()
            due.clear()
            moments.pop(0)
            await asyncio.to_thread(served.kill)
            told()

    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        # In one group: should the service not start again, nobody goes on asking for ever.
        group.create_task(killer())
        await asyncio.gather(
            *(
                _analyst(
                    storm, served.port, name, key, [question(place, each) for each in range(number)], told
                )
                for place, (name, key) in enumerate(keys.items())
            )
        )
        storm.seconds = time.perf_counter() - begun
    return storm


def rage(
    served: Served, keys: dict[str, str], question: Callable[[int, int], str], number: int, kills: int = 0
) -> Storm:
    """Let everybody ask ``number`` questions at once; kill the service so many times in between."""
    return asyncio.run(_rage(served, keys, question, number, kills))


@dataclass(frozen=True)
class Found:
    """What the ledger says of a storm, counted anew."""

    charges: int
    overspent: Decimal
    """beyond any limit, summed over all budgets"""
    without_charge: int
    """answers that somebody got and that are stored under no charge of theirs"""
    holds: bool


def found_in(ledger: SqlLedger, storm: Storm) -> Found:
    """Compare what analysts got with what the ledger has."""

    def read(connection: Any) -> tuple[list[str], Counter[tuple[str, str]]]:
        charged = [row.analyst for row in connection.execute(select(SPENDS.c.analyst))]
        kept = select(SPENDS.c.analyst, ANSWERS.c.answer).join_from(SPENDS, ANSWERS)
        return charged, Counter((row.analyst, row.answer) for row in connection.execute(kept))

    charged, stored = ledger.read(read)
    without = sum((Counter(storm.answers) - stored).values())
    spent = {name: PRICE * times for name, times in Counter(charged).items()}
    overspent = Decimal(0)
    for budget in ledger.all_budgets():
        really = sum(spent.values()) if budget.scope is Scope.DATA_SET else spent.get(budget.name, Decimal(0))
        assert budget.spent == really, "the running total is the sum of its charges"
        overspent += max(Decimal(0), really - budget.limit)
    return Found(len(charged), overspent, without, verify_chain(ledger).holds)
