"""Synthetic people from noisy marginals on Adult at ε = 1, beside independent marginals on the same domains.

    python -m benchmarks.query_synthetic

Reads the table from the neighbour folder ``shared`` (nine columns, 30,162 people) and says so when it is not
there. Five runs, each with its own split: four fifths of the people are protected, the others are held out.
Every age from 17 to 90 is a position of its own, and so is every listed value of the other columns; distances
are taken over these positions, in all pairs of columns. A ratio is ours over that of independent marginals in
the same run, and the worst of five is shown: at most 0.9 of the distance, at least 1.1 of the AUC.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
from numpy.typing import NDArray

from benchmarks.result import SHARED, Result, table
from sfumato.dp.price import Price
from sfumato.query.methods.aim import AdaptiveMarginals
from sfumato.query.methods.contract import Attribute, Coded, DpMethod, Problem
from sfumato.query.methods.independent import IndependentMarginals
from sfumato.query.methods.mst import SpanningTreeMarginals
from sfumato.query.utility.learning import TrainOnSynthetic
from sfumato.query.utility.marginals import MarginalDistance

ADULT = SHARED / "data" / "table" / "adult" / "adult.csv.gz"
RUNS = 5
SECONDS = 60.0
PRICES = {"ε = 1": Price.pure(1), "ε = 1, δ = 1e-9": Price.approximate(1, "1e-9")}
METHODS: dict[str, DpMethod] = {"adaptive": AdaptiveMarginals(), "tree": SpanningTreeMarginals()}


@dataclass(frozen=True)
class Found:
    """What one method came to in one run."""

    distance: float
    area: float
    seconds: float


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
        before = time.process_time()
        made = method.protect(Problem(known, price, target=target)).records
        seconds = time.process_time() - before
        assert made is not None
        area = TrainOnSynthetic(target).measure(known, made, held_out).details["synthetic"]
        found[name] = Found(MarginalDistance().measure(known, made).value, float(area), seconds)
    return found


def _some(people: Coded, rows: NDArray[np.int64]) -> Coded:
    return Coded(people.attributes, people.codes[rows])


def compared(people: Coded, target: str, what: str) -> list[Result]:
    """Compare each method with independent marginals, at each price, in every run."""
    results = []
    for paid, price in PRICES.items():
        methods = {"independent": IndependentMarginals(), **METHODS}
        runs = [one_run(people, target, seed, price, methods) for seed in range(RUNS)]
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
    return results


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
