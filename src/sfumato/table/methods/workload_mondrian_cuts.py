"""The cutting of workload-aware Mondrian: the cut that gains most, or else the one that loses least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.table.judge import Judge
from sfumato.table.methods._kernels_mondrian_rules import MOST_CUTS, halves_hold, partition_judged
from sfumato.table.methods._kernels_workload import list_gains
from sfumato.table.methods.mondrian_boxes import Boxes
from sfumato.table.methods.mondrian_columns import Column
from sfumato.table.methods.mondrian_rules import Ranked, Watch, ranked, watch_of
from sfumato.table.methods.workload_mondrian_aim import Aim, Notes, notes_for

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """The cells as records of ranks, moved in place, and what is known of columns, rules and aim."""

    records: NDArray[np.int32]
    ranked: Ranked
    watch: Watch
    aim: Aim
    notes: Notes
    k: int
    least: float
    """gains up to this are none"""
    judged: bool
    """whether rules ask for more than k persons"""

    @classmethod
    def of(
        cls,
        judge: Judge,
        persons: Ints,
        columns: Sequence[Column],
        orders: Sequence[Ints],
        aim: Aim,
    ) -> Table:
        """Lay the cells of a problem out."""
        cells, width = judge.cells, len(columns)
        k = judge.least_persons if not cells.rows_are_persons else max(judge.least_persons, judge.least_rows)
        records = np.empty((len(cells), width + 2), np.int32)
        for j, order in enumerate(orders):
            rank = np.empty(len(order), np.int32)
            rank[order] = np.arange(len(order), dtype=np.int32)
            records[:, j] = rank[cells.codes[j]]
        records[:, width] = persons
        records[:, width + 1] = np.arange(len(cells), dtype=np.int32)
        return cls(
            records,
            ranked(columns, orders),
            watch_of(judge, columns),
            aim,
            notes_for(columns, aim),
            k,
            aim.least,
            not judge.counts_persons_only,
        )

    def persons_in(self, low: int, high: int) -> int:
        """Count the persons of a box."""
        return int(self.records[low:high, -2].sum())

    def cut(self, low: int, high: int) -> tuple[int, int, bool] | None:
        """Cut a box; return where its right half begins, the column, and whether the workload gained.

        None when no cut is allowed.
        """
        total = self.persons_in(low, high)
        if total < 2 * self.k:
            return None
        found = list_gains(
            self.records, low, high, self.k, total, self.least, self.ranked, self.aim, self.notes
        )
        # Of equal gains the first column, the first place: always the same.
        best = np.argsort(-self.notes.gains[:found], kind="stable")
        for candidate in best[: MOST_CUTS * len(self.ranked.kind)]:
            j, place = self.notes.cuts[candidate].tolist()
            left = self._left(j, place)[self.records[low:high, j]]
            if not self.judged or self._holds(low, high, left):
                box = self.records[low:high]
                self.records[low:high] = np.concatenate([box[left], box[~left]])
                return low + int(np.count_nonzero(left)), j, True
        return self._cut_for_loss(low, high, total)

    def _left(self, j: int, place: int) -> NDArray[np.bool_]:
        """Return which ranks of a column go left."""
        begin, values = int(self.ranked.offset[j]), int(self.ranked.values[j])
        if place < 0:
            return self.aim.inside[-1 - place, begin : begin + values] > 0
        left = np.zeros(values, np.bool_)
        left[self.notes.order[begin : begin + place + 1]] = True
        return left

    def _holds(self, low: int, high: int, left: NDArray[np.bool_]) -> bool:
        """Whether both halves satisfy every rule."""
        sides = np.empty((high - low, 3), np.int32)
        sides[:, 0] = ~left
        sides[:, 1:] = self.records[low:high, -2:]
        cut = np.array([0, -1, 0], np.int64)
        return bool(halves_hold(sides, 0, high - low, 0, cut, self.k, self.watch))

    def _cut_for_loss(self, low: int, high: int, total: int) -> tuple[int, int, bool] | None:
        """Make the one cut of Mondrian that leaves the least loss."""
        width = len(self.ranked.kind)
        stack = np.zeros((2, width + 4), np.int64)
        stack[0] = [low, high, total, width, *range(width)]
        state = np.array([1, 0, 0, 0], np.int64)
        starts, splits = np.zeros(1, np.int64), np.zeros((1, 4), np.int64)
        # With so little work allowed, it stops after the first box.
        partition_judged(
            self.records, self.ranked, self.watch, self.k, False, True, stack, state, starts, splits, 1
        )
        if state[2] == 0:
            return None
        return int(splits[0, 1]), int(splits[0, 3]), False


def cut_boxes(table: Table, orders: Sequence[Ints], progress: Progress) -> tuple[Boxes, int]:
    """Cut until no cut is allowed; return the boxes, with codes in place of ranks, and cuts that gained."""
    size = len(table.records)
    waiting = [(0, size)]
    starts: list[int] = []
    splits: list[tuple[int, int, int, int]] = []
    steered = 0
    while waiting:
        low, high = waiting.pop()
        found = table.cut(low, high)
        if found is None:
            starts.append(low)
            progress.update(high / size)
            continue
        middle, j, gained = found
        steered += gained
        splits.append((low, middle, high, j))
        waiting += [(middle, high), (low, middle)]
    for j, order in enumerate(orders):
        table.records[:, j] = order[table.records[:, j]]
    boxes = Boxes(
        table.records,
        np.array([*starts, size], np.int64),
        np.array(splits, np.int64).reshape(-1, 4),
    )
    return boxes, steered
