"""Synthetic people from noisy marginals on Adult at ε = 1, beside independent marginals on the same domains.

    python -m benchmarks.query_synthetic

Reads the table from the neighbour folder ``shared`` (nine columns, 30,162 people) and says so when it is not
there. Five runs, each with its own split: four fifths of the people are protected, the others are held out.
Every age from 17 to 90 is a position of its own, and so is every listed value of the other columns; distances
are taken over these positions, in all pairs of columns. A ratio is ours over that of independent marginals in
the same run, and the worst of five is shown: at most 0.9 of the distance, at least 1.1 of the AUC.

OpenDP's MST runs on the splits of the first three at the same price, to the last digit of ε or ρ, in the
interpreter that SFUMATO_PEER_MST names (the path of a Python with ``opendp[mbi]==0.16.0`` and pandas); it is
left out when that is not set. Its people are measured by the same code; the worst ratio of the three runs is
shown, and the bar is not to be worse than it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
from numpy.typing import NDArray

from benchmarks.result import HERE, SHARED, Result, children_cpu, table
from sfumato.dp.price import Price
from sfumato.query.methods.aim import AdaptiveMarginals
from sfumato.query.methods.contract import Attribute, Coded, DpMethod, DpSolution, Problem
from sfumato.query.methods.curator import budget_of
from sfumato.query.methods.independent import IndependentMarginals
from sfumato.query.methods.mst import SpanningTreeMarginals
from sfumato.query.utility.learning import TrainOnSynthetic
from sfumato.query.utility.marginals import MarginalDistance

ADULT = SHARED / "data" / "table" / "adult" / "adult.csv.gz"
RUNS = 5
SECONDS = 60.0
PRICES = {"ε = 1": Price.pure(1), "ε = 1, δ = 1e-9": Price.approximate(1, "1e-9")}
METHODS: dict[str, DpMethod] = {"adaptive": AdaptiveMarginals(), "tree": SpanningTreeMarginals()}
PEER, PEER_PYTHON, PEER_RUNS = "OpenDP's MST", "SFUMATO_PEER_MST", 3


@dataclass(frozen=True)
class Found:
    """What one method came to in one run."""

    distance: float
    area: float
    seconds: float


@dataclass(frozen=True)
class OpenDpTree:
    """A library's spanning tree of marginals, in an interpreter of its own."""

    python: str
    name: ClassVar[str] = "opendp-mst"

    def protect(self, problem: Problem) -> DpSolution:
        """Hand the people over as a file of positions and read what was made."""
        people = problem.data
        pure, budget = budget_of(problem.price)
        sizes = ",".join(str(attribute.size) for attribute in people.attributes)
        header = ",".join(f"column {number}" for number in range(len(people.attributes)))
        script = HERE / "peers" / "query" / "opendp_mst.py"
        with tempfile.TemporaryDirectory() as folder:
            known, made = Path(folder) / "known.csv", Path(folder) / "made.csv"
            np.savetxt(known, people.codes, fmt="%d", delimiter=",", header=header, comments="")
            loss = ("epsilon" if pure else "rho", str(budget))
            subprocess.run([self.python, str(script), str(known), sizes, *loss, str(made)], check=True)
            codes = np.loadtxt(made, dtype=np.int32, delimiter=",", skiprows=1, ndmin=2)
        return DpSolution(problem.price, Coded(people.attributes, codes))


def adult() -> Coded:
    """Read Adult. Its lists of values are public; for this comparison they are read off the file."""
    data = pa.csv.read_csv(ADULT, parse_options=pa.csv.ParseOptions(delimiter=";"))
    attributes, columns = [], []
    for name in data.column_names:
        values = data.column(name)
        if name == "age":
            ages = range(17, 91)
            attributes.append(Attribute(name, tuple(map(str, ages)), tuple(map(float, range(17, 92)))))
            columns.append(values.to_numpy() - 17)
        else:
            labels = sorted(set(values.to_pylist()))
            attributes.append(Attribute(name, tuple(labels)))
            columns.append(pa.compute.index_in(values, pa.array(labels)).to_numpy())
    return Coded(tuple(attributes), np.column_stack(columns).astype(np.int32))


def one_run(
    people: Coded, target: str, seed: int, price: Price, methods: dict[str, DpMethod]
) -> dict[str, Found]:
    """Protect four fifths of the people by each method and measure what is kept."""
    order = np.random.default_rng(seed).permutation(len(people.codes))
    cut = len(order) * 4 // 5
    known, held_out = _some(people, order[:cut]), _some(people, order[cut:])
    found = {}
    for name, method in methods.items():
        before = _cpu()
        made = method.protect(Problem(known, price, target=target)).records
        seconds = _cpu() - before
        assert made is not None
        area = TrainOnSynthetic(target).measure(known, made, held_out).details["synthetic"]
        found[name] = Found(MarginalDistance().measure(known, made).value, float(area), seconds)
    return found


def _cpu() -> float:
    return time.process_time() + children_cpu()


def _some(people: Coded, rows: NDArray[np.int64]) -> Coded:
    return Coded(people.attributes, people.codes[rows])


def compared(people: Coded, target: str, what: str) -> list[Result]:
    """Compare each method with independent marginals, at each price, in every run."""
    results, peer = [], _peer()
    for paid, price in PRICES.items():
        methods = {"independent": IndependentMarginals(), **METHODS}
        runs = [
            one_run(people, target, seed, price, methods | (peer if seed < PEER_RUNS else {}))
            for seed in range(RUNS)
        ]
        for name in METHODS:
            ours, base = [run[name] for run in runs], [run["independent"] for run in runs]
            nearer = max(o.distance / b.distance for o, b in zip(ours, base, strict=True))
            surer = max(b.area / o.area for o, b in zip(ours, base, strict=True))
            results += [
                Result(
                    f"{what}, {paid}, {name}: distance of pairs",
                    nearer,
                    "× independent",
                    0.9,
                    note=f"{_mean(o.distance for o in ours)} against {_mean(b.distance for b in base)}",
                ),
                Result(
                    f"{what}, {paid}, {name}: AUC",
                    surer,
                    "independent ×",
                    1 / 1.1,
                    note=f"{_mean(o.area for o in ours)} against {_mean(b.area for b in base)}",
                ),
                Result(f"{what}, {paid}, {name}: time", max(o.seconds for o in ours), "CPU s", SECONDS),
            ]
            results += _beside_peer(runs, name, f"{what}, {paid}, {name}")
    return results


def _peer() -> dict[str, DpMethod]:
    python = os.environ.get(PEER_PYTHON)
    if not python:
        print(f"{PEER} is left out: {PEER_PYTHON} does not name a Python that has it", file=sys.stderr)
        return {}
    return {PEER: OpenDpTree(python)}


def _beside_peer(runs: Iterable[dict[str, Found]], name: str, work: str) -> list[Result]:
    """Compare a method with the library's, in the runs that have both."""
    both = [(run[name], run[PEER]) for run in runs if PEER in run]
    if not both:
        return []
    ours, theirs = zip(*both, strict=True)
    distance = f"{_mean(o.distance for o in ours)} against {_mean(t.distance for t in theirs)}"
    area = f"{_mean(o.area for o in ours)} against {_mean(t.area for t in theirs)}"
    return [
        Result(
            f"{work}: distance of pairs",
            max(o.distance / t.distance for o, t in both),
            f"× {PEER}",
            1.0,
            note=distance,
        ),
        Result(f"{work}: AUC", max(t.area / o.area for o, t in both), f"{PEER} ×", 1.0, note=area),
        Result(
            f"{work}: time",
            max(o.seconds for o in ours),
            "CPU s",
            peer=PEER,
            theirs=max(t.seconds for t in theirs),
            note="theirs with the start of Python",
        ),
    ]


def _mean(figures: Iterable[float]) -> str:
    return f"{np.mean(list(figures)):.3f}"


def run() -> list[Result]:
    """Run all of it."""
    if not ADULT.exists():
        print(f"{ADULT.name} is not there: nothing was measured", file=sys.stderr)
        return []
    return compared(adult(), "salary-class", "Adult, 9 columns")


if __name__ == "__main__":
    print(table("Synthetic people under differential privacy", run()))
