"""Workload-aware Mondrian: boxes that keep what a known analysis needs.

K. LeFevre, D. DeWitt and R. Ramakrishnan, "Workload-aware anonymization" (KDD 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.table.cells import Cells, Histogram
from sfumato.table.judge import Judge
from sfumato.table.methods.mondrian import Output, home_persons, merge_equal
from sfumato.table.methods.mondrian_boxes import Boxes, generalised, region, tight
from sfumato.table.methods.mondrian_columns import Column, columns_of
from sfumato.table.methods.mondrian_rules import ranks_of, refuse_the_hopeless, taken_back
from sfumato.table.methods.workload_mondrian_aim import Aim, aim_at_classes, aim_at_numbers, aim_at_regions
from sfumato.table.methods.workload_mondrian_cuts import Table, cut_boxes
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

Task = Literal["classification", "regression", "queries"]

_MOST_PERSONS = 2**31 - 1


@dataclass(frozen=True)
class WorkloadMondrian:
    """Mondrian whose cuts are chosen for a task that is known beforehand.

    All cells begin in one box. A box P is cut into L and R, both of which satisfy every rule, where the
    task gains most:

    - *classification*: the information about the ``target``, n_P·H(P) − n_L·H(L) − n_R·H(R) with
      H(B) = −Σ_v p_v ln p_v over its values in box B;
    - *regression*: the variance of the ``target``, n_P·Var(P) − n_L·Var(L) − n_R·Var(R);
    - *queries*: along an edge of a query's region that cuts the box, the fall of
      Σ_q n_q·(1 − n_q/n) / N_q², where n_q of the n records of the box, and N_q of all, are in region q:
      a box that lies inside a region, or outside, answers the query exactly.

    Where no allowed cut gains, the one that leaves the least loss is made, as Mondrian's ``least loss``:
    boxes stay small. Nothing is suppressed, boxes do not overlap.

    **Columns.** Numbers and dates are cut along their axis (missing stands behind the largest value),
    hierarchies between the children of the lowest common node. Values without an order are sorted by
    their share of the box's largest class, or by the mean of the target, and cut along that order; for
    two classes and for numbers the best of all divisions is among these cuts (L. Breiman et al.,
    "Classification and regression trees", 1984). Under ``queries`` the values that a query asks for are
    parted from the others.

    Only quasi-identifiers can be asked about in ``queries``: the other columns are released as they are.
    ``output`` as for Mondrian.

    It protects from what the rules promise, no more. A sensitive target makes classes *purer* in it, so
    that more is learned about each person: put an attribute model (l-diversity, t-closeness) beside it.

    >>> WorkloadMondrian("salary")
    WorkloadMondrian(target='salary', task='classification', queries=(), output='tight')
    """

    target: str | None = None
    task: Task = "classification"
    queries: tuple[str, ...] = ()
    output: Output = "tight"
    name: ClassVar[str] = "workload-mondrian"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, value, known in (
            ("task", self.task, get_args(Task)),
            ("output", self.output, get_args(Output)),
        ):
            if value not in known:
                raise BadInput(f"{self.name} knows no {name} '{value}'", remedy=nearest(str(value), known))
        given: object = self.queries
        if isinstance(given, str):
            raise BadInput("queries must be a list of texts", where=self.name, remedy="write them in a list")
        if self.task == "queries":
            if not self.queries or self.target is not None:
                raise BadInput(
                    "task 'queries' takes a list of queries and no target",
                    where=self.name,
                    remedy="""for example queries: ["age between 30 and 40 and sex = 'F'"]""",
                )
        elif not self.target or self.queries:
            raise BadInput(
                f"task '{self.task}' takes a target and no queries",
                where=self.name,
                remedy="name the column to be predicted as 'target', or set 'task: queries'",
            )

    @property
    def watches(self) -> tuple[str, ...]:
        """The columns whose values must be counted in every cell."""
        return () if self.target is None else (self.target,)

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Partition the cells for the task, whatever the ``utility``."""
        cells = problem.cells
        if not cells.domains:
            raise BadInput("Mondrian needs a quasi-identifier to cut along", remedy="declare one")
        judge = Judge.of(problem)
        persons = home_persons(cells)
        total = int(persons.sum())
        if total < judge.least_persons:
            raise PromiseNotMet(
                f"every class needs {judge.least_persons} persons and the data have {total}",
                remedy="lower k or add data",
            )
        if total > _MOST_PERSONS:
            raise BadInput(f"Mondrian counts up to {_MOST_PERSONS} persons and the data have {total}")
        refuse_the_hopeless(judge)
        columns = columns_of(problem, hierarchical=self.output == "hierarchy")
        orders = ranks_of(columns, cells)
        aim = self.aim(cells, columns, orders)
        progress.step("cutting boxes")
        boxes, steered = cut_boxes(Table.of(judge, persons, columns, orders, aim), orders, progress)
        progress.step("describing boxes")
        while True:
            solution = self._show(cells, columns, boxes, steered)
            broken = np.flatnonzero(~judge.satisfied(solution.classes, solution.boxes.shape[1]))
            if not len(broken):
                return solution
            shown = solution.classes[boxes.records[boxes.starts[:-1], -1]]
            boxes = taken_back(boxes, np.flatnonzero(np.isin(shown, broken)))

    def aim(self, cells: Cells, columns: Sequence[Column], orders: Sequence[NDArray[np.int64]]) -> Aim:
        """Say what is to be told apart."""
        if self.task == "queries":
            # Reading SQL is paid for only when there is some.
            from sfumato.table.methods.workload_mondrian_queries import regions_of

            return aim_at_regions(cells, columns, orders, regions_of(self.queries, cells.domains))
        histogram = self._histogram(cells)
        return aim_at_classes(histogram) if self.task == "classification" else aim_at_numbers(histogram)

    def _histogram(self, cells: Cells) -> Histogram:
        assert self.target is not None
        try:
            return cells.histogram(self.target)
        except KeyError:
            raise BadInput(
                "the values of the target were not counted",
                where=f"column '{self.target}'",
                remedy="name a sensitive or insensitive column of the table",
            ) from None

    def _show(self, cells: Cells, columns: Sequence[Column], boxes: Boxes, steered: int) -> Solution:
        """Describe the boxes; those that would show the same become one class."""
        parts = []
        for j, column in enumerate(columns):
            of_region = self.output == "region" and column.ladder is None
            described = region(boxes, j, column) if of_region else tight(boxes, j, column)
            parts.append(generalised(column, described, of_region=of_region, overlapping=False))
        shown = np.array([of_box for _, of_box in parts], np.int32)
        kept, merged = merge_equal(shown)
        classes = np.empty(len(cells), np.int32)
        classes[boxes.records[:, -1]] = np.repeat(merged, np.diff(boxes.starts))
        return Solution(
            cells=cells,
            classes=classes,
            boxes=np.ascontiguousarray(shown[:, kept]),
            columns=tuple(column for column, _ in parts),
            details={"boxes": len(kept), "splits": len(boxes.splits), "steered": steered},
        )
