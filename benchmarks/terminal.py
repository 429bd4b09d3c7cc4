"""The command line from a cold terminal: help, import, protect on Adult; compilation of the kernels.

python -m benchmarks.terminal
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.result import SHARED, Result, children_cpu, cpu_seconds, table

ADULT = SHARED / "data" / "table" / "adult"
SFUMATO = str(Path(sys.executable).parent / "sfumato")
RUNS = 5


def recipe(folder: Path, suppress: float) -> Path:
    """Write a recipe for Adult with all nine columns as quasi-identifiers."""
    names = (ADULT / "hierarchies").glob("adult_hierarchy_*.csv.gz")
    fields = "\n".join(
        f"        - {{name: {path.name.split('_')[-1].split('.')[0]}, role: quasi-identifier, "
        f"hierarchy: {{csv: '{path}'}}}}"
        for path in sorted(names)
    )
    data = ADULT / "adult.csv.gz"
    text = (
        f"sfumato: 1\nresources:\n  - path: '{data}'\n    schema:\n      fields:\n{fields}\n"
        f"models: [k-anonymity: {{k: 5}}]\nmethod: {{optimal-lattice: {{suppress: {suppress}}}}}\n"
    )
    path = folder / "recipe.yaml"
    path.write_text(text)
    return path


def measure(
    command: list[str], environment: dict[str, str] | None = None, runs: int = RUNS
) -> tuple[float, float]:
    """Return the median wall and CPU seconds of a command."""
    walls, cpus = [], []
    for _ in range(runs):
        before, started = children_cpu(), time.perf_counter()
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        walls.append(time.perf_counter() - started)
        cpus.append(children_cpu() - before)
    return statistics.median(walls), statistics.median(cpus)


def hierarchies() -> None:
    """Read every hierarchy file of Adult."""
    from sfumato.hierarchy import HierarchyTable

    for path in (ADULT / "hierarchies").glob("*.csv.gz"):
        HierarchyTable.read(path)


FIRST_USE = """
import sys, time
import numpy as np
from sfumato.core.domain import Domain
from sfumato.hierarchy import Infer
from sfumato.table.cells import Cells
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
rng = np.random.default_rng(1)
codes = np.unique(rng.integers(0, 20, (3, 500)).astype(np.int32), axis=1)
domains = tuple(Domain.of(name, range(20)) for name in "abc")
rows = np.ones(codes.shape[1], np.int64)
ladders = tuple(Infer().ladder(domain) for domain in domains)
problem = Problem(Cells(domains, codes, rows, rows), ladders, (Rule(RuleKind.MIN_PERSONS, (5,), True),))

def search():
    started = time.process_time()
    from sfumato.table.methods import Mondrian, OptimalLattice
    from sfumato.table.utility import Loss
    for method in (OptimalLattice(), OptimalLattice(0.1), Mondrian(), Mondrian(strict=False)):
        method.search(problem, Loss())
    return time.process_time() - started

print(search() - search())
"""
"""CPU seconds that the first use of both methods takes beyond the second, numba's import included"""


def compilation() -> list[Result]:
    """Use every kernel with an empty cache, and with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SFUMATO_CACHE": folder}

        def spent() -> float:
            command = [sys.executable, "-c", FIRST_USE]
            return float(subprocess.check_output(command, env=environment, text=True))

        cold = spent()
        cached = statistics.median(spent() for _ in range(RUNS))
    return [
        Result("all kernels, cold compile", cold, "s CPU", 30.0),
        Result("all kernels, first use from cache", cached, "s CPU", 1.0, note="numba's import included"),
    ]


def run() -> list[Result]:
    """Measure commands as a person would type them; caches are warm."""
    found = [
        Result("sfumato --help", measure([SFUMATO, "--help"])[1], "s CPU", 0.3),
        Result("import sfumato", measure([sys.executable, "-c", "import sfumato"])[1], "s CPU"),
        *compilation(),
    ]
    if not ADULT.is_dir():
        print("Adult is not there (../shared): protect was not measured", file=sys.stderr)
        return found
    found.append(Result("read the nine hierarchies of Adult", cpu_seconds(hierarchies), "s CPU"))
    with tempfile.TemporaryDirectory() as folder:
        for suppress, peer in ((0.0, 3.6), (0.05, 5.8)):
            path = recipe(Path(folder), suppress)
            command = [SFUMATO, "protect", str(path), "--replace"]
            measure(command, runs=1)
            wall, cpu = measure(command)
            found.append(
                Result(
                    f"sfumato protect on Adult, 9 columns, k=5, {suppress:.0%}",
                    wall,
                    "s",
                    2.5,
                    "ARX (recorded)",
                    peer,
                    f"{cpu:.2f} s of CPU",
                )
            )
    return found


if __name__ == "__main__":
    print(table("Terminal", run()))
