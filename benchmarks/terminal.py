"""The command line from a cold terminal: help, import, protect on Adult; compilation of the kernels.

python -m benchmarks.terminal
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.result import SHARED, Result, children_cpu, table

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


COMPILE = """
import time, sys
started = time.process_time()
import numpy as np, pyarrow as pa, sfumato as sf
rng = np.random.default_rng(1)
data = pa.table({name: rng.integers(0, 20, 500) for name in "abc"})
loaded = time.process_time()
lattices = sf.OptimalLattice(), sf.OptimalLattice(suppress=0.1)
for method in (*lattices, sf.Mondrian(), sf.Mondrian(strict=False)):
    sf.protect(data, quasi=["a", "b", "c"], models=[sf.KAnonymity(5)], method=method)
print(time.process_time() - started)
"""


def compilation() -> list[Result]:
    """Run every kernel with an empty cache, then with a full one, then a second time in one process."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SFUMATO_CACHE": folder}

        def spent(code: str) -> float:
            return float(subprocess.check_output([sys.executable, "-c", code], env=environment, text=True))

        again = COMPILE.replace("started = time.process_time()\nimport", "import").replace(
            "loaded = time.process_time()", "started = time.process_time()"
        )
        cold = spent(COMPILE)
        cached = statistics.median(spent(COMPILE) for _ in range(RUNS))
        twice = again.replace("for method", "for method", 1) + again[again.index("started =") :]
        warm = statistics.median(
            float(
                subprocess.check_output([sys.executable, "-c", twice], env=environment, text=True).split()[-1]
            )
            for _ in range(RUNS)
        )
        found.append(
            Result("all kernels, cold compile", cold - cached, "s CPU", 30.0, note="beyond a cached run")
        )
        found.append(
            Result("all kernels, first use from cache", cached - warm, "s CPU", 1.0, note="imports included")
        )
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, exist_ok=True)
    return found


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
