"""Local search after the sweep: classes that lose most dissolve, or give cells to others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_local_recoding_moves import link, move_cells
from sfumato.table.methods.local_recoding_layout import Layout
from sfumato.table.methods.mondrian import home_persons

BUDGET = 5_000_000
"""comparisons of a cell with a class: a fifth of a second or so"""
FEWEST_CELLS = 200
PASSES = 5


def move(layout: Layout, judge: Judge, classes: NDArray[np.int32], number: int) -> NDArray[np.int32]:
    """Return the classes after the moves.

    They stay as they were where rules look at more than persons, or where there are so many classes that
    few cells could look at all of them.
    """
    if not judge.counts_persons_only or FEWEST_CELLS * number > BUDGET:
        return classes
    cells = layout.cells
    rows, persons = np.array(cells.rows, np.int64), np.array(home_persons(cells), np.int64)
    after = np.empty(len(cells), np.int64)
    head, total, people = (np.empty(number, np.int64) for _ in range(3))
    best, least = classes, layout.loss(classes, layout.close(classes, number))
    left = BUDGET
    for _ in range(PASSES):
        tried = best.copy()
        closed = layout.close(tried, number)
        link(tried, rows, persons, head, after, total, people)
        left = move_cells(
            np.argsort(-closed.cost, kind="stable").astype(np.int64),
            judge.smallest,
            left,
            tried,
            layout.records,
            layout.start,
            layout.values,
            layout.heights,
            layout.groups,
            layout.shares,
            rows,
            persons,
            head,
            after,
            closed.levels,
            closed.cost,
            total,
            people,
        )
        lost = layout.loss(tried, layout.close(tried, number))
        if not lost < least:
            break
        best, least = tried, lost
    return best
