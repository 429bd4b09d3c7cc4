"""Adult at k = 10: the order of the methods in the literature, measured from the records alone."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest

from sfumato.table.methods.clustering import BottomUp, TopDown
from sfumato.table.methods.mondrian import Mondrian
from tests.oracles.mondrian import certainty_penalty
from tests.table.mondrian_tables import Record, boxes_of, problem_of

K = 10


@pytest.mark.golden
@pytest.mark.slow
def test_bottom_up_loses_less_than_top_down_and_that_less_than_median_cuts(shared: Path) -> None:
    folder = shared / "data" / "table" / "adult"
    with gzip.open(folder / "adult.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    names = [name for name in rows[0] if name != "salary-class"]
    records: list[Record] = [tuple(int(r[n]) if n == "age" else r[n] for n in names) for r in rows]
    numbers = [name == "age" for name in names]
    values = [{record[j] for record in records} for j in range(len(names))]
    sizes = [max(v) - min(v) if number else len(v) for v, number in zip(values, numbers, strict=True)]
    problem = problem_of(records, K)
    losses = {}
    methods: dict[str, Any] = {
        "bottom-up": BottomUp(),
        "top-down": TopDown(),
        "median": Mondrian(),
        "plain top-down": TopDown(rounds=0),
        "least loss": Mondrian(choose="least loss"),
    }
    for name, method in methods.items():
        boxes = boxes_of(method.search(problem), records)
        assert min(map(len, boxes)) >= K
        losses[name] = certainty_penalty(boxes, sizes, numbers)
    assert losses["bottom-up"] <= losses["top-down"] <= losses["median"]
    assert losses["plain top-down"] <= losses["median"]
    assert losses["top-down"] <= losses["least loss"]
