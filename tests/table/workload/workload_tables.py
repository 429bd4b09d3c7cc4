"""Small tables with a target, made into cells the obvious way, and the first cut that is made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sfumato.core.domain import Domain
from sfumato.core.progress import SILENT
from sfumato.table.cells import Histogram
from sfumato.table.judge import Judge
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.methods.mondrian_columns import columns_of
from sfumato.table.methods.mondrian_rules import ranks_of
from sfumato.table.methods.workload_mondrian import WorkloadMondrian
from sfumato.table.methods.workload_mondrian_cuts import Table, cut_boxes
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem
from tests.table.mondrian_tables import Record, problem_of

TARGET = "target"


def problem_with(records: Sequence[Record], target: Sequence[Any], k: int, distinct: int = 1) -> Problem:
    """Count records and their targets; every class needs k records and so many different targets."""
    problem = problem_of(records, k)
    cells = problem.cells
    domain = Domain.of(TARGET, target)
    code_of = {value: code for code, value in enumerate(domain.values)}
    found: dict[Record, Counter[int]] = {}
    for record, value in zip(records, target, strict=True):
        found.setdefault(record, Counter())[code_of[value]] += 1
    entries = []
    for cell in cells.codes.T:
        record = tuple(d.values[code] for d, code in zip(cells.domains, cell, strict=True))
        entries.append(sorted(found[record].items()))
    histogram = Histogram(
        domain,
        (),
        ((),),
        np.cumsum([0, *map(len, entries)]).astype(np.int64),
        np.array([key for own in entries for key, _ in own], np.int64),
        np.array([count for own in entries for _, count in own], np.int64),
    )
    rules = problem.rules
    if distinct > 1:
        rules = (*rules, Rule(RuleKind.DISTINCT, (distinct,), True, TARGET))
    return replace(problem, cells=replace(cells, histograms=(histogram,)), rules=rules)


@dataclass(frozen=True)
class FirstCut:
    """The records on the left and on the right, by their places; the column, whether the task gained."""

    left: list[int]
    right: list[int]
    column: int
    gained: bool


def first_cut(method: WorkloadMondrian, problem: Problem, records: Sequence[Record]) -> FirstCut | None:
    """Make the first cut of a table, or return None when none is allowed."""
    judge = Judge.of(problem)
    columns = columns_of(problem, hierarchical=method.output == "hierarchy")
    orders = ranks_of(columns, problem.cells)
    aim = method.aim(problem.cells, columns, orders)
    table = Table.of(judge, home_persons(problem.cells), columns, orders, aim)
    found = table.cut(0, len(problem.cells))
    if found is None:
        boxes, _ = cut_boxes(table, orders, SILENT)
        assert len(boxes) == 1
        return None
    middle, column, gained = found
    domains, codes = problem.cells.domains, problem.cells.codes
    lefts = {
        tuple(d.values[code] for d, code in zip(domains, codes[:, cell], strict=True))
        for cell in table.records[:middle, -1]
    }
    places = range(len(records))
    return FirstCut(
        [i for i in places if records[i] in lefts],
        [i for i in places if records[i] not in lefts],
        column,
        gained,
    )
