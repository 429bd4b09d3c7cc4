"""Local suppression: hide single values until everybody has k − 1 others alike.

P.-P. de Waal and L. Willenborg, "Optimal local suppression in microdata" (1998); M. Templ et al.,
"Statistical disclosure control for micro-data using the R package sdcMicro" (2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.table.judge import Judge
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.local_recoding_moves import move
from sfumato.table.methods.local_recoding_rest import house_the_rest
from sfumato.table.methods.local_recoding_split import split
from sfumato.table.methods.local_recoding_sweep import sweep
from sfumato.table.methods.local_suppression_wildcard import hidden_values
from sfumato.table.methods.mondrian import merge_equal
from sfumato.table.methods.suppression_ladders import suppression_ladders
from sfumato.table.solution import Problem, Solution
from sfumato.table.utility.contract import Utility

Missing = Literal["own", "wildcard"]

_MOST_WORK = 1_000_000_000
"""comparisons of two cells that are done at most; past them the wildcard reading hides as the other does"""


@dataclass(frozen=True)
class LocalSuppression:
    """Values are published as they are or not at all; records are never left out.

    What a hidden value counts as is up to ``missing``.

    *own*: missing is a value of its own, as everywhere in Sfumato. Records are alike when they show the same
    values and hide the same columns; every such class satisfies the rules.

    *wildcard*: a missing value agrees with every value, as in sdcMicro. For every record r

        f(r) = number of persons whose records agree with r in every column ≥ k.

    It hides much less and promises less: f counts records that hide so much that they agree with nearly
    everybody. So no record hides more here than it needs for itself: for each one that stands out the
    cheapest set of columns is hidden with which k persons agree, those first that bring most others
    over the threshold for their price. Afterwards values are shown again wherever nobody falls below k.
    Only k-anonymity can be read so.

    ``importance`` lists columns from the most important on: of n columns listed, a value of the first
    costs as much as n + 1 values of a column that is not listed, one of the second as n, and so on.

    ``up_to`` says how many of the quasi-identifiers an adversary knows at most: f is then taken over every
    choice of so many columns, not over all of them. It needs the wildcard reading.

    >>> LocalSuppression(missing="wildcard", importance=("age",))
    LocalSuppression(missing='wildcard', importance=('age',), up_to=None)
    """

    missing: Missing = "own"
    importance: tuple[str, ...] = ()
    up_to: int | None = None
    name: ClassVar[str] = "local-suppression"
    needs_hierarchies: ClassVar[bool] = False
    classes_overlap: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.missing not in get_args(Missing):
            raise BadInput(
                f"local suppression knows no reading '{self.missing}' of missing values",
                remedy=nearest(str(self.missing), get_args(Missing)),
            )
        object.__setattr__(self, "importance", tuple(self.importance))
        if len(set(self.importance)) < len(self.importance):
            raise BadInput("importance lists a column twice", remedy="list each column once")
        if self.up_to is not None and self.up_to < 1:
            raise BadInput("up_to must be at least 1", remedy="leave it out for all quasi-identifiers")
        if self.up_to is not None and self.missing == "own":
            raise BadInput(
                "up_to needs the wildcard reading of missing values", remedy="set 'missing: wildcard'"
            )

    def prices(self, names: tuple[str, ...]) -> tuple[float, ...]:
        """Return what a hidden value costs in each column."""
        for name in self.importance:
            if name not in names:
                raise BadInput(
                    f"'{name}' is listed under importance and is no quasi-identifier",
                    remedy=nearest(name, names),
                )
        listed = len(self.importance)
        return tuple(
            float(listed + 1 - self.importance.index(name)) if name in self.importance else 1.0
            for name in names
        )

    def search(
        self, problem: Problem, utility: Utility | None = None, *, progress: Progress = SILENT
    ) -> Solution:
        """Decide which values of each cell are hidden: few of them, whatever the ``utility``."""
        if not problem.cells.domains:
            raise BadInput("there is no quasi-identifier to suppress", remedy="give a column that role")
        judge = Judge.of(problem)
        persons = problem.cells.total_persons
        if judge.smallest > persons:
            raise PromiseNotMet(
                f"every class needs {judge.smallest} persons and the data have {persons}",
                remedy="lower k or add data",
            )
        layout = Layout.of(
            problem.cells, suppression_ladders(problem, None), self.prices(problem.cells.names)
        )
        progress.step("suppressing values")
        hidden = self._wildcard(layout, judge, progress) if self.missing == "wildcard" else None
        return _shown(layout, _in_classes(layout, judge, progress) if hidden is None else hidden)

    def _wildcard(self, layout: Layout, judge: Judge, progress: Progress) -> NDArray[np.bool_] | None:
        if not judge.counts_persons_only:
            raise BadInput(
                "the wildcard reading of missing values is for k-anonymity alone",
                remedy="set 'missing: own', or ask for k-anonymity only",
            )
        width = len(layout.ladders)
        together = width if self.up_to is None else min(self.up_to, width)
        return hidden_values(
            layout, judge.smallest, self.prices(layout.cells.names), together, _MOST_WORK, progress
        )


def _in_classes(layout: Layout, judge: Judge, progress: Progress) -> NDArray[np.bool_]:
    """Return what each cell hides so that cells with the same look satisfy the rules as classes."""
    classes = house_the_rest(layout, judge, sweep(layout, judge, progress), 0)
    if classes is None:
        raise PromiseNotMet(
            "hiding values does not satisfy the rules, not even when no value is shown",
            remedy="relax the models",
        )
    classes, number = split(layout, judge, classes, int(classes.max(initial=-1)) + 1)
    classes = move(layout, judge, classes, number)
    closed = layout.close(classes, number)
    hidden: NDArray[np.bool_] = (closed.levels[classes] > 0) & (classes >= 0)[:, None]
    return hidden


def _shown(layout: Layout, hidden: NDArray[np.bool_]) -> Solution:
    """Lay out which values are hidden (``hidden[cell, column]``) as classes of cells that look the same."""
    cells = layout.cells
    boxes = np.empty((len(layout.ladders), len(cells)), np.int32)
    columns = []
    suppressed: dict[str, int] = {}
    for j, name in enumerate(cells.names):
        column, position = layout.column(j)
        boxes[j] = position[hidden[:, j].astype(np.int64), cells.codes[j]]
        columns.append(column)
        # A value that was missing before is not hidden.
        absent = len(cells.domains[j]) - 1 if cells.domains[j].has_missing else -1
        suppressed[name] = int(cells.rows[hidden[:, j] & (cells.codes[j] != absent)].sum())
    kept, merged = merge_equal(boxes)
    return Solution(
        cells=cells,
        classes=merged.astype(np.int32),
        boxes=np.ascontiguousarray(boxes[:, kept]),
        columns=tuple(columns),
        details={
            "suppressed_values": sum(suppressed.values()),
            "values": cells.total_rows * len(cells.names),
            **{f"suppressed in {name}": count for name, count in suppressed.items()},
        },
    )
