"""Which attributes identify: all combinations of columns on ten million rows, and special uniques.

    python -m benchmarks.risk

From a Parquet file to the finished measure, in a process of its own. One table has few distinct people
(one cell for twenty rows), one has mostly distinct ones, with a date of birth and a ZIP code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb

from benchmarks.result import DATA, SHARED, Result, cpu_seconds, in_child, table
from benchmarks.tables import COLUMNS, adult_like
from sfumato.engine import open_engine
from sfumato.engine.sources import CsvFile, ParquetFile, Source
from sfumato.table.cells import Cells
from sfumato.table.count import count
from sfumato.table.risk.subsets import SubsetRisks
from sfumato.table.risk.suda import Suda

ROWS = 10_000_000
DISTINCT = {
    "sex": 2,
    "birth": 29_000,
    "zip": 20_000,
    "race": 5,
    "marital": 7,
    "education": 16,
    "country": 41,
    "occupation": 14,
    "children": 6,
}
"""for each column the number of values, all of them as frequent"""
ROWS_BY_TYPE = 0.29
"""rows for each type of people: then 87 % of the rows are distinct"""


def mostly_distinct(rows: int) -> Path:
    """Generate (once) a Parquet file in which 87 of 100 rows are distinct."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"mostly_distinct_{rows}.parquet"
    if not path.exists():
        picked = ", ".join(
            f"CAST(hash(type * 16 + {j}) % {size} AS INTEGER) AS {name}"
            for j, (name, size) in enumerate(DISTINCT.items())
        )
        with duckdb.connect(config={"memory_limit": "2GB"}) as connection:
            connection.execute("SELECT setseed(0.5)").fetchall()
            types = int(rows / ROWS_BY_TYPE)
            people = f"SELECT CAST(floor({types} * random()) AS BIGINT) AS type FROM range({rows})"
            connection.execute(
                f"COPY (SELECT {picked} FROM ({people})) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
            ).fetchall()
    return path


def cells_of(source: Source, columns: list[str]) -> Cells:
    """Count the distinct combinations of a file."""
    engine = open_engine("duckdb")
    try:
        return count(engine.read(source), columns).cells
    finally:
        engine.close()


def profile(path: Path, columns: list[str]) -> None:
    """Measure all combinations of up to three columns."""
    SubsetRisks.of(cells_of(ParquetFile(path), columns), 3)


def special(path: Path, columns: list[str]) -> None:
    """Find the special uniques of up to three columns."""
    Suda.of(cells_of(ParquetFile(path), columns), 3)


def measured(work: str, bar: float, run: Callable[[], None], *, in_cpu: bool = False) -> Result:
    """Measure by the clock, or by CPU seconds where other work on the machine is not to count."""
    wall, cpu, rss = in_child(run)
    if in_cpu:
        return Result(work, cpu, "s CPU", bar, note=f"{wall:.1f} s, peak {rss:.2f} GB")
    return Result(work, wall, "s", bar, note=f"{cpu:.1f} s of CPU, peak {rss:.2f} GB")


def run() -> list[Result]:
    """Measure each table in a process of its own; SUDA on Adult by CPU seconds of the search."""
    few, many = adult_like(ROWS), mostly_distinct(ROWS)
    million = adult_like(1_000_000)
    columns, distinct = list(COLUMNS), list(DISTINCT)
    in_child(partial(profile, million, columns))
    in_child(partial(special, million, columns[:8]))
    found = [
        measured("10 M rows, all subsets of up to 3 of 9 columns", 60.0, partial(profile, few, columns)),
        measured(
            "10 M rows, 87 % distinct, all subsets of up to 3 of 9", 60.0, partial(profile, many, distinct)
        ),
        measured(
            "SUDA, 1 M rows × 8 columns, m=3", 10.0, partial(special, million, columns[:8]), in_cpu=True
        ),
        measured(
            "SUDA, 1 M rows × 8 columns, 87 % distinct, m=3",
            10.0,
            partial(special, mostly_distinct(1_000_000), distinct[:8]),
            in_cpu=True,
        ),
    ]
    adult = SHARED / "data" / "table" / "adult" / "adult.csv.gz"
    if not adult.is_file():
        print("Adult is not there (../shared): not measured", file=sys.stderr)
        return found
    source = CsvFile(adult)
    cells = cells_of(source, source.header()[1])
    for size in (4, 9):
        seconds = cpu_seconds(partial(Suda.of, cells, size))
        found.append(Result(f"SUDA, Adult, 9 columns, m={size}", seconds, "s CPU", 2.0))
    return found


if __name__ == "__main__":
    print(table("Which attributes identify", run()))
