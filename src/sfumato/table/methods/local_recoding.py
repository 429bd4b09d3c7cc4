"""Local recoding from the lattice: precise where many are alike, general only for those who stand out.

ARX (F. Prasser et al., 2020) solves the lattice again and again for the records that are still
suppressed; A. Meyerson and R. Williams (2004) and J. Xu et al. (2006) recode locally by clustering.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.judge import Judge
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.local_recoding_moves import move
from sfumato.table.methods.local_recoding_rest import house_the_rest
from sfumato.table.methods.local_recoding_split import split
from sfumato.table.methods.local_recoding_sweep import sweep
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.search import keeps_promises, released_bases
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class LocalRecoding:
    """Classes may show the same value at different levels of its hierarchy.

    First the optimal node of the lattice is found for the ``utility`` (full-domain generalisation). Then
    the nodes are visited anew from precise to general; at each node x, of the cells R that no earlier one
    released,

        release every class E of R at x that satisfies the rules.

    So a record is shown as precisely as enough others allow that are left by then. Each class shows the
    lowest nodes that its records have in common. Records that are left over join the class where all
    together lose least. Then classes are divided where all parts satisfy the rules; and under
    k-anonymity those that lose most dissolve, or give single records away, where that is better for
    all. The result is kept when it loses less than the optimal node by the loss metric,

        LM = mean over rows and columns of (leaves − 1) / (size − 1),  suppressed rows 1,

    and otherwise the classes of the optimal node are divided as far as the rules allow: it is never worse
    than the best full-domain generalisation with the same ``suppress``.

    It protects from what the rules protect from. Analysts must cope with values of several levels in
    one column. Persons with rows in several cells count in one of them only while the nodes are visited.

    >>> LocalRecoding(suppress=0.01)
    LocalRecoding(suppress=0.01, time_limit=None)
    """

    suppress: float = 0.0
    time_limit: float | None = None
    name: ClassVar[str] = "local-recoding"
    needs_hierarchies: ClassVar[bool] = True
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        OptimalLattice(self.suppress, self.time_limit)

    def search(self, problem: Problem, utility: Utility, *, progress: Progress = SILENT) -> Solution:
        """Return the local recoding of the cells."""
        lattice = OptimalLattice(self.suppress, self.time_limit)
        whole = lattice.search(problem, utility, progress=progress)
        ladders: tuple[Ladder, ...] = tuple(ladder for ladder in problem.ladders if ladder is not None)
        cells = problem.cells
        layout = Layout.of(cells, ladders)
        judge = Judge.of(problem)
        as_whole = judge
        compares = any(rule.as_released for rule in problem.rules)
        if compares:
            # Dividing classes leaves out nobody else: the released table stays that of the whole columns.
            as_whole = Judge.of(replace(problem, bases=released_bases(problem, whole)))
        progress.step("recoding locally")
        limit = lattice.most_suppressed(cells.total_rows)
        swept = sweep(layout, judge, progress)
        classes = house_the_rest(layout, judge, swept, limit)
        solution = None
        if classes is not None:
            classes, number = split(layout, judge, classes, int(classes.max(initial=-1)) + 1)
            solution = self._solution(layout, judge, move(layout, judge, classes, number), number)
            if compares and solution is not None and not keeps_promises(problem, solution):
                solution = None
        most = self._loss_of_whole(layout, whole)
        if solution is None or float(solution.details["loss"]) > most:
            parts, number = split(layout, as_whole, np.ascontiguousarray(whole.classes), whole.boxes.shape[1])
            solution = self._solution(layout, as_whole, parts, number)
        known = {"loss_of_whole_columns": most, "visited_nodes": swept.visited}
        if solution is None:
            # Everything is suppressed, or parts that show the same may not be merged: whole columns hold.
            return replace(whole, details={**whole.details, "loss": most, **known})
        return replace(solution, details={**solution.details, **known})

    def _solution(
        self, layout: Layout, judge: Judge, classes: NDArray[np.int32], number: int
    ) -> Solution | None:
        """Show the classes; None without any, or when some that show the same break the rules together."""
        if not number:
            return None
        closed = layout.close(classes, number)
        shown, boxes, columns = layout.show(classes, closed)
        count = int(boxes.shape[1])
        if not judge.satisfied(shown, count).all():
            return None
        loss = layout.loss(classes, closed)
        return Solution(layout.cells, shown, boxes, columns, details={"classes": count, "loss": loss})

    def _loss_of_whole(self, layout: Layout, whole: Solution) -> float:
        """Return the loss metric of the full-domain generalisation."""
        cost = np.zeros(whole.boxes.shape[1])
        for shown, column in zip(whole.boxes, whole.columns, strict=True):
            cost += (column.leaves[shown] - 1.0) / max(column.size - 1, 1)
        width = len(whole.columns)
        per_row = np.where(whole.classes >= 0, np.append(cost, 0.0)[whole.classes], width)
        return float((layout.cells.rows * per_row).sum() / (width * layout.cells.total_rows))
