"""Cells and hierarchies laid out for local recoding: what every level of every column is, flat in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells
from sfumato.table.methods._kernels_local_recoding import close_classes, group_at
from sfumato.table.methods.lattice.outcome import generalised
from sfumato.table.methods.mondrian import merge_equal
from sfumato.table.solution import SUPPRESSED, Generalised

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Closed:
    """Classes with the lowest nodes that their cells have in common.

    ``first[i]`` is a cell of class i (-1: it has none), ``levels[i, j]`` the level of its node in column
    j, ``cost[i]`` what a row of it loses, summed over the columns.
    """

    first: Ints
    levels: Ints
    cost: NDArray[np.float64]


class Grouped(NamedTuple):
    """Cells grouped at a node: the class of each, and the first cell and the persons of each class.

    Valid until cells are grouped again.
    """

    owner: Ints
    first: Ints
    persons: Ints


@dataclass(frozen=True)
class Layout:
    """The cells of a table and the levels of their columns, as the kernels read them.

    What a row loses in a column is the loss metric of V. S. Iyengar (2002): (leaves − 1) / (size − 1).
    """

    cells: Cells
    ladders: tuple[Ladder, ...]
    records: NDArray[np.int32] = field(repr=False)
    start: Ints = field(repr=False)
    values: Ints = field(repr=False)
    heights: Ints = field(repr=False)
    marks: Ints = field(repr=False)
    groups: NDArray[np.int32] = field(repr=False)
    shares: NDArray[np.float64] = field(repr=False)

    @classmethod
    def of(cls, cells: Cells, ladders: tuple[Ladder, ...], prices: tuple[float, ...] = ()) -> Layout:
        """Lay out the cells. What is lost in a column counts as often as its price says, once without."""
        dice = np.random.default_rng(20)
        start, marks, groups, shares = [], [], [], []
        at = 0
        for ladder, price in zip(ladders, prices or (1.0,) * len(ladders), strict=True):
            start.append(at)
            for level, rungs in enumerate(ladder.rungs):
                marks.append(dice.integers(2**63, size=len(ladder.labels[level]), dtype=np.int64)[rungs])
                groups.append(rungs)
                shares.append(price * (ladder.leaves[level][rungs] - 1.0) / max(ladder.size - 1, 1))
                at += len(rungs)
        # A column that plays no part is read here: one group for all values.
        blank = np.zeros(max(ladder.rungs.shape[1] for ladder in ladders), np.int64)
        marks.append(blank)
        groups.append(blank)
        return cls(
            cells,
            ladders,
            np.array(cells.codes.T, np.int32, order="C"),
            np.array(start, np.int64),
            np.array([ladder.rungs.shape[1] for ladder in ladders], np.int64),
            np.array([ladder.height for ladder in ladders], np.int64),
            np.concatenate(marks),
            np.concatenate(groups).astype(np.int32),
            np.concatenate(shares),
        )

    @cached_property
    def _scratch(self) -> tuple[NDArray[np.int32], Ints, Ints, Ints]:
        count = len(self.cells)
        slots = np.empty(_slots_for(count), np.int32)
        return slots, np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)

    def group(self, levels: Ints, left: Ints, persons: Ints) -> Grouped:
        """Group the cells in ``left`` at a node; a column with level -1 plays no part."""
        slots, first, owner, size = self._scratch
        blank = len(self.groups) - int(self.values.max())
        found = group_at(
            left,
            self.records,
            np.where(levels >= 0, self.start + levels * self.values, blank),
            self.marks,
            self.groups,
            persons,
            slots[: _slots_for(len(left))],
            first,
            owner,
            size,
        )
        return Grouped(owner[: len(left)], first[:found], size[:found])

    def close(self, classes: NDArray[np.int32], number: int) -> Closed:
        """Find the lowest common nodes of each class."""
        closed = Closed(
            np.empty(number, np.int64), np.empty((number, len(self.ladders)), np.int64), np.empty(number)
        )
        close_classes(
            classes,
            self.records,
            self.start,
            self.values,
            self.groups,
            self.shares,
            closed.first,
            closed.levels,
            closed.cost,
        )
        return closed

    def loss(self, classes: NDArray[np.int32], closed: Closed) -> float:
        """Return the loss metric: the mean over rows and columns; suppressed rows lose everything."""
        width = len(self.ladders)
        per_row = (
            np.where(classes >= 0, closed.cost[np.maximum(classes, 0)], width) if len(closed.cost) else width
        )
        return float((self.cells.rows * per_row).sum() / (width * self.cells.total_rows))

    def show(
        self, classes: NDArray[np.int32], closed: Closed
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], tuple[Generalised, ...]]:
        """Return classes, boxes and what the columns show; classes that show the same become one."""
        used = np.flatnonzero(closed.first >= 0)
        boxes = np.empty((len(self.ladders), len(used)), np.int32)
        columns = []
        for j in range(len(self.ladders)):
            level, cell = closed.levels[used, j], closed.first[used]
            column, position = self.column(j)
            boxes[j] = position[level, self.records[cell, j]]
            columns.append(column)
        kept, merged = merge_equal(boxes)
        number = np.full(len(closed.first) + 1, SUPPRESSED, np.int32)
        number[used] = merged
        return number[classes], np.ascontiguousarray(boxes[:, kept]), tuple(columns)

    def column(self, j: int) -> tuple[Generalised, NDArray[np.int32]]:
        """Describe all that a column may show; ``position[level, code]`` says where a value stands in it."""
        return _all_levels(self.cells, self.ladders[j], j)


def _slots_for(count: int) -> int:
    """Return how many slots a hash table for so many cells has: a power of two, half of them free."""
    return 1 << max(4, int(2 * count - 1).bit_length())


def _all_levels(cells: Cells, ladder: Ladder, j: int) -> tuple[Generalised, NDArray[np.int32]]:
    """Describe what a column may show at any level, each label once, and say where each value stands.

    A label that is used at two levels is as wide as the wider of them.
    """
    parts = [generalised(cells.domains[j], ladder, level) for level in range(ladder.height + 1)]
    place: dict[str | None, int] = {}
    chosen: list[tuple[int, int]] = []
    position = np.empty(ladder.rungs.shape, np.int32)

    def leaves_of(at: int) -> float:
        level, group = chosen[at]
        return float(parts[level].leaves[group])

    for level, part in enumerate(parts):
        of_group = np.empty(len(part.labels), np.int32)
        for group, label in enumerate(part.labels):
            if label not in place:
                place[label] = len(chosen)
                chosen.append((level, group))
            elif part.leaves[group] > leaves_of(place[label]):
                chosen[place[label]] = (level, group)
            of_group[group] = place[label]
        position[level] = of_group[ladder.rungs[level]]
    return (
        Generalised(
            name=ladder.name,
            labels=tuple(place),
            leaves=np.array([parts[level].leaves[group] for level, group in chosen]),
            size=ladder.size,
            extent=np.array([parts[level].extent[group] for level, group in chosen]),
            span=parts[0].span,
            levels=np.array([float(level) for level, _ in chosen]),
            height=ladder.height,
        ),
        position,
    )
