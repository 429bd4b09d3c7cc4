"""Tables for the tests of Mondrian, made into cells the obvious way."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells, Spans
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem, Solution

Record = tuple[Any, ...]

NUMBERS = st.none() | st.integers(-3, 6)
FRACTIONS = st.sampled_from([-1.5, 0.25, 0.5, 2.0, 7.75])
DAYS = st.none() | st.dates(dt.date(2020, 1, 28), dt.date(2020, 2, 3))
NAMES = st.none() | st.sampled_from(["A", "B", "a, b", "{x}", "back\\slash", "[1-2]", "*"])
LEAVES = st.sampled_from(["p", "q", "r", "s", "t"])
PATHS: dict[Any, tuple[str, ...]] = {
    "p": ("*", "left", "p"),
    "q": ("*", "left", "q"),
    "r": ("*", "right", "r"),
    "s": ("*", "right", "s"),
    "t": ("*", "right", "t"),
}

tables = st.lists(st.sampled_from([NUMBERS, FRACTIONS, DAYS, NAMES, LEAVES]), min_size=1, max_size=3).flatmap(
    lambda columns: st.lists(st.tuples(*columns), min_size=1, max_size=40)
)


def cells_of(records: Sequence[Record], people: Sequence[int] | None = None) -> Cells:
    """Group equal records; without ``people`` every record is a person of its own."""
    groups: dict[Record, list[int]] = defaultdict(list)
    for row, record in enumerate(records):
        groups[record].append(row if people is None else people[row])
    domains = tuple(
        Domain.of(f"column {j}", [record[j] for record in groups]) for j in range(len(records[0]))
    )
    codes = np.array(
        [[d.values.index(record[j]) for record in groups] for j, d in enumerate(domains)], np.int32
    )
    rows = np.array([len(who) for who in groups.values()], np.int64)
    if people is None:
        return Cells(domains, codes, rows, rows)
    persons = np.array([len(set(who)) for who in groups.values()], np.int64)
    where = defaultdict(list)
    for cell, who in enumerate(groups.values()):
        for person in sorted(set(who)):
            where[person].append(cell)
    several = [found for found in where.values() if len(found) > 1]
    spans = Spans(
        np.cumsum([0, *map(len, several)]).astype(np.int64),
        np.array([c for s in several for c in s], np.int64),
    )
    return Cells(domains, codes, rows, persons, spans if several else None)


def paths_of(domain: Domain) -> dict[Any, tuple[str, ...]] | None:
    """The hierarchy of a column, if it is the one of LEAVES."""
    return PATHS if set(domain.values) <= set(PATHS) else None


def ladder_of(domain: Domain) -> Ladder | None:
    """Lay PATHS over a column of LEAVES."""
    if paths_of(domain) is None:
        return None
    labels = [sorted({path[2 - level] for path in PATHS.values()}) for level in range(3)]
    rungs = [[labels[level].index(PATHS[v][2 - level]) for v in domain.values] for level in range(3)]
    leaves = [
        np.array([sum(path[2 - level] == label for path in PATHS.values()) for label in labels[level]], float)
        for level in range(3)
    ]
    return Ladder(
        domain.name, np.array(rungs, np.int32), tuple(map(tuple, labels)), tuple(leaves), len(PATHS)
    )


def problem_of(records: Sequence[Record], k: int, people: Sequence[int] | None = None) -> Problem:
    cells = cells_of(records, people)
    ladders = tuple(map(ladder_of, cells.domains))
    return Problem(cells, ladders, (Rule(RuleKind.MIN_PERSONS, (k,), True),))


def classes_of_records(solution: Solution, records: Sequence[Record]) -> list[int]:
    """The class of each record."""
    cells = solution.cells
    found = {
        tuple(d.values[code] for d, code in zip(cells.domains, cells.codes[:, c], strict=True)): c
        for c in range(len(cells))
    }
    return [int(solution.classes[found[record]]) for record in records]


def labels_of(solution: Solution, box: int) -> tuple[str | None, ...]:
    """What a class publishes."""
    return tuple(column.labels[solution.boxes[j, box]] for j, column in enumerate(solution.columns))


def published(solution: Solution, records: Sequence[Record]) -> list[tuple[str | None, ...]]:
    """What is published for each record."""
    return [labels_of(solution, box) for box in classes_of_records(solution, records)]


def boxes_of(solution: Solution, records: Sequence[Record]) -> list[list[Record]]:
    """The records of each class."""
    boxes: list[list[Record]] = [[] for _ in range(solution.boxes.shape[1])]
    for record, box in zip(records, classes_of_records(solution, records), strict=True):
        boxes[box].append(record)
    return boxes
