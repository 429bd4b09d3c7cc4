"""Ledgers to try things on: a new one for each test, on every database."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from sfumato.query.ledger.sql_ledger import SqlLedger

_NUMBERS = itertools.count()


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The address of an empty schema of its own; dropped at the end, so that stopping the server is quick."""
    import psycopg

    name = f"ledger_{next(_NUMBERS)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
        address = make_url(postgres).update_query_dict({"options": f"-csearch_path={name}"})
        yield address.render_as_string(hide_password=False)
        connection.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a place without a ledger, on every database in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/ledger.db"
    address: str = request.getfixturevalue("postgres_url")
    return address


@pytest.fixture
def ledger(url: str) -> Iterator[SqlLedger]:
    """A new ledger on every database in turn."""
    made = SqlLedger.create(url)
    yield made
    made.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqlLedger]:
    """A new ledger on SQLite."""
    made = SqlLedger.create(f"sqlite:///{tmp_path}/ledger.db", wait=0.3)
    yield made
    made.close()
