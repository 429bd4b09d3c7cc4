"""Questions to a million rows in process: CPU milliseconds, with the ledger on SQLite, beside peers.

    python -m benchmarks.query_latency

Every question is new to the ledger (its own ε), so that each one is charged, run and stored. Peers run in
their own interpreters, named by SFUMATO_PEER_SMARTNOISE, SFUMATO_PEER_OPENDP_POLARS and
SFUMATO_PEER_DIFFPRIVLIB (the path of a Python that has the package); those that are not set are left out.
They have no ledger.

In the first setting each row is a person. In the second a column names the person, and one row of each
counts: Sfumato chose it when the data were registered, so a question costs what it cost before; SmartNoise
SQL samples it anew for every question.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.result import HERE, Result, cpu_seconds, table
from sfumato.query.database import Database
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared

ROWS = 1_000_000
QUESTIONS = {
    # name: SQL, bar in milliseconds
    "count": ("SELECT COUNT(*) FROM people", 3.0),
    "groups": ("SELECT edu, COUNT(*) FROM people GROUP BY edu", 20.0),
    "mean": ("SELECT AVG(hours) FROM people", 20.0),
    "median": ("SELECT MEDIAN(age) FROM people", 25.0),
}
MORE = {
    "count with WHERE": "SELECT COUNT(*) FROM people WHERE age >= 40 AND hours < 30",
    "variance": "SELECT VARIANCE(hours) FROM people",
    "four in 16 groups": "SELECT edu, COUNT(*), SUM(hours), AVG(hours), MEDIAN(age) FROM people GROUP BY edu",
}
PEERS = {
    "SmartNoise SQL": ("SFUMATO_PEER_SMARTNOISE", "smartnoise.py"),
    "OpenDP Context": ("SFUMATO_PEER_OPENDP_POLARS", "opendp_context.py"),
    "diffprivlib": ("SFUMATO_PEER_DIFFPRIVLIB", "diffprivlib_tools.py"),
}
OWN_PEERS = {"OpenDP": ("", "opendp_measurements.py")}
"""what is installed with Sfumato anyway"""
DATABASES = ("SmartNoise SQL", "OpenDP Context")
"""those that answer questions about tables, as we do; the bar is to be so many times as fast"""
FASTER = 50


def run() -> list[Result]:
    """Measure all questions, and the peers that are named."""
    ours, of_people = _ours(people=False), _ours(people=True)
    found = [Result(f"{name}, 1 M rows", ours[name], "ms CPU", bar) for name, (_, bar) in QUESTIONS.items()]
    found += [Result(f"{name}, 1 M rows", ours[name], "ms CPU") for name in MORE]
    for peer in PEERS:
        theirs = from_peer(peer, "latency", str(ROWS), "5")
        found += [
            Result(
                f"{name}, 1 M rows",
                ours[name],
                "ms CPU",
                theirs[name] / FASTER if peer in DATABASES else None,
                peer=peer,
                theirs=theirs[name],
            )
            for name in QUESTIONS
            if theirs and name in theirs
        ]
    peer = "SmartNoise SQL"
    theirs = from_peer(peer, "people", str(ROWS), "3")
    return found + [
        Result(f"{name}, a column of persons", of_people[name], "ms CPU", bar)
        if name not in theirs
        else Result(
            f"{name}, a column of persons", of_people[name], "ms CPU", bar, peer=peer, theirs=theirs[name]
        )
        for name, (_, bar) in QUESTIONS.items()
    ]


def from_peer(peer: str, *arguments: str) -> dict[str, float]:
    """Run a peer's script in its own interpreter; empty when none is named."""
    variable, script = {**PEERS, **OWN_PEERS}[peer]
    python = os.environ.get(variable) if variable else sys.executable
    if not python:
        print(f"{peer} is left out: {variable} does not name a Python that has it", file=sys.stderr)
        return {}
    path = HERE / "peers" / "query" / script
    done = subprocess.run([python, str(path), *arguments], capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def _ours(*, people: bool) -> dict[str, float]:
    draw = np.random.default_rng(0)
    data = pa.table(
        {
            "age": draw.integers(17, 91, ROWS),
            "hours": draw.integers(0, 101, ROWS),
            "edu": [f"level {number}" for number in draw.integers(0, 16, ROWS)],
            "person": np.arange(ROWS),
        }
    )
    columns = {
        "age": Column("age", Type.INTEGER, Fraction(17), Fraction(90)),
        "hours": Column("hours", Type.INTEGER, Fraction(0), Fraction(100)),
        "edu": Column("edu", Type.CATEGORY, values=tuple(f"level {number}" for number in range(16))),
    }
    public = Metadata(
        "people", {"people": Table("people", columns, "person" if people else None, 1, 2 * ROWS)}
    )
    prepared = Prepared.register(public, {"people": data}, secret=os.urandom(32))
    with tempfile.TemporaryDirectory() as folder:
        ledger = SqlLedger.create(f"sqlite:///{Path(folder) / 'ledger.db'}")
        for scope, name in ((Scope.DATA_SET, "people"), (Scope.ANALYST, "ada")):
            ledger.set_budget(
                Budget(scope, name, "people", "", Composition.BASIC, Decimal(10**6), Decimal(0))
            )
        database = Database(public, prepared, ledger)
        fresh = itertools.count(1)

        def ask(sql: str) -> None:
            database.ask("ada", sql, epsilon=Fraction(1, 10) + Fraction(next(fresh), 10**9))

        asked = {**{name: sql for name, (sql, _) in QUESTIONS.items()}, **MORE}
        found = {name: 1000 * cpu_seconds(lambda sql=sql: ask(sql), runs=45) for name, sql in asked.items()}
        ledger.close()
    prepared.close()
    return found


if __name__ == "__main__":
    print(table("Questions to a million rows", run()))
