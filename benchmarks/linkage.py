"""Linkage of a million people with a million records on four attributes, end to end from Parquet.

python -m benchmarks.linkage
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from benchmarks.result import DATA, Result, in_child, table
from sfumato.engine import open_engine
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import ParquetFile
from sfumato.hierarchy import Dates, Flat, Hierarchy, Mask
from sfumato.recipe.api import protect
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.linkage import Linkage
from sfumato.table.methods import Mondrian, OptimalLattice
from sfumato.table.models import KAnonymity
from sfumato.table.published import PublishedTable

ROWS = 1_000_000
QUASI = ("birth_date", "zip", "sex", "race")
BAR = 30.0


def hierarchies() -> dict[str, Hierarchy]:
    """Return how the attributes of the patients are generalised."""
    return {"birth_date": Dates(), "zip": Mask(), "sex": Flat(), "race": Flat()}


def patients_and_voters(rows: int = ROWS) -> tuple[Path, Path]:
    """Generate (once) patients and as many voters of a town; nine of ten patients are on the list."""
    DATA.mkdir(exist_ok=True)
    patients, voters = (DATA / f"linkage_{what}_{rows}.parquet" for what in ("patients", "voters"))
    if not patients.exists() or not voters.exists():
        columns = (
            f"DATE '1925-01-01' + CAST(floor(28000 * {_drawn(0)}) AS INTEGER) AS birth_date",
            f"CAST(10000 + CAST(floor(800 * pow({_drawn(7)}, 2)) AS INTEGER) AS TEXT) AS zip",
            f"CASE WHEN {_drawn(11)} < 0.5 THEN 'f' ELSE 'm' END AS sex",
            "['white', 'black', 'asian', 'other', 'native']"
            f"[1 + CAST(floor(5 * pow({_drawn(13)}, 3)) AS INTEGER)] AS race",
        )
        with duckdb.connect() as connection:
            for path, first in ((patients, 0), (voters, rows // 10)):
                people = f"range({first}, {first + rows}) AS t(id) ORDER BY hash(id + 17)"
                connection.execute(
                    f"COPY (SELECT id, {', '.join(columns)} FROM {people}) "
                    f"TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
                ).fetchall()
    return patients, voters


def _drawn(salt: int) -> str:
    """Return a number between 0 and 1 that rests on the person alone."""
    return f"((hash(id + {salt}) % 1000003) / 1000003)"


def generalised(method: Mondrian | OptimalLattice, rows: int = ROWS) -> Path:
    """Protect the patients (once) by 10-anonymity."""
    path = DATA / f"linkage_{type(method).__name__}_{rows}.parquet"
    if not path.exists():
        release = protect(
            ParquetFile(patients_and_voters(rows)[0]),
            quasi=list(QUASI),
            identifier="id",
            models=KAnonymity(10),
            method=method,
            hierarchies=hierarchies() if isinstance(method, OptimalLattice) else None,
        )
        pq.write_table(to_arrow(release.data), path)
    return path


def link(released: Path, listed: Path, person: str | None = None) -> Callable[[], object]:
    """Return the whole work: open both files, link on four attributes, score."""

    def work() -> object:
        engine = open_engine("duckdb", threads=2)
        target = PublishedTable(engine.read(ParquetFile(released)), QUASI, person=person)
        people = People(engine.read(ParquetFile(listed)), {name: name for name in QUASI}, person)
        return Linkage().run(target, Knowledge(people, hierarchies=hierarchies()))

    return work


def run() -> list[Result]:
    """Measure in processes of their own."""
    patients, voters = patients_and_voters()
    cases = {
        "exact data": (patients, None),
        "exact data, compared with the truth": (patients, "id"),
        "full-domain recoding, k = 10": (generalised(OptimalLattice(suppress=0.05)), None),
        "Mondrian, k = 10": (generalised(Mondrian()), None),
    }
    found = []
    for what, (released, person) in cases.items():
        wall, cpu, memory = in_child(link(released, voters, person))
        note = f"CPU {cpu:.1f} s, {memory:.1f} GB"
        found.append(Result(f"linkage, 1 M × 1 M, {what}", wall, "s", BAR, note=note))
    return found


if __name__ == "__main__":
    print(table("Linkage", run()))
