"""Microaggregation: CPU seconds and loss of MDAV, alone and in blocks.

    python -m benchmarks.microaggregation

Ten columns made of three hidden factors and noise, as tables of measurements often are; and ten
independent columns, which no index can help much. The loss is SSE / SST, standardised. Published losses
are those of the Tarragona and Census tables, read from the neighbour folder ``shared``.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import pyarrow.csv
from numpy.typing import NDArray

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.table.perturbation import microaggregation_groups as ways

K = 3
BLOCK = 5000
COLUMNS = 10


def space(points: NDArray[np.float64]) -> ways.Space:
    """Take standardised numbers as points; every record is a person."""
    scaled = np.ascontiguousarray((points - points.mean(axis=0)) / points.std(axis=0, ddof=1))
    return ways.Space(scaled, np.zeros(points.shape[1], np.int64), np.arange(len(points), dtype=np.int64))


def factors(rows: int) -> NDArray[np.float64]:
    """Return columns that three hidden factors explain for the most part."""
    draw = np.random.default_rng(1)
    hidden = draw.standard_normal((rows, 3)) @ draw.standard_normal((3, COLUMNS))
    return np.asarray(hidden + 0.3 * draw.standard_normal((rows, COLUMNS)), np.float64)


def independent(rows: int) -> NDArray[np.float64]:
    """Return columns that have nothing to do with each other."""
    return np.random.default_rng(2).standard_normal((rows, COLUMNS))


def measured(
    work: str, points: NDArray[np.float64], bar: float | None, block: int | None, runs: int
) -> Result:
    """Group once for the loss and some times for the seconds."""
    data = space(points)
    found = [np.zeros(0, np.int64)]

    def run() -> None:
        found[0] = ways.mdav(data, K) if block is None else ways.in_blocks(data, K, block, None)

    seconds = cpu_seconds(run, runs=runs, warm=0)
    lost = ways.squared_share(data.points, found[0])
    return Result(
        work,
        seconds,
        "s CPU",
        bar,
        note=f"SSE/SST {100 * lost:.3f} %, smallest group {np.bincount(found[0]).min()}",
    )


def golden() -> list[Result]:
    """Compare the loss with the published one; empty when the tables are not there."""
    path = SHARED / "golden" / "table-sdcmicro.json"
    if not path.is_file():
        print("the golden tables are not there (../shared): losses were not compared", file=sys.stderr)
        return []
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    results = []
    for name in ("mdav_SSE_Tarragona_g3", "mdav_SSE_CASCrefmicrodata_g3", "mdav_SSE_CASCrefmicrodata_g5"):
        told = cases[name]["params"]
        file = SHARED / "data" / "table" / "sdcmicro" / f"{told['data']}.csv"
        records = pyarrow.csv.read_csv(file).select(told["vars"])
        data = space(np.column_stack([column.to_numpy() for column in records.columns]).astype(np.float64))
        lost = 100 * ways.squared_share(data.points, ways.mdav(data, told["aggr"]))
        theirs = float(cases[name]["value"]["IL_percent"])
        work = f"{told['data']}, k={told['aggr']}: loss"
        results.append(
            Result(work, lost, "% SSE/SST", round(theirs, 4) + 1e-4, "sdcMicro 5.8.1 (recorded)", theirs)
        )
    return results


def run() -> list[Result]:
    """Measure the bars: 100,000 × 10 in 10 s, a million in blocks in 60 s."""
    ways.mdav(space(independent(200)), K)
    small, million = factors(100_000), factors(1_000_000)
    return [
        measured("MDAV, 100,000 × 10, three factors, k=3", small, 10.0, None, 3),
        measured(f"the same in blocks of {BLOCK}", small, None, BLOCK, 3),
        measured("MDAV, 100,000 × 10, independent, k=3", independent(100_000), 10.0, None, 1),
        measured(f"the same in blocks of {BLOCK}", independent(100_000), None, BLOCK, 3),
        measured(f"MDAV, 1,000,000 × 10 in blocks of {BLOCK}, k=3", million, 60.0, BLOCK, 1),
        *golden(),
    ]


if __name__ == "__main__":
    print(table("Microaggregation", run()))
