"""Which way of choosing sites with differential privacy finds the most, and how long it takes.

    python -m benchmarks.dna_private

A simulated study of 1,000 cases and 1,000 controls at 5,000 sites, ten of them associated (odds of the
alternate allele 1.4 to 2 times as high among cases). Shown is the share of the true ten best sites (by exact
χ²) that were chosen, mean of 20 choices, for several ε; then the CPU seconds of scoring 100,000 sites.
"""

from __future__ import annotations

import numpy as np

from benchmarks.result import Result, cpu_seconds, table
from sfumato.core.randomness import SeededRandom
from sfumato.dna.contract import Study
from sfumato.dna.methods.association_scores import Test, chi_squared
from sfumato.dna.methods.dp_top_snps import Choice, DpTopSnps
from sfumato.dna.methods.significance_distance import critical_value, distance_scores
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory

PEOPLE, SITES, STRONG = 2000, 5000, 10
EPSILONS = (1, 3, 10, 30, 100)
RUNS = 20


def simulated(seed: int = 1) -> Study:
    """Return a study with some associated sites."""
    random = np.random.default_rng(seed)
    ill = np.arange(PEOPLE) < PEOPLE // 2
    frequency = random.uniform(0.05, 0.5, SITES)
    among_cases = frequency.copy()
    odds = frequency[:STRONG] / (1 - frequency[:STRONG]) * np.linspace(1.4, 2.0, STRONG)
    among_cases[:STRONG] = odds / (1 + odds)
    dosages = np.where(
        ill,
        random.binomial(2, among_cases[:, None], (SITES, PEOPLE)),
        random.binomial(2, frequency[:, None], (SITES, PEOPLE)),
    )
    return Study(InMemory(dosages.astype(np.int8), numbered(SITES)), cases=ill)


def recovered(study: Study) -> list[Result]:
    """Return the share of the true best that each mechanism finds."""
    assert study.cases is not None
    counts = study.pool.counts([study.cases, ~study.cases])[:, :, :3]
    best = set(np.argsort(-chi_squared(Test.ALLELIC, counts[0], counts[1]))[:STRONG].tolist())
    found = []
    for choice in Choice:
        for epsilon in EPSILONS:
            method, random = DpTopSnps(STRONG, epsilon, mechanism=choice), SeededRandom(7)
            hits = [len(best & set(method.publish(study, (), random=random).kept)) for _ in range(RUNS)]
            found.append(
                Result(f"top {STRONG} by {choice}, ε = {epsilon}", float(np.mean(hits)) / STRONG, "share")
            )
    return found


def timed() -> list[Result]:
    """Return how long scores of many sites take."""
    random = np.random.default_rng(2)
    rows = [random.multinomial(1000, (0.5, 0.35, 0.15), 100_000) for _ in range(2)]
    critical = critical_value(5e-8)
    return [
        Result(
            "distance to significance, 100,000 sites × 2,000 people",
            cpu_seconds(lambda: distance_scores(rows[0], rows[1], critical)),
            "s",
        ),
        Result("χ² of the same", cpu_seconds(lambda: chi_squared(Test.ALLELIC, rows[0], rows[1])), "s"),
    ]


def run() -> list[Result]:
    """Measure both."""
    return [*recovered(simulated()), *timed()]


if __name__ == "__main__":
    print(table("Choosing and counting privately", run()))
