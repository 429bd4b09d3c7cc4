"""The query service under load: 50 analysts at once, 10,000 questions over Adult, on loopback.

    python -m benchmarks.query_server [--quick]

Once as it is and once with the service killed (SIGKILL) and started again 20 times in between; with the
ledger on SQLite and on Postgres (the wheel ``pgserver``). Clients are one process that speaks plain HTTP over
sockets, on the same cores as the service. Beside the speed stands what CPU a question takes, which says more
on a machine that does other things as well; its load is noted. Counted anew from the ledger: units that were
overspent, answers without a charge, answers that are not the stored ones. All three must be none. Before
that, the time of a COUNT over 100,000 rows on a kept connection, one after the other.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib.util
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.result import SHARED, Result, table
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.server.storm import Line, Served, found_in, rage, set_up

ANALYSTS, QUESTIONS, SHORT, KILLS = 50, 200, 50, 20
QUESTIONS_PER_SECOND = 200
ROWS, LOOKS, COUNT_WITHIN = 100_000, 100, 25
"""people, questions of one of them after the other, and milliseconds within which half are answered"""
ADULT = SHARED / "data" / "table" / "adult" / "adult.csv.gz"
_EDUCATION = (
    "10th, 11th, 12th, 1st-4th, 5th-6th, 7th-8th, 9th, Assoc-acdm, Assoc-voc, Bachelors, Doctorate, HS-grad, "
    "Masters, Preschool, Prof-school, Some-college"
)
_YAML = f"""\
data_set: adult
tables:
  adult:
    source: adult.csv
    max_rows: 100000
    columns:
      age: {{type: integer, lower: 17, upper: 90}}
      sex: {{type: category, values: [Female, Male]}}
      education: {{type: category, values: [{_EDUCATION}]}}
budget: {{epsilon: 1000}}
"""


_MANY = f"""\
data_set: many
tables:
  people:
    source: people.csv
    person: id
    rows_per_person: 1
    max_rows: {ROWS}
    columns:
      age: {{type: integer, lower: 0, upper: 100}}
budget: {{epsilon: 1000}}
"""


def question(analyst: int, number: int) -> str:
    """A question of an analyst: counts, histograms and means, no two the same."""
    where = f"WHERE age >= {17 + number % 70} AND age <> {17 + (analyst + number // 70) % 70}"
    return (
        f"SELECT COUNT(*) FROM adult {where}",
        f"SELECT sex, COUNT(*) FROM adult {where} GROUP BY sex",
        f"SELECT AVG(age) FROM adult {where}",
        f"SELECT education, COUNT(*) FROM adult {where} GROUP BY education",
    )[number % 4]


def data_set(folder: Path) -> Path:
    """Write Adult and its metadata into a folder."""
    (folder / "adult.csv").write_bytes(gzip.decompress(ADULT.read_bytes()))
    path = folder / "database.yaml"
    path.write_text(_YAML, encoding="utf-8")
    return path


@contextmanager
def ledgers(folder: Path) -> Iterator[dict[str, str]]:
    """Return the address of an empty ledger of each kind."""
    found = {"SQLite": f"sqlite:///{folder / 'ledger.db'}"}
    if importlib.util.find_spec("pgserver") is None:
        print("pgserver is not installed: the ledger on Postgres was not measured", file=sys.stderr)
        yield found
        return
    import pgserver

    server = pgserver.get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield found | {"Postgres": server.get_uri()}
    finally:
        server.cleanup()


def measure(kind: str, url: str, path: Path, analysts: int, questions: int, kills: int) -> list[Result]:
    """Let the storm go over one ledger."""
    ledger = SqlLedger.create(url)
    keys = set_up(ledger, "adult", analysts, questions, SHORT)
    served = Served([path], url)
    try:
        before, ours = served.cpu(), time.process_time()
        storm = rage(served, keys, question, questions, kills)
        cpu, ours = served.cpu() - before, time.process_time() - ours
        found = found_in(ledger, storm)
    finally:
        served.stop()
        ledger.close()
    work = f"{analysts} analysts, {analysts * questions:,} questions, {kills} kills, ledger on {kind}"
    speed = storm.replies / storm.seconds
    note = f"{speed:.0f} questions per second, {len(storm.answers):,} answered, {storm.refused} refused"
    note += (
        f", {storm.repeated} repeated"
        if kills
        else f", {1000 * cpu / storm.replies:.2f} ms CPU of the service"
    )
    note += f", {1000 * ours / storm.replies:.2f} ms of the clients, load {os.getloadavg()[0]:.1f}"
    missing = analysts * questions - SHORT - len(storm.answers)
    wrong = found.without_charge + abs(missing) + (0 if found.holds else 1)
    bar = None if kills else 1000 / QUESTIONS_PER_SECOND
    return [
        Result(f"{work}: time of a question", 1000 / speed, "ms", bar, note=note),
        Result(f"{work}: overspent", float(found.overspent), "ε", 0),
        Result(f"{work}: answers without charge, changed or missing", wrong, "answers", 0),
    ]


def latency() -> list[Result]:
    """Measure a COUNT over 100,000 made-up rows on a connection that is kept: the lowest class of time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "database.yaml"
        path.write_text(_MANY, encoding="utf-8")
        rows = "".join(f"p{number},{number % 100}\n" for number in range(ROWS))
        (path.parent / "people.csv").write_text(f"id,age\n{rows}", encoding="utf-8")
        url = f"sqlite:///{path.parent / 'ledger.db'}"
        ledger = SqlLedger.create(url)
        key = next(iter(set_up(ledger, "many", 1, 10 * LOOKS, 0).values()))
        ledger.close()
        served = Served([path], url)
        try:
            times = asyncio.run(_times(Line(served.port, key)))
        finally:
            served.stop()
    note = f"slowest of {LOOKS}: {max(times):.0f} ms, load {os.getloadavg()[0]:.1f}"
    return [
        Result("COUNT over 100,000 rows, median", statistics.median(times), "ms", COUNT_WITHIN, note=note)
    ]


async def _times(line: Line) -> list[float]:
    found = []
    for number in range(LOOKS + 5):
        begun = time.perf_counter()
        reply = await line.ask(
            {"sql": f"SELECT COUNT(*) FROM people WHERE age <> {number}", "epsilon": "0.01"}
        )
        found.append(1000 * (time.perf_counter() - begun))
        assert reply is not None
        assert reply[0] == 200, reply
    line.close()
    # The first ones load what the others find loaded.
    return found[5:]


def run(analysts: int = ANALYSTS, questions: int = QUESTIONS, kills: int = KILLS) -> list[Result]:
    """Measure everything; without Adult, the latency alone."""
    if not ADULT.is_file():
        print("Adult is not there (../shared): the service was not measured", file=sys.stderr)
        return latency()
    results = latency()
    for each in (0, kills):
        with tempfile.TemporaryDirectory() as folder, ledgers(Path(folder)) as urls:
            for kind, url in urls.items():
                # A data set is tied to its ledger, so each ledger has its own.
                place = Path(folder) / f"{kind} data"
                place.mkdir()
                results += measure(kind, url, data_set(place), analysts, questions, each)
                print(table("so far", results[-3:]), file=sys.stderr, flush=True)
    return results


if __name__ == "__main__":
    small = {"questions": 20, "kills": 2} if "--quick" in sys.argv else {}
    print(table("The query service", run(**small)))
