"""What the time of the query service tells: an automated adversary against ``sfumato serve``.

    python -m benchmarks.query_time [--quick | --whole]

A clinic is made up: 100,000 people with a public code, 3,000,000 visits, a secret illness. The adversary is
an analyst who knows codes and wants to know who is ill, at the smallest price that the service takes. It
speaks plain HTTP to a service in a process of its own and looks at everything but the answers: the time of
replies, moments that the service tells, other questions meanwhile, refusals, budgets, quotes. With half of
the questions it tries every strategy on training victims whose illness it knows; with the rest it attacks
others by the best one. Half of the victims are ill, so that 0.5 is guessing; with 100 victims the AUC of mere
guessing has a standard error of 0.058 for one seed and 0.034 for the mean of three.

The service is told a pace of a fifth: replies then leave some five times sooner than it would let them by
itself, so that the adversary gets more looks into an hour, and costs have less to spare. With ``--whole`` it
is attacked with its own settings too, which takes hours. Last comes whether quotes tell what another analyst
asked.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import Any

from benchmarks.result import DATA, Result, table
from tests.server.cache_adversary import ENDPOINTS, texts_of_another
from tests.server.timing_adversary import Outcome, attack
from tests.server.timing_analyst import CHEAP, Adversary
from tests.server.timing_strategies import STRATEGIES
from tests.server.timing_target import choose_victims, make_clinic, serving

PEOPLE, VISITS = 100_000, 30
SEEDS = (1, 2, 3)
QUESTIONS, TRAINING, VICTIMS = 5000, 40, 100
BAR = 0.55
COUNT_WITHIN = 25.0
HURRY = {"pace": 0.2}
MANY = {"questions_per_day": 10**6}
"""what is measured is what time tells, not how soon the day's questions are used up"""


def clinic() -> Path:
    """Return the description of the made-up clinic, made when it is not there."""
    folder = DATA / "clinic"
    path = folder / "database.yaml"
    return path if path.is_file() else make_clinic(folder, PEOPLE, VISITS)


def attacked(
    path: Path,
    settings: Mapping[str, Any],
    names: Sequence[str],
    seed: int,
    questions: int,
    training: int,
    victims: int,
) -> Outcome:
    """Let the adversary loose on a new service."""
    everybody = choose_victims(path, training + victims, seed)
    half = training // 2
    ill, well = ([one for one in everybody if one.ill is truth] for truth in (True, False))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(path, Path(folder), MANY | dict(settings)) as (port, keys),
    ):
        adversary = Adversary(port, keys)
        try:
            return attack(
                adversary,
                ill[:half] + well[:half],
                ill[half:] + well[half:],
                questions,
                Random(seed),
                {name: STRATEGIES[name] for name in names},
            )
        finally:
            adversary.close()


def told(path: Path, seed: int) -> dict[str, float]:
    """Return the balanced accuracy of guesses of what a stranger sent, for each pair of endpoints."""
    random = Random(seed)
    found = {}
    with tempfile.TemporaryDirectory() as folder, serving(path, Path(folder), {}) as (port, keys):
        adversary = Adversary(port, keys)
        adversary.close()
        for theirs in ENDPOINTS:
            for mine in ENDPOINTS:
                found[f"{theirs} seen by {mine}"] = texts_of_another(
                    port, keys, theirs, mine, str(adversary.least), random
                )
    return found


def count_latency(path: Path, questions: int = 100) -> float:
    """Return the median milliseconds of a COUNT over the people, on a connection that is kept open."""
    with tempfile.TemporaryDirectory() as folder, serving(path, Path(folder), {}) as (port, keys):
        adversary = Adversary(port, keys)
        taken = [adversary.ask(adversary.probe, CHEAP).seconds for _ in range(questions)]
        adversary.close()
        return 1000 * median(taken)


def _row(work: str, figures: Sequence[float], unit: str, bar: float | None, note: str = "") -> Result:
    error = stdev(figures) / len(figures) ** 0.5 if len(figures) > 1 else float("nan")
    said = f"± {error:.3f}" + (f"; {note}" if note else "") + f"; load {os.getloadavg()[0]:.1f}"
    return Result(work, fmean(figures), unit, bar, note=said)


def _rows(kind: str, outcomes: Sequence[Outcome]) -> list[Result]:
    rows = []
    for name in STRATEGIES:
        figures = [one.by_strategy[name] for one in outcomes if name in one.by_strategy]
        if figures:
            rows.append(_row(f"{kind}: {name}, training victims", figures, "AUC", None))
    slow = sorted({name for one in outcomes for name in one.too_slow})
    chosen = ", ".join(one.chosen for one in outcomes)
    asked = ", ".join(f"{one.questions:,}" for one in outcomes)
    note = f"{asked} questions; chosen: {chosen}" + (
        f"; given up as too slow: {', '.join(slow)}" if slow else ""
    )
    return [
        *rows,
        _row(f"{kind}: the best one, other victims", [one.auc for one in outcomes], "AUC", BAR, note),
    ]


def run(
    seeds: Sequence[int] = SEEDS,
    questions: int = QUESTIONS,
    training: int = TRAINING,
    victims: int = VICTIMS,
    *,
    whole: bool = False,
) -> list[Result]:
    """Run all of it; with its own settings when the ``whole`` is asked for."""
    path = clinic()
    results = []
    kinds: dict[str, Mapping[str, Any]] = {"in a hurry": HURRY}
    if whole:
        kinds["as it comes"] = {}
    for kind, settings in kinds.items():
        outcomes = []
        for seed in seeds:
            outcomes.append(attacked(path, settings, tuple(STRATEGIES), seed, questions, training, victims))
            print(seed, outcomes[-1], file=sys.stderr, flush=True)
        results += _rows(kind, outcomes)
    accuracies = [told(path, seed) for seed in seeds]
    results += [
        _row(f"what another sent: {name}", [one[name] for one in accuracies], "balanced accuracy", None)
        for name in accuracies[0]
    ]
    overall = [fmean(one.values()) for one in accuracies]
    results.append(_row("what another sent: all of these", overall, "balanced accuracy", BAR))
    results.append(
        Result(
            "COUNT on 100,000 rows, median of a kept connection",
            count_latency(path),
            "ms",
            COUNT_WITHIN,
            note=f"load {os.getloadavg()[0]:.1f}",
        )
    )
    return results


if __name__ == "__main__":
    small: dict[str, Any] = {"seeds": (1,), "questions": 500, "training": 12, "victims": 12}
    chosen = small if "--quick" in sys.argv else {}
    print(table("What time tells", run(**chosen, whole="--whole" in sys.argv)))
