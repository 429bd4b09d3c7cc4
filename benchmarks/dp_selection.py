"""Choosing among many candidates, and deciding which of many groups are told.

python -m benchmarks.dp_selection
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from benchmarks.result import Result, cpu_seconds, table
from sfumato.dp._opendp import noisy_max_i64
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.partition_selection import PartitionSelection
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip

CANDIDATES = 100_000
BAR = 10.0
GROUPS = 1_000_000


def run() -> list[Result]:
    """Measure one choice for scores of several shapes: the time must not tell which."""
    drawn = np.random.default_rng(1)
    shapes = {
        "a median": -np.abs(np.arange(CANDIDATES) - 40_000),
        "all alike": np.zeros(CANDIDATES, np.int64),
        "far apart": drawn.integers(-(10**9), 10**9, CANDIDATES),
    }
    found = []
    library = {
        Exponential: 1000
        * cpu_seconds(lambda: noisy_max_i64(shapes["a median"], Fraction(2), gumbel=True), 3),
        PermuteAndFlip: 1000 * cpu_seconds(lambda: noisy_max_i64(shapes["a median"], Fraction(2)), 3),
    }
    for kind in (Exponential, PermuteAndFlip):
        for shape, scores in shapes.items():
            for epsilon in ("0.01", "1"):
                seconds = cpu_seconds(lambda k=kind, e=epsilon, s=scores: k(e).choose(s), 31)
                work = f"{kind.name}, 100,000 candidates, {shape}, ε = {epsilon}"
                found.append(
                    Result(work, 1000 * seconds, "ms CPU", BAR, "OpenDP 0.16, noisy max", library[kind])
                )
    people = np.arange(GROUPS) % 40
    seconds = cpu_seconds(lambda: PartitionSelection(1, "1e-6").keep(people))
    found.append(Result("partition selection, 1 M groups", 1000 * seconds, "ms CPU"))
    return found


if __name__ == "__main__":
    print(table("Choosing", run()))
