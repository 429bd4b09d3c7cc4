"""What the sweep of local recoding leaves over joins a class nearby, is left out, or reopens classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_local_recoding import costs_of_joining, widen
from sfumato.table.methods.local_recoding_layout import Closed, Layout
from sfumato.table.methods.local_recoding_sweep import Swept
from sfumato.table.solution import SUPPRESSED

MOST_ASKED = 20
"""classes that a cell asks to let it in, the cheapest first"""
MOST_CELLS = 200
"""of more cells than these, none asks around: classes are reopened for them"""


def house_the_rest(layout: Layout, judge: Judge, swept: Swept, limit: int) -> NDArray[np.int32] | None:
    """Give classes to what is left over but for ``limit`` rows, which may stay so; None if it cannot be."""
    classes = swept.classes.copy()
    left = _left(layout, classes)
    if not len(left):
        return classes
    if judge.counts_persons_only or len(left) <= MOST_CELLS:
        joined = _join(layout, judge, classes, swept.number, left, limit)
        if joined is not None:
            return joined
    return reopen(layout, judge, swept, limit)


def _left(layout: Layout, classes: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the cells with rows that have no class. Those of the population alone need none."""
    return np.flatnonzero((classes == SUPPRESSED) & (layout.cells.rows > 0))


def _join(
    layout: Layout,
    judge: Judge,
    classes: NDArray[np.int32],
    number: int,
    left: NDArray[np.intp],
    limit: int,
) -> NDArray[np.int32] | None:
    """Let each cell join the class where all rows together lose least by it."""
    classes = classes.copy()
    closed = layout.close(classes, number)
    kept = classes >= 0
    cell_rows = layout.cells.rows
    rows = np.bincount(classes[kept], weights=cell_rows[kept], minlength=number).astype(np.int64)
    joining = np.empty(number)
    spare = limit
    # The cells of most rows first: they are dearest to leave out.
    for cell in left[np.argsort(-cell_rows[left], kind="stable")].tolist():
        count = int(cell_rows[cell])
        costs_of_joining(
            cell,
            count,
            layout.records,
            layout.start,
            layout.values,
            layout.heights,
            layout.groups,
            layout.shares,
            closed.first,
            closed.levels,
            closed.cost,
            rows,
            joining,
        )
        most = count * len(layout.ladders) if count <= spare else np.inf
        home = _home(judge, classes, cell, joining, most)
        if home >= 0:
            classes[cell] = home
            _let_in(layout, closed, rows, cell, home)
        elif count <= spare:
            spare -= count
        else:
            return None
    return classes


def _home(
    judge: Judge, classes: NDArray[np.int32], cell: int, joining: NDArray[np.float64], most: float
) -> int:
    """Return the cheapest class that still satisfies the rules with the cell in it, or -1."""
    if not len(joining):
        return -1
    if judge.counts_persons_only:
        best = int(np.argmin(joining))
        return best if joining[best] < most else -1
    for home in np.argsort(joining, kind="stable")[:MOST_ASKED].tolist():
        if not joining[home] < most:
            break
        alone = np.where(classes == home, 0, SUPPRESSED)
        alone[cell] = 0
        if judge.satisfied(alone, 1)[0]:
            return int(home)
    return -1


def _let_in(layout: Layout, closed: Closed, rows: NDArray[np.int64], cell: int, home: int) -> None:
    widen(
        cell,
        home,
        int(layout.cells.rows[cell]),
        layout.records,
        layout.start,
        layout.values,
        layout.groups,
        layout.shares,
        closed.first,
        closed.levels,
        closed.cost,
        rows,
    )


def reopen(layout: Layout, judge: Judge, swept: Swept, limit: int) -> NDArray[np.int32] | None:
    """Take classes back, the last ones first, until what is left satisfies the rules at the top."""
    top = np.array(
        [ladder.rungs[-1][layout.cells.codes[j]] for j, ladder in enumerate(layout.ladders)], np.int64
    )
    _, root = np.unique(top, axis=1, return_inverse=True)
    root = root.reshape(-1)
    roots = int(root.max(initial=-1)) + 1
    reopened = 1
    while True:
        keep = max(swept.number - reopened, 0)
        classes = np.where(swept.classes < keep, swept.classes, SUPPRESSED).astype(np.int32)
        pooled = np.where(classes == SUPPRESSED, root, SUPPRESSED)
        satisfied = judge.satisfied(pooled, roots)
        housed = (pooled >= 0) & satisfied[np.maximum(pooled, 0)]
        classes[housed] = keep + pooled[housed]
        if int(layout.cells.rows[_left(layout, classes)].sum()) <= limit:
            return classes
        if keep == 0:
            return None
        reopened *= 2
