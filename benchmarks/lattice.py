"""OptimalLattice on the golden tables: CPU seconds of the search beside those recorded for ARX 3.9.2.

    python -m benchmarks.lattice

Reads the tables from the neighbour folder ``shared`` and says so when it is not there. The figures of
ARX are those of its search thread in a warm JVM (its best run), as recorded with the golden cases.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.loss import Loss
from tests.oracles.arx_tables import case_of

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
RUNS = 5
WORK = [
    # name, a golden case with the same table, k, suppress, bar in seconds, ARX's seconds
    ("Adult, 9 columns, k=5, 0 %", "adult9_k2_s0.0_loss", 5, 0.0, 0.03, 0.043),
    ("Adult, 9 columns, k=5, 5 %", "adult9_k2_s0.0_loss", 5, 0.05, 0.15, 1.506),
    ("Adult, 9 columns, k=5, 100 %", "adult9_k2_s0.0_loss", 5, 1.0, 0.25, 4.889),
    ("CUP, 8 columns, k=5, 0 %", "cup8_k5_s0.0_loss", 5, 0.0, None, 0.171),
    ("CUP, 8 columns, k=5, 5 %", "cup8_k5_s0.0_loss", 5, 0.05, 0.4, 7.071),
    ("mach2019, 9 columns, k=5, 5 %", "mach9_k5_s0.0_loss", 5, 0.05, 1.0, 8.729),
    ("FARS, 8 columns, k=5, 5 %", "fars8_k5_s0.0_loss", 5, 0.05, 0.1, 0.549),
    ("credit card, 8 columns, k=5, 5 %", "credit8_k5_s0.0_loss", 5, 0.05, None, 1.585),
    ("ihis (synthetic), 9 columns, k=5, 0 %", "ihis9synth_k5_s0.0_loss", 5, 0.0, 2.0, 21.838),
]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    cells: int
    checked: int
    nodes: int
    score: float
    seconds: float
    """median CPU seconds of the search"""
    bar: float | None
    arx: float

    @property
    def ratio(self) -> float:
        """How many times faster than ARX."""
        return self.arx / self.seconds


def run() -> list[Row]:
    """Measure every table; the list is empty when the tables are not there."""
    path = SHARED / "golden" / "table-arx.json"
    if not path.is_file():
        return []
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))["cases"]}
    rows = []
    for work, case, k, suppress, bar, arx in WORK:
        cells, ladders = case_of(SHARED, cases[case])
        problem = Problem(cells, ladders, (Rule(RuleKind.MIN_PERSONS, (k,), True),))
        method, seconds = OptimalLattice(suppress), []
        found = method.search(problem, Loss())
        for _ in range(RUNS):
            start = time.process_time()
            found = method.search(problem, Loss())
            seconds.append(time.process_time() - start)
        checked, nodes = int(found.details["checked_nodes"]), int(found.details["lattice_nodes"])
        assert isinstance(found.score, float)
        rows.append(Row(work, len(cells), checked, nodes, found.score, statistics.median(seconds), bar, arx))
    return rows


def main() -> int:
    """Print the table."""
    rows = run()
    if not rows:
        print(f"the golden tables are not there (expected the folder {SHARED.name} beside this repository)")
        return 1
    heads = ("cells", 9), ("checked", 14), ("CPU s", 8), ("bar", 6), ("ARX", 7), ("ratio", 7)
    print(f"{'OptimalLattice, loss':40}", *[f"{head:>{width}}" for head, width in heads])
    for row in rows:
        checked, bar = f"{row.checked}/{row.nodes}", "" if row.bar is None else f"{row.bar:g}"
        figures = f"{row.seconds:8.3f} {bar:>6} {row.arx:7.3f} {row.ratio:6.1f}×"
        print(f"{row.work:40} {row.cells:9,} {checked:>14} {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
