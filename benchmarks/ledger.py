"""The ledger: milliseconds of a durable charge and of a stored answer, one by one and in batches.

    python -m benchmarks.ledger

SQLite waits for the disk at every commit (WAL, synchronous=FULL); Postgres is a real server on this machine
(it comes as a wheel, and is left out with a word where that is missing). Wall time: most of it is waiting.
"""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal

import numpy as np

from benchmarks.result import Result, table
from sfumato.dp.price import Price
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Asked, Budget, Charged, Composition, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit

BATCH = 50
ENTRIES = {"SQLite": 1_000_000, "Postgres": 100_000}
"""of the ledger that is opened and proven; Postgres, which is slower to fill, has fewer"""
PROVEN = 4.0
"""seconds of CPU for a million entries"""
BAR = 5.0
"""milliseconds of a question where questions come together, as in the service: 200 in a second"""
PEOPLE = 1_000_000
_NUMBERS = itertools.count()


def questions(count: int) -> list[Asked]:
    """Ask what was never asked before; each came in its own second, as at a service."""
    price = Price.pure("0.0001")
    numbers = [next(_NUMBERS) for _ in range(count)]
    return [Asked("ann", "", "clinic", "", "1", f"question {i}", price, 1_800_000_000 + i) for i in numbers]


def ask(ledger: SqlLedger, count: int) -> None:
    """Charge questions and store their answers."""
    charged = ledger.charge(questions(count))
    ledger.store([(each.spend, "42.0") for each in charged if isinstance(each, Charged)])


def timed(work: Callable[[], object], runs: int) -> tuple[float, float]:
    """Return the median of wall and CPU milliseconds."""
    walls, cpus = [], []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(1000 * (time.perf_counter() - wall))
        cpus.append(1000 * (time.process_time() - cpu))
    return statistics.median(walls), statistics.median(cpus)


def measure(name: str, url: str) -> list[Result]:
    """Measure one database."""
    ledger = SqlLedger.create(url)
    for scope, whose in [(Scope.DATA_SET, "clinic"), (Scope.ANALYST, "ann")]:
        ledger.set_budget(
            Budget(scope, whose, "clinic", "", Composition.BASIC, Decimal(10_000_000), Decimal(0))
        )
    ask(ledger, 5)
    found = []
    for count, runs in ((1, 200), (BATCH, 40)):
        wall, cpu = timed(lambda count=count: ask(ledger, count), runs)
        work = f"{name}: charge and answer, {'one by one' if count == 1 else f'{count} at once'}"
        note = f"{1000 * count / wall:,.0f} questions/s, {cpu / count:.2f} ms CPU each"
        found.append(Result(work, wall / count, "ms", BAR if count > 1 else None, note=note))
    entries = verify_chain(ledger).entries
    wall, cpu = timed(lambda: verify_chain(ledger), 3)
    note = f"{cpu / entries:.3f} ms CPU of ours"
    found.append(Result(f"{name}: audit of {entries:,} entries", wall / entries, "ms per entry", note=note))
    found.append(proven(name, url, ledger))
    people = np.random.default_rng(1).integers(-(2**62), 2**62, PEOPLE)
    wall, cpu = timed(lambda: admit(ledger, "clinic", "", people), 1)
    note = f"{cpu / 1000:.1f} s CPU of ours"
    found.append(Result(f"{name}: {PEOPLE:,} people admitted to a window", wall / 1000, "s", note=note))
    ledger.close()
    return found


def proven(name: str, url: str, ledger: SqlLedger) -> Result:
    """Fill a ledger, and open it as a service does: everything is recomputed before the first answer."""
    wanted = ENTRIES[name]
    while ledger.head().sequence < wanted:
        ask(ledger, 500)
    wall, cpu = time.perf_counter(), time.process_time()
    again = SqlLedger(url)
    again.check()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    again.close()
    note = f"{wall:.1f} s of wall time, CPU of ours"
    work = f"{name}: open and verify {wanted:,} entries"
    return Result(work, cpu, "s CPU", PROVEN * wanted / 1_000_000 if name == "SQLite" else None, note=note)


def run() -> list[Result]:
    """Measure SQLite, and Postgres where it is there."""
    with tempfile.TemporaryDirectory() as folder:
        found = measure("SQLite", f"sqlite:///{folder}/ledger.db")
    if importlib.util.find_spec("pgserver") is None:
        print("pgserver is not installed: the ledger on Postgres was not measured", file=sys.stderr)
        return found
    import pgserver

    server = pgserver.get_server(tempfile.mkdtemp(prefix="sfumato-pg-"), cleanup_mode="delete")
    try:
        return found + measure("Postgres", server.get_uri())
    finally:
        server.cleanup()


if __name__ == "__main__":
    print(table("The ledger", run()))
