"""Mondrian on Adult: the loss that other tools reach, measured from the records alone."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from sfumato.table.methods.mondrian import Choice, Mondrian
from tests.oracles.mondrian import certainty_penalty
from tests.table.mondrian_tables import Record, boxes_of, problem_of

LOWEST_OF_OTHER_TOOLS = {5: 0.046, 10: 0.081, 50: 0.190}


@pytest.fixture(scope="module")
def adult(shared: Path) -> tuple[list[Record], list[int], list[bool]]:
    """The records (age is a number), the size of each column, and which of them are numbers."""
    folder = shared / "data" / "table" / "adult"
    with gzip.open(folder / "adult.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    names = [name for name in rows[0] if name != "salary-class"]
    records: list[Record] = [
        tuple(int(row[name]) if name == "age" else row[name] for name in names) for row in rows
    ]
    sizes = []
    for j, name in enumerate(names):
        with gzip.open(
            folder / "hierarchies" / f"adult_hierarchy_{name}.csv.gz", "rt", encoding="utf-8"
        ) as file:
            leaves = sum(1 for line in file if line.strip())
        ages = [record[j] for record in records]
        sizes.append(max(ages) - min(ages) if name == "age" else leaves)
    return records, sizes, [name == "age" for name in names]


@pytest.mark.golden
@pytest.mark.parametrize("choose", ["widest", "least loss"])
@pytest.mark.parametrize("k", LOWEST_OF_OTHER_TOOLS)
def test_adult_loses_no_more_than_with_the_best_of_other_tools(
    adult: tuple[list[Record], list[int], list[bool]], k: int, choose: Choice
) -> None:
    records, sizes, numbers = adult
    solution = Mondrian(choose=choose).search(problem_of(records, k))
    boxes = boxes_of(solution, records)
    assert min(map(len, boxes)) >= k
    assert certainty_penalty(boxes, sizes, numbers) <= LOWEST_OF_OTHER_TOOLS[k]
