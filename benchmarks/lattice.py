"""OptimalLattice on the golden tables: CPU seconds of the search beside those recorded for ARX 3.9.2.

    python -m benchmarks.lattice

Reads the tables from the neighbour folder ``shared`` and says so when it is not there. The figures of
ARX are those of its search thread in a warm JVM (its best run), as recorded with the golden cases.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.loss import Loss
from tests.oracles.arx_models import problem_of
from tests.oracles.arx_tables import case_of

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


RULED = [
    # name, golden cases at 0 % and 5 % whose columns, hierarchies and models are taken
    ("entropy l-diversity, l=3", "adult8_entropy_shannon_l3_s0.05"),
    ("t-closeness, equal, t=0.2, k=5", "adult8_k5_tclose_equal_t0.2_s0.05"),
    ("t-closeness, ordered, t=0.2, k=5", "adult8_k5_tclose_ordered_t0.2_s0.05"),
    ("t-closeness, hierarchical, t=0.2, k=5", "adult8_k5_tclose_hier_t0.2_s0.05"),
]
TIMES_K_ANONYMITY = 2.0
"""how much longer such a search may take than the one for 5-anonymity alone, on the same columns"""


def run() -> list[Result]:
    """Measure every table; the list is empty when the tables are not there."""
    path = SHARED / "golden" / "table-arx.json"
    if not path.is_file():
        print("the golden tables are not there (../shared): OptimalLattice was not measured", file=sys.stderr)
        return []
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))["cases"]}
    found = []
    for work, case, k, suppress, bar, arx in WORK:
        cells, ladders = case_of(SHARED, cases[case])
        problem = Problem(cells, ladders, (Rule(RuleKind.MIN_PERSONS, (k,), True),))
        method = OptimalLattice(suppress)
        checked = method.search(problem, Loss()).details["checked_nodes"]
        seconds = cpu_seconds(lambda method=method, problem=problem: method.search(problem, Loss()))
        note = f"{len(cells):,} cells, {checked} nodes checked"
        found.append(Result(work, seconds, "s CPU", bar, "ARX 3.9.2 (recorded)", arx, note))
    return [*found, *run_ruled(cases), *run_compared(cases)]


def run_ruled(cases: dict[str, Any]) -> list[Result]:
    """Measure models of sensitive values on Adult (8 columns) against k-anonymity in the same run."""
    found = []
    for suppress in (0.0, 0.05):
        method = OptimalLattice(suppress)
        for name, case in RULED:
            problem = problem_of(SHARED, cases[case])
            alone = replace(problem, rules=(Rule(RuleKind.MIN_PERSONS, (5,), True),))
            bar = TIMES_K_ANONYMITY * cpu_seconds(lambda m=method, p=alone: m.search(p, Loss()), 9)
            seconds = cpu_seconds(lambda m=method, p=problem: m.search(p, Loss()), 9)
            checked = method.search(problem, Loss()).details["checked_nodes"]
            work = f"Adult, 8 columns, {name}, {100 * suppress:g} %"
            note = f"{checked} nodes checked, {TIMES_K_ANONYMITY * seconds / bar:.1f} × k-anonymity"
            found.append(Result(work, seconds, "s CPU", bar, note=note))
    return found


def run_compared(cases: dict[str, Any]) -> list[Result]:
    """Measure β-likeness on Adult (8 columns) with half of the rows allowed to go, for either base."""
    found = []
    for base, bar in (("released", 5.0), ("input", None)):
        rule = Rule(RuleKind.LIKENESS, (3, 1), True, "occupation", as_released=base == "released")
        problem = problem_of(SHARED, cases["adult8_basic_beta1_s0.05"], (rule,))
        method = OptimalLattice(0.5)
        score = method.search(problem, Loss()).score
        seconds = cpu_seconds(lambda m=method, p=problem: m.search(p, Loss()), 3)
        note = f"loss {score:.4f}"
        found.append(Result(f"Adult, 8 columns, β=3, base {base}, 50 %", seconds, "s CPU", bar, note=note))
    return found


if __name__ == "__main__":
    print(table("OptimalLattice, utility loss", run()))
