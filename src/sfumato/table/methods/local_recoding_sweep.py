"""The sweep of local recoding: from precise nodes to general ones, each releases what it can.

A node is worth a visit when few other nodes keep more and yet tell fewer rows apart. Both are sums over
the columns: the loss, and the entropy of what is shown. Nodes that lie on or near the front of the two
are visited in the order of their loss; the others are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.table.judge import Judge
from sfumato.table.methods.local_recoding_layout import Grouped, Layout
from sfumato.table.methods.mondrian import home_persons
from sfumato.table.solution import SUPPRESSED

Ints = NDArray[np.int64]

MOST_NODES = 1000
FEWEST_NODES = 200
WORK = 30_000_000
"""cells that are looked at: larger tables are swept over fewer nodes"""
BEAM = 65_536
"""combinations of levels that are kept while columns are added one by one"""


def nodes_of(layout: Layout) -> Ints:
    """Choose the nodes to visit, in the order of their loss; the bottom is the first, the top the last."""
    cells = layout.cells
    rows = max(cells.total_rows, 1)
    levels = np.zeros((1, 0), np.int64)
    loss = entropy = np.zeros(1)
    for j, ladder in enumerate(layout.ladders):
        lost, told = np.empty(ladder.height + 1), np.empty(ladder.height + 1)
        marginal = np.bincount(cells.codes[j], weights=cells.rows, minlength=len(cells.domains[j]))
        for level, rungs in enumerate(ladder.rungs):
            begin = int(layout.start[j]) + level * len(rungs)
            lost[level] = marginal @ layout.shares[begin : begin + len(rungs)] / rows
            share = np.bincount(rungs, weights=marginal) / rows
            told[level] = -(share[share > 0] @ np.log(share[share > 0]))
        count = len(loss)
        levels = np.hstack(
            [np.repeat(levels, len(lost), axis=0), np.tile(np.arange(len(lost)), count)[:, None]]
        )
        loss = (loss[:, None] + lost).ravel()
        entropy = (entropy[:, None] + told).ravel()
        keep = _near_the_front(loss, entropy, BEAM)
        levels, loss, entropy = levels[keep], loss[keep], entropy[keep]
    count = min(MOST_NODES, max(FEWEST_NODES, WORK // max(len(cells), 1)))
    chosen: Ints = levels[_near_the_front(loss, entropy, count)]
    return chosen


def _near_the_front(loss: NDArray[np.float64], entropy: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return the ``count`` combinations that lie nearest to the front, in the order of their loss."""
    order = np.lexsort((entropy, loss))
    if len(order) <= count:
        return order
    excess = entropy[order] - np.minimum.accumulate(entropy[order])
    cut = np.partition(excess, count - 1)[count - 1]
    nearer, as_near = np.flatnonzero(excess < cut), np.flatnonzero(excess == cut)
    # Of those that lie equally near some are taken all along the way, the last one too.
    spread = np.linspace(len(as_near) - 1, 0, count - len(nearer)).round().astype(np.int64)
    chosen: NDArray[np.intp] = order[np.sort(np.concatenate([nearer, as_near[spread]]))]
    return chosen


@dataclass(frozen=True)
class Swept:
    """The class of every cell (SUPPRESSED: left over), and how many classes there are."""

    classes: NDArray[np.int32]
    number: int
    visited: int


def sweep(layout: Layout, judge: Judge, progress: Progress) -> Swept:
    """Visit the nodes; at each, the classes of the remaining cells that satisfy the rules are released."""
    count = len(layout.cells)
    persons = np.array(home_persons(layout.cells), np.int64)
    classes = np.full(count, SUPPRESSED, np.int32)
    left = np.arange(count, dtype=np.int64)
    number = visited = 0
    nodes = nodes_of(layout)
    for levels in nodes:
        grouped = layout.group(levels, left, persons)
        visited += 1
        released = _released(judge, left, grouped, count)
        if released.any():
            names = np.where(released, number + np.cumsum(released) - 1, SUPPRESSED).astype(np.int32)
            classes[left] = names[grouped.owner]
            number += int(np.count_nonzero(released))
            left = left[classes[left] == SUPPRESSED]
        progress.update(visited / len(nodes))
        if not len(left):
            break
    return Swept(classes, number, visited)


def _released(judge: Judge, left: Ints, grouped: Grouped, cells: int) -> NDArray[np.bool_]:
    """Say which classes satisfy the rules. Nobody counts twice, so sizes are never too large."""
    enough: NDArray[np.bool_] = grouped.persons >= judge.smallest
    if judge.counts_persons_only or not enough.any():
        return enough
    asked = np.where(enough, np.cumsum(enough) - 1, SUPPRESSED)
    everywhere = np.full(cells, SUPPRESSED, np.int64)
    everywhere[left] = asked[grouped.owner]
    released = enough.copy()
    released[enough] = judge.satisfied(everywhere, int(np.count_nonzero(enough)))
    return released
