"""Count and recode ten million rows, Parquet to Parquet, beside the bare DuckDB queries.

python -m benchmarks.engine
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa

from benchmarks.result import Result, in_child, table
from benchmarks.tables import COLUMNS, adult_like
from sfumato.engine.contract import Layout, Order
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.recoding import LABEL, VALUE, PerAttribute
from sfumato.engine.sources import ParquetFile
from sfumato.table.count import count

ROWS = 10_000_000
RUNS = 3


def maps() -> dict[str, pa.Table]:
    """Generalise every column to tens."""
    return {
        name: pa.table(
            {
                VALUE: pa.array(range(size), pa.int32()),
                LABEL: pa.array([f"{v // 10 * 10}-{v // 10 * 10 + 9}" for v in range(size)]),
            }
        )
        for name, (size, _) in COLUMNS.items()
    }


def ours(path: Path, out: Path, order: Order) -> None:
    with DuckEngine() as engine:
        rows = engine.read(ParquetFile(path))
        count(rows, tuple(COLUMNS))
        layout = Layout((*COLUMNS, "disease"), tuple(COLUMNS))
        engine.write(engine.recode(rows, PerAttribute(tuple(COLUMNS), maps()), layout), out, order=order)


def bare(path: Path, out: Path, order: Order) -> None:
    with duckdb.connect() as connection:
        names = ", ".join(COLUMNS)
        connection.sql(f"SELECT {names}, COUNT(*) FROM '{path}' GROUP BY ALL").to_arrow_table()
        for name, data in maps().items():
            connection.register(f"map_{name}", data)
        picked = ", ".join(f"map_{name}.label AS {name}" for name in COLUMNS)
        joins = " ".join(
            f"LEFT JOIN map_{name} ON t.{name} IS NOT DISTINCT FROM map_{name}.value" for name in COLUMNS
        )
        shuffled = "ORDER BY random()" if order is Order.SHUFFLED else ""
        connection.execute(
            f"COPY (SELECT {picked}, disease FROM '{path}' AS t {joins} {shuffled}) "
            f"TO '{out}' (FORMAT parquet, COMPRESSION zstd)"
        ).fetchall()


def run() -> list[Result]:
    """Measure both in turn, shuffled (the default) and in source order."""
    path = adult_like(ROWS)
    found = []
    for order in Order:
        figures: dict[str, list[float]] = {"ours": [], "bare": []}
        peak = 0.0
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.parquet"
            for _ in range(RUNS):
                _, cpu, rss = in_child(lambda out=out, order=order: ours(path, out, order))
                figures["ours"].append(cpu)
                peak = max(peak, rss)
                figures["bare"].append(in_child(lambda out=out, order=order: bare(path, out, order))[1])
        mine, theirs = (sorted(figures[key])[RUNS // 2] for key in ("ours", "bare"))
        found.append(
            Result(
                f"count + recode of 10 million rows × 9 columns, {order}",
                mine,
                "s CPU",
                1.3 * theirs,
                "bare DuckDB",
                theirs,
                f"{mine / theirs:.2f} × the bare queries; peak {peak:.2f} GB",
            )
        )
    return found


if __name__ == "__main__":
    print(table("Engine", run()))
    sys.exit(0)
