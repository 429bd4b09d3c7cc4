"""A made-up clinic behind a real ``sfumato serve``, for whoever measures what its time tells.

Everybody has a public ``code`` and is ill or not, which is secret; a second table has their visits. A
question about one code and the ill, joined with the visits, runs longer when that person is ill.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from select import select
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import yaml

from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.server.storm import Served

BUDGET = Decimal(10**6)
"""the owner's generosity is not what is measured"""
ANALYSTS = ("suspect", "friend", "stranger")
PATIENCE = 120.0


@dataclass(frozen=True)
class Victim:
    """Somebody whose code is known, and the truth."""

    code: int
    ill: bool


def make_clinic(folder: Path, people: int, visits: int, seed: int = 0) -> Path:
    """Write the tables and their public description into a folder; half of the people are ill."""
    draw = np.random.default_rng(seed)
    names = pa.array([f"person {number}" for number in range(people)])
    of = draw.permutation(np.repeat(np.arange(people), visits))
    tables = {
        "people": pa.table(
            {
                "id": names,
                "code": draw.permutation(people),
                "ill": draw.random(people) < 0.5,
                "age": draw.integers(0, 100, people),
            }
        ),
        "visits": pa.table({"id": names.take(pa.array(of)), "cost": draw.integers(0, 1001, len(of))}),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        parquet.write_table(table, folder / f"{name}.parquet")
    public = {
        "data_set": "clinic",
        "tables": {
            "people": {
                "source": "people.parquet",
                "person": "id",
                "max_rows": people,
                "columns": {
                    "code": {"type": "integer", "lower": 0, "upper": people - 1},
                    "ill": {"type": "boolean"},
                    "age": {"type": "integer", "lower": 0, "upper": 99},
                },
            },
            "visits": {
                "source": "visits.parquet",
                "person": "id",
                "rows_per_person": visits,
                "max_rows": people * visits,
                "columns": {"cost": {"type": "integer", "lower": 0, "upper": 1000}},
            },
        },
        "budget": {"epsilon": int(BUDGET)},
    }
    path = folder / "database.yaml"
    path.write_text(yaml.safe_dump(public, sort_keys=False), encoding="utf-8")
    return path


def choose_victims(path: Path, number: int, seed: int) -> list[Victim]:
    """Draw victims by seed, half of them ill, in an order that tells nothing."""
    table = parquet.read_table(path.parent / "people.parquet")
    codes, ill = table["code"].to_numpy(), table["ill"].to_numpy(zero_copy_only=False)
    draw = np.random.default_rng(seed)
    chosen = [
        Victim(int(code), truth)
        for truth in (False, True)
        for code in draw.choice(codes[ill == truth], number // 2, replace=False)
    ]
    return [chosen[place] for place in draw.permutation(len(chosen))]


@contextmanager
def serving(path: Path, folder: Path, settings: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, str]]]:
    """Serve the clinic with a ledger of its own; yield the port and the keys of the analysts."""
    url = f"sqlite:///{folder / 'ledger.db'}"
    ledger = SqlLedger.create(url)
    try:
        accounts = Accounts(ledger)
        keys = {name: accounts.add(name) for name in ANALYSTS}
        ledger.set_budgets(
            [
                Budget(scope, name, "clinic", "", Composition.BASIC, BUDGET, Decimal(0))
                for scope, name in [(Scope.DATA_SET, "clinic"), *((Scope.ANALYST, name) for name in keys)]
            ]
        )
    finally:
        ledger.close()
    chosen = folder / "service.yaml"
    chosen.write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")
    for old in path.parent.glob("database.bond*"):
        # The data set was served with another ledger before.
        old.unlink()
    served = Served([path], url, "--settings", str(chosen))
    try:
        yield served.port, keys
    finally:
        served.stop()


@dataclass(frozen=True)
class Reply:
    """What came back, and after how many seconds."""

    status: int
    head: str
    text: str
    seconds: float

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.text)


class Line:
    """One connection that is kept open, in plain HTTP/1.1 over a socket that holds nothing back."""

    def __init__(self, port: int, key: str) -> None:
        self.port = port
        self.key = key
        self.sent = 0.0
        self._held = b""
        self._socket: socket.socket | None = None

    def open(self) -> None:
        """Dial, unless the connection is there."""
        if self.ready:
            # Nothing is due: the service closed a connection that was idle for long.
            self.close()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Send a request whole."""
        self.open()
        assert self._socket is not None
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self.sent = time.perf_counter()
        self._socket.sendall(head.encode() + content)

    @property
    def ready(self) -> bool:
        """Whether a reply has begun to come."""
        return self._socket is not None and bool(readable([self], 0.0))

    def receive(self) -> Reply:
        """Wait for the reply."""
        assert self._socket is not None
        while b"\r\n\r\n" not in self._held:
            self._more()
        arrived = time.perf_counter()
        head, _, self._held = self._held.partition(b"\r\n\r\n")
        text = head.decode().lower()
        length = int(text.partition("content-length: ")[2].partition("\r\n")[0])
        while len(self._held) < length:
            self._more()
        body, self._held = self._held[:length], self._held[length:]
        if "connection: close" in text:
            self.close()
        return Reply(int(text.split()[1]), text, body.decode(), arrived - self.sent)

    def _more(self) -> None:
        assert self._socket is not None
        piece = self._socket.recv(65536)
        if not piece:
            raise EOFError("the service hung up")
        self._held += piece

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
        """Send a request and wait for its reply; dial again where the service closed an idle connection."""
        for _ in range(2):
            try:
                self.send(method, path, body)
                return self.receive()
            except (EOFError, ConnectionError):
                self.close()
        raise ConnectionError("the service hangs up again and again")

    def close(self) -> None:
        """Hang up; the next request dials again."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self._held = b""


def readable(lines: list[Line], seconds: float) -> list[Line]:
    """Return the lines on which something came within so many seconds; at once when there is one."""
    if not lines:
        time.sleep(seconds)
        return []
    by_socket = {line._socket: line for line in lines if line._socket is not None}
    return [by_socket[one] for one in select(list(by_socket), [], [], seconds)[0]]


def receive_all(lines: list[Line]) -> list[Reply]:
    """Wait for a reply on each line, and note when each came, in the order of the lines."""
    replies: dict[int, Reply] = {}
    waiting = list(lines)
    while waiting:
        for line in readable(waiting, PATIENCE):
            replies[id(line)] = line.receive()
            waiting.remove(line)
    return [replies[id(line)] for line in lines]
