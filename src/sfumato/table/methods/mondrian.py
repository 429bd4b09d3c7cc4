"""Mondrian: cut the space of the quasi-identifiers into boxes of at least k persons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.table.cells import Cells
from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_mondrian import partition
from sfumato.table.methods._kernels_mondrian_rules import partition_judged
from sfumato.table.methods.mondrian_boxes import Boxes, generalised, region, tight
from sfumato.table.methods.mondrian_columns import Column, columns_of, desk_for, shape_of
from sfumato.table.methods.mondrian_rules import (
    ranked,
    ranks_of,
    refuse_the_hopeless,
    taken_back,
    watch_of,
)
from sfumato.table.solution import Problem, Solution

if TYPE_CHECKING:
    from sfumato.table.utility.contract import Utility

Output = Literal["tight", "region", "hierarchy"]
Choice = Literal["widest", "least loss"]

_CELLS_BETWEEN_REPORTS = 20_000_000
_CELLS_PER_COPY = 8192
_MOST_PERSONS = 2**31 - 1


@dataclass(frozen=True)
class Mondrian:
    """LeFevre, DeWitt and Ramakrishnan, "Mondrian multidimensional k-anonymity" (ICDE 2006).

    All cells begin in one box. A box P is cut along one column into L and R near the median,

        persons(L) ≥ k  and  persons(R) ≥ k,

    and the halves are cut in turn until no column has such a cut. Nothing is suppressed. Under other
    rules both halves must satisfy them all; where the median cut breaks one, cuts further out are tried.
    Which column:
    the *widest* by its normalised certainty penalty in the box (range/span of an axis, values/size of a
    set), ties going to the larger domain, as in the paper; or the one whose cut leaves the *least loss*,
    persons(L) · Σ width(L) + persons(R) · Σ width(R), which costs more and keeps more.

    **Columns.** Numbers and dates are cut along their axis; missing is set apart first when k persons
    allow it, else it stands behind the largest value. Categories are unordered sets: common values are
    parted from the rare ones, and any division of the values is an allowable cut.

    ``strict``: records with the same value in the cut column stay together, so boxes never overlap.
    Relaxed, a box that cannot be cut so is halved by dividing the cells with the median value: more and
    smaller boxes, which may overlap. A relaxed partition refines the strict one and never loses more.
    Identical records stay together in both: a cell is never divided.

    ``output``: *tight* publishes the range or the set of the values that are in the box, *region* the
    bounds that the cuts drew, *hierarchy* the lowest common node of the column's hierarchy; the box is
    then cut between the children of that node (columns without a hierarchy are published tight). A
    hierarchy that hides values outside it is always followed, whatever the output.

    Persons with rows in several cells count in one of them only; so no box has fewer than k persons.

    >>> Mondrian(strict=False)
    Mondrian(strict=False, output='tight', choose='widest')
    """

    strict: bool = True
    output: Output = "tight"
    choose: Choice = "widest"
    name: ClassVar[str] = "mondrian"
    needs_hierarchies: ClassVar[bool] = False

    @property
    def classes_overlap(self) -> bool:
        """Whether a value may lie in the boxes of several classes."""
        return not self.strict

    def __post_init__(self) -> None:
        for name, value, known in (
            ("output", self.output, get_args(Output)),
            ("choose", self.choose, get_args(Choice)),
        ):
            if value not in known:
                raise BadInput(f"Mondrian knows no {name} '{value}'", remedy=nearest(str(value), known))

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Partition the cells. The cuts aim at low certainty penalty, whatever the ``utility``."""
        if not problem.cells.domains:
            raise BadInput("Mondrian needs a quasi-identifier to cut along", remedy="declare one")
        judge = Judge.of(problem)
        k = judge.smallest if judge.counts_persons_only else judge.least_persons
        persons = home_persons(problem.cells)
        total = int(persons.sum())
        if total < k:
            raise PromiseNotMet(
                f"every class needs {k} persons and the data have {total}",
                remedy="lower k or add data",
            )
        if total > _MOST_PERSONS:
            raise BadInput(f"Mondrian counts up to {_MOST_PERSONS} persons and the data have {total}")
        columns = columns_of(problem, hierarchical=self.output == "hierarchy")
        progress.step("cutting boxes")
        if judge.counts_persons_only:
            boxes = self._cut(problem.cells, persons, k, columns, progress)
            progress.step("describing boxes")
            return self._show(problem.cells, columns, boxes)
        refuse_the_hopeless(judge)
        boxes = self._cut_judged(judge, persons, columns, progress)
        progress.step("describing boxes")
        while True:
            solution = self._show(problem.cells, columns, boxes)
            number = solution.boxes.shape[1]
            broken = np.flatnonzero(~judge.satisfied(solution.classes, number))
            if not len(broken):
                return solution
            shown = solution.classes[boxes.records[boxes.starts[:-1], -1]]
            boxes = taken_back(boxes, np.flatnonzero(np.isin(shown, broken)))

    def _cut(
        self,
        cells: Cells,
        persons: NDArray[np.int64],
        k: int,
        columns: tuple[Column, ...],
        progress: Progress,
    ) -> Boxes:
        width = len(columns)
        total = int(persons.sum())
        records = np.empty((len(cells), width + 2), np.int32)
        for begin in range(0, len(cells), _CELLS_PER_COPY):
            some = slice(begin, begin + _CELLS_PER_COPY)
            records[some, :width] = cells.codes[:, some].T
        records[:, width] = persons
        records[:, width + 1] = np.arange(len(cells), dtype=np.int32)
        shape = shape_of(columns)
        desk = desk_for(shape, k, total)
        most = min(len(cells), total // k)
        starts = np.zeros(most + 1, np.int64)
        splits = np.zeros((most, 4), np.int64)
        stack = np.zeros((len(cells).bit_length() + 3, width + 4), np.int64)
        stack[0] = [0, len(cells), total, width, *range(width)]
        state = np.array([1, 0, 0, 0], np.int64)
        while state[0]:
            partition(
                records,
                shape,
                desk,
                k,
                not self.strict,
                self.choose == "least loss",
                stack,
                state,
                starts,
                splits,
                _CELLS_BETWEEN_REPORTS,
            )
            progress.update(state[3] / len(cells))
        found = int(state[1])
        starts[:found].sort()
        starts[found] = len(cells)
        return Boxes(records, starts[: found + 1], splits[: found - 1])

    def _cut_judged(
        self, judge: Judge, persons: NDArray[np.int64], columns: tuple[Column, ...], progress: Progress
    ) -> Boxes:
        """Cut where both halves satisfy all rules. Records hold ranks meanwhile."""
        cells, width = judge.cells, len(columns)
        k = judge.least_persons if not cells.rows_are_persons else max(judge.least_persons, judge.least_rows)
        orders = ranks_of(columns, cells)
        records = np.empty((len(cells), width + 2), np.int32)
        for j, order in enumerate(orders):
            rank = np.empty(len(order), np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            records[:, j] = rank[cells.codes[j]]
        records[:, width] = persons
        records[:, width + 1] = np.arange(len(cells), dtype=np.int32)
        shape, watch = ranked(columns, orders), watch_of(judge, columns)
        total = int(persons.sum())
        starts = np.zeros(len(cells) + 1, np.int64)
        splits = np.zeros((len(cells), 4), np.int64)
        stack = np.zeros((len(cells).bit_length() + 3, width + 4), np.int64)
        stack[0] = [0, len(cells), total, width, *range(width)]
        state = np.array([1, 0, 0, 0], np.int64)
        while state[0]:
            partition_judged(
                records,
                shape,
                watch,
                k,
                not self.strict,
                self.choose == "least loss",
                stack,
                state,
                starts,
                splits,
                _CELLS_BETWEEN_REPORTS // 100,
            )
            progress.update(state[3] / len(cells))
        found = int(state[1])
        starts[:found].sort()
        starts[found] = len(cells)
        for j, order in enumerate(orders):
            records[:, j] = order[records[:, j]]
        return Boxes(records, starts[: found + 1], splits[: found - 1])

    def _show(self, cells: Cells, columns: tuple[Column, ...], boxes: Boxes) -> Solution:
        """Describe the boxes; those that would show the same become one class."""
        parts = []
        for j, column in enumerate(columns):
            of_region = self.output == "region" and column.ladder is None
            described = region(boxes, j, column) if of_region else tight(boxes, j, column)
            parts.append(generalised(column, described, of_region=of_region, overlapping=not self.strict))
        shown = np.array([of_box for _, of_box in parts], np.int32)
        kept = merged = np.arange(len(boxes), dtype=np.int64)
        if not self.strict or any(column.ladder is not None for column in columns):
            kept, merged = merge_equal(shown)
        classes = np.empty(len(cells), np.int32)
        classes[boxes.records[:, -1]] = np.repeat(merged, np.diff(boxes.starts))
        return Solution(
            cells=cells,
            classes=classes,
            boxes=np.ascontiguousarray(shown[:, kept]),
            columns=tuple(column for column, _ in parts),
            details={"boxes": len(kept), "splits": len(boxes.splits)},
        )


def merge_equal(shown: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the different columns of a matrix; return where each comes first, and the number of each.

    >>> merge_equal(np.array([[0, 1, 0], [5, 5, 5]], np.int32))
    (array([0, 1]), array([0, 1, 0]))
    """
    number = np.zeros(shown.shape[1], np.int64)
    first = np.zeros(1, np.int64)
    for row in shown:
        _, first, number = np.unique(
            number * (int(row.max()) + 1) + row, return_index=True, return_inverse=True
        )
    return first, number


def home_persons(cells: Cells) -> NDArray[np.int64]:
    """Count every person in one cell only: the first of those that the person's rows lie in.

    A sum over cells is then never more than the number of distinct persons in them.
    """
    if cells.spans is None:
        return cells.persons
    elsewhere = np.ones(len(cells.spans.cells), np.bool_)
    elsewhere[cells.spans.starts[:-1]] = False
    return cells.persons - np.bincount(cells.spans.cells[elsewhere], minlength=len(cells))
