"""Local recoding and local suppression: CPU seconds beside ARX 3.9.2 and sdcMicro 5.8.1 as recorded.

    python -m benchmarks.local

Reads the tables from the neighbour folder ``shared`` and says so when it is not there. What is kept stands
in the notes; the tests hold it against the recorded figures.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.core.domain import Domain
from sfumato.table.cells import Cells
from sfumato.table.methods.local_recoding import LocalRecoding
from sfumato.table.methods.local_suppression import LocalSuppression
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from sfumato.table.utility.loss import Loss
from sfumato.table.utility.measures import loss_metric
from tests.oracles.arx_tables import case_of

RECODING = [
    # name, a golden case with the same table, k, bar in seconds, ARX's seconds, its mean granularity
    ("Adult, 9 columns, k=2", "adult9_k2_s0.0_loss", 2, 1.0, 2.103, 0.9658),
    ("Adult, 9 columns, k=5", "adult9_k2_s0.0_loss", 5, 1.0, 6.870, 0.9323),
    ("Adult, 9 columns, k=10", "adult9_k2_s0.0_loss", 10, 1.0, 7.808, 0.9052),
    ("Adult, 9 columns, k=100", "adult9_k2_s0.0_loss", 100, 1.0, 25.831, 0.7777),
    ("FARS, 8 columns, k=5", "fars8_k5_s0.0_loss", 5, None, 7.185, 0.9104),
    ("CUP, 8 columns, k=5", "cup8_k5_s0.0_loss", 5, None, 67.849, 0.9246),
]
TEST_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
ADULT_KEYS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
)


def run() -> list[Result]:
    """Measure every table; the list is empty when the tables are not there."""
    path = SHARED / "golden" / "table-arx.json"
    if not path.is_file():
        print("the golden tables are not there (../shared): nothing local was measured", file=sys.stderr)
        return []
    return recoding() + suppression()


def recoding() -> list[Result]:
    """Measure local recoding, the search for the optimal node included."""
    path = SHARED / "golden" / "table-arx.json"
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))["cases"]}
    found = []
    for work, case, k, bar, arx, granularity in RECODING:
        cells, ladders = case_of(SHARED, cases[case])
        problem = Problem(cells, ladders, _k_persons(k))
        kept = 1 - loss_metric(LocalRecoding().search(problem, Loss()))
        seconds = cpu_seconds(lambda problem=problem: LocalRecoding().search(problem, Loss()))
        note = f"mean granularity {kept:.4f}, ARX {granularity:.4f}"
        found.append(
            Result(f"local recoding, {work}", seconds, "s CPU", bar, "ARX 3.9.2 (recorded)", arx, note)
        )
    return found


def suppression() -> list[Result]:
    """Measure local suppression in the wildcard reading."""
    folder = SHARED / "data" / "table"
    with (folder / "sdcmicro" / "testdata.csv").open(newline="") as file:
        small = [tuple(row[key] for key in TEST_KEYS) for row in csv.DictReader(file)]
    with gzip.open(folder / "adult" / "adult.csv.gz", "rt", newline="") as file:
        adult = [
            tuple(str(int(row[key]) // 5) if key == "age" else row[key] for key in ADULT_KEYS)
            for row in csv.DictReader(file, delimiter=";")
        ]
    work = [
        ("testdata, 7 keys, k=2", small, 2, 0.5, 0.55, 157),
        ("testdata, 7 keys, k=3", small, 3, 0.5, 1.16, 293),
        ("testdata, 7 keys, k=5", small, 5, 0.5, 2.57, 500),
        ("Adult, 8 keys, k=5", adult, 5, 10.0, None, None),
    ]
    found = []
    for name, records, k, bar, theirs, values in work:
        problem = _problem(records, k)
        method = LocalSuppression("wildcard")
        hidden = method.search(problem).details["suppressed_values"]
        seconds = cpu_seconds(lambda method=method, problem=problem: method.search(problem))
        peer = "sdcMicro 5.8.1 (recorded)" if theirs else "sdcMicro 5.8.1: unfinished after 154 s CPU"
        note = f"{hidden} values hidden" + (f", sdcMicro {values}" if values else "")
        found.append(Result(f"local suppression, {name}", seconds, "s CPU", bar, peer, theirs, note))
    return found


def _k_persons(k: int) -> tuple[Rule, ...]:
    return (Rule(RuleKind.MIN_PERSONS, (k,), True),)


def _problem(records: Sequence[tuple[str, ...]], k: int) -> Problem:
    counted = Counter(records)
    distinct = sorted(counted)
    domains = tuple(
        Domain.of(f"key {j}", {record[j] for record in distinct}) for j in range(len(distinct[0]))
    )
    code_of = [{value: code for code, value in enumerate(domain.values)} for domain in domains]
    codes = np.array([[of[record[j]] for record in distinct] for j, of in enumerate(code_of)], np.int32)
    rows = np.array([counted[record] for record in distinct], np.int64)
    return Problem(Cells(domains, codes, rows, rows), (None,) * len(domains), _k_persons(k))


if __name__ == "__main__":
    print(table("Local recoding and local suppression", run()))
