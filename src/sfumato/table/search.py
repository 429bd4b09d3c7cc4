"""A search whose promise is about the table that is released, not about the one that was searched.

Some models compare a class with the whole table (t-closeness, β-likeness, δ-disclosure). When records
are suppressed, the whole table is another one afterwards, and the promise must hold in that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import Progress
from sfumato.table.cells import Histogram
from sfumato.table.judge import Judge
from sfumato.table.rule import RuleKind
from sfumato.table.solution import SUPPRESSED, Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

ROUNDS = 6
_COMPARING = frozenset(
    {
        RuleKind.CLOSE_EQUAL,
        RuleKind.CLOSE_ORDERED,
        RuleKind.CLOSE_NUMERIC,
        RuleKind.CLOSE_HIERARCHICAL,
        RuleKind.LIKENESS,
        RuleKind.LIKENESS_ENHANCED,
        RuleKind.DISCLOSURE,
    }
)


class Searching(Protocol):
    """The part of a method that is needed here."""

    def search(self, problem: Problem, utility: Utility, *, progress: Progress) -> Solution:
        """Decide on a class for every cell."""


def searched(method: Searching, problem: Problem, utility: Utility, progress: Progress) -> Solution:
    """Search until what is kept satisfies the rules as measured against what is kept."""
    solution = method.search(problem, utility, progress=progress)
    columns = {rule.column for rule in problem.rules if rule.kind in _COMPARING and rule.column}
    for _ in range(ROUNDS):
        if not columns or not (solution.cells.rows[solution.classes == SUPPRESSED] > 0).any():
            return solution
        kept = solution.classes != SUPPRESSED
        bases = {h.domain.name: _base(h, kept) for h in problem.cells.histograms if h.domain.name in columns}
        problem = replace(problem, bases=bases)
        number = solution.boxes.shape[1]
        if Judge.of(problem).satisfied(solution.classes, number).all():
            return solution
        solution = method.search(problem, utility, progress=progress)
    raise PromiseNotMet(
        "leaving records out changes the whole table that classes are compared with, and no choice of "
        "them was found that fits both",
        remedy="lower the limit for suppression (0 always fits), or relax the model",
    )


def _base(histogram: Histogram, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the persons of every value in the cells that are kept."""
    values = len(histogram.domain)
    inside = np.repeat(kept, np.diff(histogram.starts))
    counted = np.zeros(values, np.int64)
    np.add.at(counted, histogram.keys[inside] % values, histogram.persons[inside])
    return counted
