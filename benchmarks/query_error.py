"""How far off answers are: root mean square error on Adult at ε 0.1 and 1, beside theory and peers.

    python -m benchmarks.query_error

The exact numbers are computed once; the noise is drawn 10,000 times, with everything that is done to it
afterwards. Reads the neighbour folder ``shared`` and says so when it is not there. Peers as in
``benchmarks.query_latency``; SmartNoise with fewer repetitions, since one takes a tenth of a second, and its
mean at ε/2, since it charges twice what was asked.
"""

from __future__ import annotations

import csv
import gzip
import math
import os
import sys
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.query_latency import from_peer
from benchmarks.result import SHARED, Result, table
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import NoisePlan, plan
from sfumato.query.prepared import Prepared
from sfumato.query.run import exact, noisy
from sfumato.query.sql import understand

TIMES = 10_000
QUESTIONS = {
    "count": "SELECT COUNT(*) FROM adult",
    "groups": "SELECT edu, COUNT(*) FROM adult GROUP BY edu",
    "mean": "SELECT AVG(age) FROM adult",
    "median": "SELECT MEDIAN(age) FROM adult",
}
WORDS = {"count": "count", "groups": "16 groups", "mean": "mean of age", "median": "median of age"}
REPEATED = {"OpenDP": 10_000, "diffprivlib": 10_000, "SmartNoise SQL": 100}


def run() -> list[Result]:
    """Measure all questions at both ε; the list is empty when the table is not there."""
    path = SHARED / "data" / "table" / "adult" / "adult.csv.gz"
    if not path.is_file():
        print("the tables are not there (../shared): no error was measured", file=sys.stderr)
        return []
    with gzip.open(path, "rt", newline="") as file:
        rows = [(int(row["age"]), row["education"]) for row in csv.DictReader(file, delimiter=";")]
    levels = sorted({level for _, level in rows})
    ages, codes = np.array([age for age, _ in rows]), np.array([levels.index(level) for _, level in rows])
    found = []
    for epsilon in ("0.1", "1"):
        ours = {
            notion: _ours(ages, [level for _, level in rows], levels, epsilon, notion)
            for notion in Neighbours
        }
        found += _against_theory(ours[Neighbours.ADD_REMOVE], ages, float(epsilon))
        found += _against_peers(ours, ages, codes, epsilon)
    return found


def _ours(
    ages: np.ndarray, educations: list[str], levels: list[str], epsilon: str, notion: Neighbours
) -> dict[str, float]:
    columns = {
        "age": Column("age", Type.INTEGER, Fraction(17), Fraction(90)),
        "edu": Column("edu", Type.CATEGORY, values=tuple(levels)),
    }
    public = Metadata("adult", {"adult": Table("adult", columns, None, 1, 100_000)}, notion)
    prepared = Prepared.register(
        public, {"adult": pa.table({"age": ages, "edu": educations})}, secret=os.urandom(32)
    )
    truth = {
        "count": [len(ages)],
        "groups": [educations.count(level) for level in levels] + [0],
        "mean": [ages.mean()],
        "median": [np.median(ages)],
    }
    found = {}
    for name, sql in QUESTIONS.items():
        planned = plan(understand(sql, public), public, Price.pure(epsilon))
        answers = _answers(planned, prepared)
        found[name] = math.sqrt(np.mean((answers - np.array(truth[name])) ** 2))
    prepared.close()
    return found


def _answers(planned: NoisePlan, prepared: Prepared) -> np.ndarray:
    """Return many answers, one per row. Repetitions are drawn as if they were further groups."""
    held = exact(planned, prepared.cursor())
    keys = len(planned.question.keys)
    if held.numbers[0] is None:
        return np.array([[row[keys] for row in noisy(planned, held).rows] for _ in range(TIMES)], float)
    many = replace(held, groups=held.groups * TIMES, numbers=(np.tile(held.numbers[0], TIMES),))
    told = np.array([row[keys] for row in noisy(planned, many).rows], float)
    return told.reshape(TIMES, len(held.groups))


def _against_theory(ours: dict[str, float], ages: np.ndarray, epsilon: float) -> list[Result]:
    rows, noise = len(ages), _deviation(1 / epsilon)
    t = (ages.mean() - 17) / 73
    mean = 73 * _deviation(73 / epsilon) / 73 * math.sqrt(t**2 + (1 - t) ** 2) / rows
    # Half of ε for a sum over [17, 90] that is not centred, half for the count.
    uncentred = math.sqrt(2) * 2 / epsilon * math.hypot(90, ages.mean()) / rows
    unit = "RMSE"
    return [
        Result(f"count, ε {epsilon:g}", ours["count"], unit, 1.05 * noise, note=f"theory {noise:.4g}"),
        Result(f"16 groups, ε {epsilon:g}", ours["groups"], unit, 1.05 * noise, note=f"theory {noise:.4g}"),
        Result(f"mean of age, ε {epsilon:g}", ours["mean"], unit, 1.05 * mean, note=f"theory {mean:.4g}"),
        Result(
            f"mean of age, ε {epsilon:g}",
            ours["mean"],
            unit,
            0.6 * uncentred,
            note=f"0.6 × uncentred Laplace, {ours['mean'] / uncentred:.2f} ×",
        ),
        Result(f"median of age, ε {epsilon:g}", ours["median"], unit),
    ]


def _deviation(scale: float) -> float:
    """Return the standard deviation of discrete Laplace noise."""
    return 1 / (math.sqrt(2) * math.sinh(1 / (2 * scale)))


def _against_peers(
    ours: dict[Neighbours, dict[str, float]], ages: np.ndarray, codes: np.ndarray, epsilon: str
) -> list[Result]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "adult.csv"
        columns = np.stack([ages, codes], axis=1)
        np.savetxt(path, columns, fmt="%d", delimiter=",", header="age,edu", comments="")
        for peer, times in REPEATED.items():
            notion = Neighbours.SUBSTITUTION if peer == "diffprivlib" else Neighbours.ADD_REMOVE
            theirs = from_peer(peer, "error", str(path), epsilon, str(times))
            for name, figure in theirs.items():
                # A histogram of diffprivlib promises what ours promises for one person more or less.
                like = Neighbours.ADD_REMOVE if name in ("count", "groups") else notion
                found.append(
                    Result(
                        f"{WORDS[name]}, ε {epsilon}",
                        ours[like][name],
                        "RMSE",
                        peer=peer,
                        theirs=figure,
                        note=f"{like.in_words}; {times} answers of the peer at most",
                    )
                )
    return found


if __name__ == "__main__":
    print(table("Error of answers on Adult", run()))
