"""Clusterings and Hilbert leaves on Adult beside Mondrian, and on a million rows.

    python -m benchmarks.clustering

Reads Adult from the neighbour folder ``shared`` and says so when it is not there. The loss is the metric
of ``benchmarks.mondrian``, computed from the partition of the rows. A million rows are drawn from Adult,
each value replaced with probability 0.07 by one from its column.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.mondrian import ADULT, Table, problem_of
from benchmarks.result import Result, cpu_seconds, table
from sfumato.table.methods.clustering import BottomUp, KMember, TopDown
from sfumato.table.methods.hilbert import Hilbert
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.solution import Problem
from sfumato.table.utility.measures import global_certainty_penalty

K = 10
SECONDS = 20.0
"""bar for one clustering of Adult"""
LARGE_ROWS, LARGE_SECONDS = 1_000_000, 60.0
WORSE = 1.02
"""how much more a blocked clustering may lose than one without blocks"""

ON_ADULT: list[tuple[Any, float | None]] = [
    (BottomUp(), SECONDS),
    (TopDown(), SECONDS),
    (TopDown(rounds=0), SECONDS),
    (KMember(), None),
    (Hilbert(), None),
    (Mondrian(choose="least loss"), None),
]
BLOCKED: list[Any] = [TopDown(block=16_384, rounds=0), TopDown(block=16_384, rounds=2)]


def drawn(adult: Table, rows: int) -> Problem:
    """Draw rows from Adult, a few of their values from elsewhere, and count their cells."""
    random = np.random.default_rng(1)
    chosen = random.integers(0, adult.codes.shape[1], rows)
    key = np.zeros(rows, np.int64)
    columns: list[NDArray[np.int32]] = []
    for domain, codes in zip(adult.domains, adult.codes, strict=True):
        column = codes[chosen]
        other = random.random(rows) < 0.07
        column[other] = codes[random.integers(0, len(codes), int(other.sum()))]
        columns.append(column)
        key = key * len(domain) + column
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    cells = np.ascontiguousarray(np.array(columns, np.int32)[:, first])
    return problem_of(adult.domains, cells, count.astype(np.int64), K)


def on_adult(adult: Table) -> list[Result]:
    """CPU seconds and loss of every method, the loss beside that of the plain Mondrian."""
    problem, cell = adult.problem(K)
    plain = adult.gcp(Mondrian().search(problem).classes[cell].astype(np.int64))
    found = []
    for method, bar in ON_ADULT:
        seconds = cpu_seconds(partial(method.search, problem), runs=1)
        classes = method.search(problem).classes[cell].astype(np.int64)
        assert np.bincount(classes).min() >= K
        work = f"Adult, 8 columns, k={K}, {method}"
        found += [
            Result(work, seconds, "s CPU", bar, note=f"{classes.max() + 1:,} classes"),
            Result(work, adult.gcp(classes), "GCP", plain, "Mondrian, median cuts", plain),
        ]
    return found


def on_a_million(adult: Table) -> list[Result]:
    """CPU seconds with blocks; the loss beside that of the same method without blocks."""
    problem = drawn(adult, LARGE_ROWS)
    found = []
    for method in BLOCKED:
        losses = []
        spent = []
        for variant in (method, type(method)(block=None, rounds=method.rounds)):
            start = time.process_time()
            losses.append(global_certainty_penalty(variant.search(problem)))
            spent.append(time.process_time() - start)
        work = f"{LARGE_ROWS:,} rows, {method}"
        note = f"{len(problem.cells):,} cells; without blocks {spent[1]:.1f} s CPU"
        found += [
            Result(work, spent[0], "s CPU", LARGE_SECONDS, note=note),
            Result(work, losses[0], "GCP", WORSE * losses[1], "without blocks", losses[1]),
        ]
    return found


def run() -> list[Result]:
    """Measure everything; the list is empty when Adult is not there."""
    if not ADULT.is_dir():
        print("Adult is not there (../shared): clustering was not measured", file=sys.stderr)
        return []
    adult = Table.adult()
    return on_adult(adult) + on_a_million(adult)


if __name__ == "__main__":
    print(table("Clustering", run()))
