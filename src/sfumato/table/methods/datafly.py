"""Datafly: generalise the column with most values until few records stand out, and drop those.

L. Sweeney, "Guaranteeing anonymity when sharing medical data, the Datafly system" (1997); "Achieving
k-anonymity privacy protection using generalization and suppression" (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.judge import Judge
from sfumato.table.left_out import LeftOut, depends
from sfumato.table.methods.full_domain import Generalisation, ladders_of
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class Datafly:
    """A baseline: the first heuristic for full-domain generalisation.

    While more rows than allowed lie in classes that break a rule, the column that shows the most different
    values is generalised by one level; of equal ones the first. Then the rows that still break a rule
    are suppressed. Allowed are ⌊suppress · rows⌋ rows, or k rows as in the paper when ``suppress`` is
    not given. It looks at no measure of loss and usually generalises too much: OptimalLattice is never
    worse and on most tables as fast.

    >>> Datafly()
    Datafly(suppress=None)
    """

    suppress: float | None = None
    name: ClassVar[str] = "datafly"
    needs_hierarchies: ClassVar[bool] = True
    classes_overlap: ClassVar[bool] = False
    judges_sizes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        OptimalLattice(self.suppress or 0.0)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Climb until few rows break a rule."""
        ladders = ladders_of(problem, self.name)
        judge = Judge.of(problem)
        layout = Layout.of(problem.cells, ladders)
        rows = problem.cells.total_rows
        limit = (
            judge.smallest if self.suppress is None else OptimalLattice(self.suppress).most_suppressed(rows)
        )
        left_out = LeftOut(problem, limit) if depends(problem) else None
        levels = np.zeros(len(ladders), np.int64)
        progress.step("generalising the column with most values")
        steps = 0
        while True:
            found = Generalisation.of(layout, levels, judge, left_out)
            if found.fits(limit):
                break
            open_columns = [j for j, ladder in enumerate(ladders) if levels[j] < ladder.height]
            if not open_columns:
                raise PromiseNotMet(
                    f"even the most general levels leave {found.suppressed} of {rows} rows in classes that "
                    f"break a rule, and {limit} may be suppressed",
                    remedy="allow more suppression, or relax the models",
                )
            values = [_values(problem, ladder, j, int(levels[j])) for j, ladder in enumerate(ladders)]
            levels[max(open_columns, key=lambda j: values[j])] += 1
            steps += 1
        return found.solution(
            utility, {"steps": steps, "suppressed_rows": found.suppressed, "suppression_limit": limit}
        )


def _values(problem: Problem, ladder: Ladder, j: int, level: int) -> int:
    """Count the different values that a column shows at a level."""
    shown: NDArray[np.int32] = ladder.rungs[level][problem.cells.codes[j]]
    return len(np.unique(shown))
