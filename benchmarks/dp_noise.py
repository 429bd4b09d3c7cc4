"""Noise for a group-by of a million cells, beside OpenDP's vector measurements in the same run.

python -m benchmarks.dp_noise
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import Result, cpu_seconds, table
from sfumato.dp import _opendp
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.sampler import exact_laplace
from sfumato.dp.mechanisms.staircase import Staircase

CELLS = 1_000_000
BAR = 1.0
SCALES = [Fraction(1), Fraction(10), Fraction(10**6), Fraction(10**12)]

Noise = NDArray[np.int64]


def run() -> list[Result]:
    """Measure our samplers at each scale, the library at one: it takes as long at others."""
    cells = np.zeros(CELLS, np.int64)
    found = []
    kinds: list[tuple[str, Callable[[Fraction], Callable[[], Noise]], Callable[[], Noise]]] = [
        (
            "discrete Laplace",
            lambda scale: lambda: DiscreteLaplace(scale).add(cells),
            lambda: _opendp.laplace_i64(cells, Fraction(10)),
        ),
        (
            "discrete Gaussian",
            lambda scale: lambda: DiscreteGaussian(scale).add(cells),
            lambda: _opendp.gaussian_i64(cells, Fraction(10)),
        ),
    ]
    for name, ours, theirs in kinds:
        peer = cpu_seconds(theirs, runs=1, warm=0)
        for scale in SCALES:
            seconds = cpu_seconds(ours(scale))
            work = f"{name}, 1 M cells, scale {float(scale):g}"
            found.append(Result(work, seconds, "s CPU", BAR, "OpenDP 0.16, i64 vector, scale 10", peer))
    stairs = cpu_seconds(lambda: Staircase(0.1, 7).add(cells))
    found.append(Result("staircase, 1 M cells, ε = 0.1, Δ = 7", stairs, "s CPU", BAR))
    return [*found, *run_few()]


def run_few() -> list[Result]:
    """Measure answers of few cells, where the library draws, beside our sampler."""
    found = []
    for count in (1, 16, 100):
        cells = np.zeros(count, np.int64)
        library = 1000 * cpu_seconds(lambda cells=cells: _opendp.laplace_i64(cells, Fraction(10)), 51)
        ours = 1000 * cpu_seconds(lambda count=count: exact_laplace(Fraction(10), count), 51)
        work = f"discrete Laplace, {count} cells, our sampler"
        found.append(Result(work, ours, "ms CPU", None, "OpenDP 0.16", library, "the library is in use"))
    return found


if __name__ == "__main__":
    print(table("Noise on whole numbers", run()))
