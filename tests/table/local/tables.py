"""Rules and sensitive values for the tests of this folder."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.core.domain import Domain
from sfumato.table.cells import Cells, Histogram
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem, Solution

Record = tuple[Any, ...]


def persons_rule(k: int) -> tuple[Rule, ...]:
    """k persons in every class."""
    return (Rule(RuleKind.MIN_PERSONS, (k,), True),)


def histogram_of(
    records: Sequence[Record], domain: Domain, values: Sequence[Any], cells: Sequence[Record] | None = None
) -> Histogram:
    """Count the sensitive values of every cell; cells are the sorted distinct records unless given."""
    inside: dict[Record, Counter[Any]] = defaultdict(Counter)
    for record, value in zip(records, values, strict=True):
        inside[record][value] += 1
    starts, keys, persons = [0], [], []
    for cell in sorted(inside) if cells is None else cells:
        for value, count in inside[cell].items():
            keys.append(domain.values.index(value))
            persons.append(count)
        starts.append(len(keys))
    return Histogram(
        domain,
        (),
        ((),),
        np.array(starts, np.int64),
        np.array(keys, np.int64),
        np.array(persons, np.int64),
    )


def plain_problem(records: Sequence[Record], k: int) -> Problem:
    """Cells of raw values without hierarchies."""
    width = len(records[0])
    domains = tuple(Domain.of(f"column {j}", [record[j] for record in records]) for j in range(width))
    distinct = sorted(set(records), key=repr)
    code_of = [{value: code for code, value in enumerate(domain.values)} for domain in domains]
    codes = np.array([[of[r[j]] for r in distinct] for j, of in enumerate(code_of)], np.int32)
    counted = Counter(records)
    rows = np.array([counted[record] for record in distinct], np.int64)
    return Problem(Cells(domains, codes, rows, rows), (None,) * width, persons_rule(k))


def shown_values(solution: Solution, records: Sequence[Record]) -> list[Record]:
    """What is published for each record."""
    cells = solution.cells
    cell_of = {
        tuple(d.values[code] for d, code in zip(cells.domains, cells.codes[:, c], strict=True)): c
        for c in range(len(cells))
    }
    return [
        tuple(
            column.labels[solution.boxes[j, solution.classes[cell_of[record]]]]
            for j, column in enumerate(solution.columns)
        )
        for record in records
    ]
