"""Counts over ranges from noisy tables: time for a million cells, and error beside a plain noisy histogram.

python -m benchmarks.query_ranges

The plain histogram (discrete Laplace noise in every cell, nothing else) is made in the same run, from the
same people at the same price. The bar of errors is what was expected from the metadata, times 1.05.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from benchmarks.result import Result, cpu_seconds, table
from sfumato.dp.price import Price
from sfumato.query.methods.contract import Attribute, Coded, DpMethod, Problem
from sfumato.query.methods.cube import DataCube
from sfumato.query.methods.hierarchical_histogram import HierarchicalHistogram
from sfumato.query.methods.privelet import Privelet
from sfumato.query.utility.range_queries import RangeQueries

PEOPLE = 200_000
SECONDS = 5.0
RUNS = 10_000_000
"""releases to measure errors over, times cells: between 100 and 1,000 of them"""
PLAIN = Privelet(wavelet=())


def run() -> list[Result]:
    """Measure time, then errors."""
    return [*run_time(), *run_errors()]


def run_time() -> list[Result]:
    """Measure releases of a million cells, at ε = 1 and at (1, 10⁻⁹)."""
    work: list[tuple[str, DpMethod, tuple[int, ...]]] = [
        ("Privelet, 1 attribute", Privelet(), (1_000_000,)),
        ("Privelet, 2 attributes", Privelet(), (1_000, 1_000)),
        ("Privelet, 3 attributes", Privelet(), (100, 100, 100)),
        ("hierarchical histogram", HierarchicalHistogram(), (1_000_000,)),
        ("data cube, 3 attributes, up to 3 dimensions", DataCube(3), (100, 100, 100)),
        ("data cube, 12 attributes, up to 2 dimensions", DataCube(2), (100, 50, *[8] * 10)),
    ]
    found = []
    for name, method, sizes in work:
        people = drawn(sizes)
        for price in (Price.pure(1), Price.approximate(1, "1e-9")):
            seconds = cpu_seconds(partial(method.protect, Problem(people, price)), 3)
            cells = math.prod(sizes) if len(sizes) <= 3 else 0
            note = f"{cells:,} cells" if cells else "78 cuboids"
            found.append(Result(f"{name}, {price}", seconds, "s CPU", SECONDS, note=note))
    return found


def run_errors() -> list[Result]:
    """Measure the root mean square error of ranges over some releases, beside the plain histogram's."""
    found = []
    for sizes in ((256,), (1024,), (8192,), (65536,), (128, 128)):
        people = drawn(sizes)
        plain, _ = errors(PLAIN, people)
        shown = " × ".join(str(s) for s in sizes)
        methods: list[tuple[str, DpMethod]] = [("Privelet", Privelet())]
        if len(sizes) == 1:
            methods.append(("hierarchical histogram", HierarchicalHistogram()))
        for name, method in methods:
            measured, expected = errors(method, people)
            work = f"{name}, ranges over {shown}, ε = 1"
            note = f"expected {expected:.1f}"
            found.append(Result(work, measured, "people", 1.05 * expected, "plain histogram", plain, note))
    return found


def errors(method: DpMethod, people: Coded) -> tuple[float, float]:
    """Return measured and expected root mean square errors of ranges."""
    measure = RangeQueries(queries=5_000)
    squares = []
    for _ in range(min(1000, max(100, RUNS // math.prod(a.size for a in people.attributes)))):
        made = method.protect(Problem(people, Price.pure(1)))
        squares.append(measure.measure(people, made.tables[0]).value ** 2)
    (expected,) = (error for what, error in made.expected_error.items() if what.startswith("ranges"))
    return math.sqrt(float(np.mean(squares))), expected


def drawn(sizes: tuple[int, ...]) -> Coded:
    """Draw people, more of them at low positions."""
    generator = np.random.default_rng(1)
    columns = [np.floor(size * generator.random(PEOPLE) ** 2) for size in sizes]
    codes = np.column_stack(columns).astype(np.int32)
    codes.setflags(write=False)
    attributes = (
        Attribute(f"a{i}", tuple(map(str, range(size))), tuple(map(float, range(size + 1))))
        for i, size in enumerate(sizes)
    )
    return Coded(tuple(attributes), codes)


if __name__ == "__main__":
    print(table("Counts over ranges", run()))
