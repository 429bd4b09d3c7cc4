"""A small service in this process: 40 people, a ledger on SQLite, an owner, analysts, an auditor."""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import httpx
import pyarrow as pa
import pytest
import uvicorn

from sfumato.query.database import Database
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared
from sfumato.server.app import create_app
from sfumato.server.limits import App
from sfumato.server.patience import HEADERS_WITHIN, impatient
from sfumato.server.settings import Settings

COUNT = "SELECT COUNT(*) FROM people"
PUBLIC = Metadata(
    "clinic",
    {
        "people": Table(
            "people",
            {
                "age": Column("age", Type.INTEGER, Fraction(0), Fraction(100)),
                "sex": Column("sex", Type.CATEGORY, values=("f", "m")),
            },
            person="id",
            rows_per_person=1,
            max_rows=1000,
            source="secret-folder/people.csv",
        )
    },
)


def people() -> pa.Table:
    return pa.table(
        {
            "id": [f"p{i}" for i in range(40)],
            "age": [20 + i for i in range(40)],
            "sex": ["f" if i % 2 else "m" for i in range(40)],
        }
    )


def budget(scope: Scope, name: str, limit: str) -> Budget:
    return Budget(scope, name, "clinic", "", Composition.BASIC, Decimal(limit), Decimal("0.000001"))


@dataclass(frozen=True)
class Service:
    """A service and the keys of its people."""

    http: httpx.Client
    ledger: SqlLedger
    database: Database
    keys: dict[str, str]

    def call(self, who: str | None, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        headers = {} if who is None else {"Authorization": f"Bearer {self.keys.get(who, who)}"}
        return self.http.request(method, path, json=body, params=query, headers=headers)

    def ask(self, who: str | None, sql: str = COUNT, epsilon: Any = "0.1") -> httpx.Response:
        return self.call(who, "POST", "/v1/ask", {"sql": sql, "epsilon": epsilon})

    def spent(self, who: str) -> Decimal:
        return next(one.spent for one in self.ledger.all_budgets() if one.name == who)


Make = Callable[..., Service]


def in_thread(app: App, patience: float = HEADERS_WITHIN) -> tuple[str, Callable[[], None]]:
    """Serve an application on a free port of this machine; return its address and how to stop it."""
    return serve_with(app, impatient(patience), lifespan="on")


def serve_with(
    app: App, protocol: type[asyncio.Protocol], lifespan: Literal["on", "off"] = "off"
) -> tuple[str, Callable[[], None]]:
    """Serve an application with one protocol of HTTP."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, http=protocol, log_config=None, lifespan=lifespan)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()

    def stop() -> None:
        server.should_exit = True
        thread.join(60)
        listener.close()

    return f"http://127.0.0.1:{listener.getsockname()[1]}", stop


@dataclass(frozen=True)
class Template:
    """What all services begin with: a ledger with accounts, and the registered data."""

    ledger: Path
    keys: dict[str, str]
    held: Prepared


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Template]:
    path = tmp_path_factory.mktemp("template") / "ledger.db"
    ledger = SqlLedger.create(f"sqlite:///{path}")
    accounts = Accounts(ledger)
    keys = {name: accounts.add(name) for name in ("ana", "ben")}
    keys |= {role: accounts.add(role, role) for role in ("owner", "auditor")}
    ledger.close()
    held = Prepared.register(PUBLIC, {"people": people()}, secret=b"s" * 32)
    yield Template(path, keys, held)
    held.close()


@pytest.fixture
def make(tmp_path: Path, template: Template) -> Iterator[Make]:
    """Make services; they are closed in the end."""
    closing: list[Callable[[], Any]] = []

    def service(settings: Settings | None = None, limit: str = "1") -> Service:
        path = tmp_path / f"ledger{len(closing)}.db"
        shutil.copy(template.ledger, path)
        ledger = SqlLedger(f"sqlite:///{path}")
        database = Database(PUBLIC, template.held, ledger)
        ledger.set_budgets(
            [
                budget(Scope.DATA_SET, "clinic", "1.5"),
                budget(Scope.ANALYST, "ana", limit),
                budget(Scope.ANALYST, "ben", limit),
            ]
        )
        app = create_app({"clinic": database}, ledger, settings or Settings(tick_ms=0))
        url, stop = in_thread(app)
        http = httpx.Client(base_url=url, timeout=60)
        closing.extend([ledger.close, stop, http.close])
        return Service(http, ledger, database, template.keys)

    yield service
    for close in reversed(closing):
        close()


@pytest.fixture
def service(make: Make) -> Service:
    """The usual one."""
    return make()
