"""Partitioning first, clustering inside: blocks of cells that are clustered one after the other.

G. Loukides and J. Shao, "Preventing range disclosure in k-anonymised data" (Expert Systems with
Applications, 2011), partition before they cluster. A search inside a block never looks beyond it, so the
time grows with the number of cells, not with its square; clusters at the rims are a little wider.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.table.cells import Cells
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.solution import Problem


def blocks(problem: Problem, persons: NDArray[np.int64], k: int, most: int | None) -> list[NDArray[np.int64]]:
    """Part the cells into the boxes of a coarse Mondrian, each with k persons and up to ``most`` cells.

    Boxes that cannot be cut further may be larger.
    """
    cells = problem.cells
    if most is None or len(cells) <= most:
        return [np.arange(len(cells))]
    share = int(persons.sum()) * most // (2 * len(cells))
    rule = Rule(RuleKind.MIN_PERSONS, (max(k, share),), monotone=True)
    coarse = Cells(cells.domains, cells.codes, persons, persons)
    found = Mondrian(choose="least loss").search(Problem(coarse, problem.ladders, (rule,)))
    order = np.argsort(found.classes, kind="stable")
    begins = np.flatnonzero(np.diff(found.classes[order], prepend=-1))
    return [np.sort(block) for block in np.split(order, begins[1:])]
