"""The search for minimal sample uniques: the fewest columns by which a record is alone.

A. M. Manning, D. J. Haglin & J. A. Keane, "A recursive search algorithm for statistical disclosure
assessment" (2008), rest on two facts, and so does this search: who is alone by some columns is alone by all
that hold them; and who is alone is in nobody's way. So combinations of columns are visited after all of
their parts, and each splits only the records that no part has found yet.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.memory import half_of_memory
from sfumato.core.progress import Progress
from sfumato.table.cells import Cells
from sfumato.table.risk._kernels_suda import mark_alone
from sfumato.table.risk.walk import Splitter, number_of_subsets

Ids = NDArray[np.int32]


class MinimalUniques:
    """Walks over the combinations of columns, parts first, and keeps who is alone by which.

    Afterwards ``of_size[k - 1, cell]`` counts the minimal uniques of k columns, and
    ``contributions[cell, column]`` adds up the weights (``weights[k - 1]`` each) of those with a column.
    """

    def __init__(self, cells: Cells, up_to: int, weights: list[float], *, ignore_missing: bool) -> None:
        self.cells, self.up_to, self.weights = cells, up_to, weights
        columns, number = len(cells.domains), len(cells)
        self._bytes = (number + 7) // 8
        needed = number_of_subsets(columns, up_to - 1) * self._bytes + number * 8 * (columns + up_to)
        if needed > half_of_memory():
            raise BadInput(
                f"special uniques of up to {up_to} columns would take {needed / 2**30:.0f} GB of memory",
                remedy=f"look for those of up to {max(1, min(3, up_to - 1))} columns",
            )
        self.of_size = np.zeros((up_to, number), np.int32)
        self.contributions = np.zeros((number, columns), np.float64)
        self._alone: dict[int, NDArray[np.uint8]] = {}
        self._splitter = Splitter(cells)
        self._none = np.zeros(self._bytes, np.uint8)
        self._absent = [self._none] * columns
        if ignore_missing:
            self._absent = [
                np.packbits(codes == len(domain) - 1, bitorder="little") if domain.has_missing else self._none
                for codes, domain in zip(cells.codes, cells.domains, strict=True)
            ]

    def run(self, progress: Progress) -> None:
        """Look for all of them."""
        self._progress, self._done = progress, 0
        self._all = number_of_subsets(len(self.cells.domains), self.up_to)
        self._below((), np.zeros(len(self.cells), np.int32), 1, len(self.cells.domains))

    def _below(self, columns: tuple[int, ...], ids: Ids, classes: int, end: int) -> None:
        """Add each column before ``end``: so combinations come as the numbers whose bits they are."""
        own = np.empty(len(self.cells), np.int32)
        for column in range(end):
            chosen = (column, *columns)
            self._done += 1
            self._progress.update(self._done / self._all)
            known = self._known(chosen)
            persons = self._splitter.split(ids, classes, column, known, own)
            number = len(persons)
            if number:
                mark_alone(
                    own,
                    persons,
                    np.array(chosen, np.int64),
                    self.weights[len(chosen) - 1],
                    known,
                    self.of_size[len(chosen) - 1],
                    self.contributions,
                )
            if len(chosen) < self.up_to:
                self._alone[sum(1 << j for j in chosen)] = known
                if number:
                    self._below(chosen, own, number, column)

    def _known(self, columns: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return who is alone by a part of these columns, or has no value there."""
        known = reduce(np.bitwise_or, (self._absent[j] for j in columns)).copy()
        if len(columns) > 1:
            mask = sum(1 << j for j in columns)
            for j in columns:
                # Below columns that leave nobody to find nothing is visited, and no whole of such parts is.
                known |= self._alone[mask ^ (1 << j)]
        return known
