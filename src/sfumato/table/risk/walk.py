"""Every combination of columns in turn, each as the classes that it makes: one walk, many measures.

R. Motwani & Y. Xu, "Efficient algorithms for masking and finding quasi-identifiers" (2007), ask which sets
of attributes tell people apart. A class of a set S of columns is what agrees on all of S; the classes of
S ∪ {a} split those of S. So the walk goes deeper by one column at a time, from classes to finer classes,
over the cells of the table (its distinct combinations), never over its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.cells import Cells, Spans
from sfumato.table.risk._kernels_subsets import (
    add_counts,
    count_people_once,
    split_by_hash,
    split_by_table,
)

Bits = NDArray[np.uint8]
Ids = NDArray[np.int32]
Ints = NDArray[np.int64]

MOST_SUBSETS = 100_000
"""beyond this many combinations a walk would take hours on large tables"""
MOST_ROWS = 3 * 10**9
"""up to here the number of pairs of rows fits into 64 bits"""


@dataclass(frozen=True)
class SubsetClasses:
    """The classes that some columns make: their persons and their rows, one entry for each class.

    The arrays are used again for the next combination: measure them before you go on.
    """

    columns: tuple[int, ...]
    """positions of the columns, ascending"""
    persons: Ints = field(repr=False)
    rows: Ints = field(repr=False)


def checked_size(cells: Cells, up_to: int | None) -> int:
    """Return the largest number of columns to combine; all of them when nothing is asked."""
    columns = len(cells.domains)
    if up_to is None:
        up_to = columns
    if isinstance(up_to, bool) or not isinstance(up_to, int) or up_to < 1:
        raise BadInput("the number of columns to combine must be a whole number from 1", remedy="say 3")
    size = min(up_to, columns)
    number = number_of_subsets(columns, size)
    if number > MOST_SUBSETS:
        fitting = max(m for m in range(columns) if number_of_subsets(columns, m) <= MOST_SUBSETS)
        raise BadInput(
            f"{columns} columns have {number:,} combinations of up to {size}",
            remedy=f"combine up to {fitting} columns, or take fewer quasi-identifiers",
        )
    return size


def number_of_subsets(columns: int, up_to: int) -> int:
    """Count the combinations of one to ``up_to`` columns.

    >>> number_of_subsets(9, 3)
    129
    """
    return sum(comb(columns, size) for size in range(1, up_to + 1))


def classes_of_subsets(cells: Cells, up_to: int) -> Iterator[SubsetClasses]:
    """Walk over all combinations of one to ``up_to`` columns; each comes after all of its parts."""
    if int(cells.rows.sum()) > MOST_ROWS:
        raise BadInput("pairs of so many rows cannot be counted", remedy=f"take up to {MOST_ROWS:,} rows")
    inside = occupied(cells)
    together = np.zeros(len(inside), np.int32)
    yield from _Walk(inside).below((), together, 1, len(inside.domains), up_to)


def occupied(cells: Cells) -> Cells:
    """Return the cells that have rows: those that only a population has make no class of the table."""
    kept = cells.rows > 0
    if kept.all():
        return cells
    spans = cells.spans
    if spans is not None:
        spans = Spans(spans.starts, (np.cumsum(kept) - 1)[spans.cells])
    rows = cells.rows[kept]
    persons = rows if cells.rows_are_persons else cells.persons[kept]
    return Cells(cells.domains, np.ascontiguousarray(cells.codes[:, kept]), rows, persons, spans)


def frozen(array: NDArray[Any], type_: type[np.generic]) -> NDArray[Any]:
    """Return an array of this type that lies in one piece and cannot be written: one type for kernels."""
    view = np.ascontiguousarray(array, type_).view()
    view.flags.writeable = False
    return view


class Splitter:
    """Splits classes by one more column; its scratch arrays are made once."""

    def __init__(self, cells: Cells) -> None:
        number = len(cells)
        self._spans = cells.spans
        self._codes = [frozen(column, np.int32) for column in cells.codes]
        self._values = [len(domain) for domain in cells.domains]
        self._counts = frozen(cells.persons, np.int64)
        self._persons = np.empty(number, np.int64)
        self._table = np.empty(4 * number + 1024, np.int32)
        self._slots = 1 << (3 * number // 2).bit_length()
        self._keys, self._places = np.empty(0, np.int64), np.empty(0, np.int32)

    def split(self, parent: Ids, classes: int, column: int, known: Bits, ids: Ids) -> Ints:
        """Put into ``ids`` the new class of every cell, and return the persons of each until the next call.

        ``parent`` holds one of ``classes`` numbers for each cell. Cells whose bit is set in ``known`` are
        left out, with the id -1.
        """
        codes, values = self._codes[column], self._values[column]
        if classes * values <= len(self._table):
            table = self._table[: classes * values]
            table.fill(-1)
            number = split_by_table(parent, codes, values, self._counts, known, table, ids, self._persons)
        else:
            if not len(self._keys):
                self._keys, self._places = np.empty(self._slots, np.int64), np.empty(self._slots, np.int32)
            self._keys.fill(-1)
            number = split_by_hash(
                parent, codes, values, self._counts, known, self._keys, self._places, ids, self._persons
            )
        persons = self._persons[:number]
        if self._spans is not None:
            starts, cells = frozen(self._spans.starts, np.int64), frozen(self._spans.cells, np.int64)
            count_people_once(starts, cells, ids, np.full(number, -1, np.int64), persons)
        return persons


class _Walk:
    """The descent from classes to finer classes."""

    def __init__(self, cells: Cells) -> None:
        self._splitter = Splitter(cells)
        self._none = np.zeros((len(cells) + 7) // 8, np.uint8)
        self._rows = frozen(cells.rows, np.int64)
        # A person may have one row in each of two cells: then only the classes that join them differ.
        self._alike = cells.rows_are_persons and cells.spans is None

    def below(
        self, columns: tuple[int, ...], ids: Ids, classes: int, end: int, deeper: int
    ) -> Iterator[SubsetClasses]:
        """Add each column before ``end`` in turn.

        In this order the combinations come as the numbers whose bits they are, so parts come first.
        """
        if not deeper:
            return
        own = np.empty(len(ids), np.int32)
        for column in range(end):
            persons = self._splitter.split(ids, classes, column, self._none, own)
            rows = persons
            if not self._alike:
                rows = np.zeros(len(persons), np.int64)
                add_counts(own, self._rows, rows)
            number = len(persons)
            yield SubsetClasses((column, *columns), persons, rows)
            yield from self.below((column, *columns), own, number, column, deeper - 1)
