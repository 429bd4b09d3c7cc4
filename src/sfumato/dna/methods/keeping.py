"""Demands as watchers of a growing set of columns: may this column be published beside those already kept?

All three are monotone: what a set of columns keeps, each part of it keeps. So columns are offered one after
the other, and one that was refused once would be refused by every larger set.
"""

from __future__ import annotations

from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.methods.asked import Asked, numbered_persons
from sfumato.hierarchy.iupac import SIZE, Lattice

MOST_WORK = 10**11
"""rows looked at, over all sets of positions that an adversary may know"""


class Watcher(Protocol):
    """Remembers the columns that are kept."""

    def admits(self, column: int) -> bool:
        """Say whether the demand holds with this column, too."""

    def keep(self) -> None:
        """Keep the column that was admitted last."""


def watcher_of(rows: Aligned, asked: Asked, population: Aligned | None) -> Watcher:
    """Return what watches a demand."""
    if asked.mapped:
        assert population is not None
        return _Mapped(rows, population, asked.people)
    if asked.whole:
        return _Together(rows, asked.people)
    return _SomeAtATime(rows, asked.people, asked.at_a_time)


class _ByPerson:
    """Rows ordered by person, columns side by side in memory."""

    def __init__(self, rows: Aligned, people: int) -> None:
        numbers, _ = numbered_persons(rows.owners)
        order = np.argsort(numbers, kind="stable")
        self.persons = np.ascontiguousarray(numbers[order])
        self.cells = np.ascontiguousarray(rows.cells[order].T)
        self.people = people
        n = len(rows)
        self.slots = np.empty(SIZE * n, np.int64)
        self.counts = np.empty(n, np.int64)
        self.last = np.empty(n, np.int64)


class _Together(_ByPerson):
    """All kept columns are known at once."""

    def __init__(self, rows: Aligned, people: int) -> None:
        super().__init__(rows, people)
        self.classes = np.zeros(len(rows), np.int64)
        self.number = 1
        self.next_classes = np.empty(len(rows), np.int64)
        self.next_number = 1

    def admits(self, column: int) -> bool:
        from sfumato.dna.methods._kernels_classes import split

        self.next_number = split(
            self.classes,
            self.number,
            self.cells[column],
            self.persons,
            self.people,
            self.next_classes,
            self.slots,
            self.counts,
            self.last,
        )
        return self.next_number > 0

    def keep(self) -> None:
        self.classes, self.next_classes = self.next_classes, self.classes
        self.number = self.next_number


class _SomeAtATime(_Together):
    """Any ``size`` of the kept columns are known.

    While all kept columns may be known at once, no set of them is looked at: what holds for all holds for any
    few, and where no more are kept than are known, all are what somebody knows.
    """

    def __init__(self, rows: Aligned, people: int, size: int) -> None:
        super().__init__(rows, people)
        self.size = size
        self.chosen = np.empty(rows.width, np.int64)
        self.kept = 0
        self.offered = -1
        self.work = 0
        self.all_at_once = self.all_with_it = True
        self.parts = np.empty((0, len(rows)), np.int64)

    def admits(self, column: int) -> bool:
        from sfumato.dna.methods._kernels_classes import any_set_breaks

        self.offered = column
        self.all_with_it = self.all_at_once and super().admits(column)
        if self.all_with_it or self.kept < self.size:
            return self.all_with_it
        self.work += sum(comb(self.kept, others) for others in range(self.size)) * len(self.persons)
        if self.work > MOST_WORK:
            raise BadInput(
                f"an adversary who knows any {self.size} of {self.kept:,} positions has "
                f"{comb(self.kept, self.size):,} sets to choose from, more than can be gone through",
                remedy="ask for fewer at a time, name fewer positions, or ask for all of them at once",
            )
        if not len(self.parts):
            self.parts = np.empty((self.size + 1, len(self.persons)), np.int64)
        return not any_set_breaks(
            self.cells,
            self.chosen,
            self.kept,
            column,
            self.size,
            self.persons,
            self.people,
            self.parts,
            self.slots,
            self.counts,
            self.last,
        )

    def keep(self) -> None:
        self.chosen[self.kept] = self.offered
        self.kept += 1
        self.all_at_once = self.all_with_it
        if self.all_with_it:
            super().keep()


class _Mapped:
    """Each row, on all kept columns, fits enough people of a population: their cells lie in its cells."""

    def __init__(self, rows: Aligned, population: Aligned, people: int) -> None:
        numbers, many = numbered_persons(population.owners)
        order = np.argsort(numbers, kind="stable")
        self.persons = np.ascontiguousarray(numbers[order])
        self.single = many == len(population)
        self.crowd = population.cells[order]
        self.cells = rows.cells.T.copy()
        self.people = people
        self.holds = _holds(rows.lattice)
        words = -(-len(population) // 64)
        everybody = np.zeros(64 * words, np.bool_)
        everybody[: len(population)] = True
        self.words = words
        self.alive = np.repeat(_packed(everybody[None, :]), len(rows), axis=0)
        self.next_alive = np.empty_like(self.alive)

    def admits(self, column: int) -> bool:
        from sfumato.dna.methods._kernels_classes import narrow

        fitting = np.zeros((SIZE, 64 * self.words), np.bool_)
        fitting[:, : len(self.crowd)] = self.holds[:, self.crowd[:, column]]
        return bool(
            narrow(
                self.alive,
                self.cells[column],
                _packed(fitting),
                self.persons,
                self.single,
                self.people,
                self.next_alive,
            )
        )

    def keep(self) -> None:
        self.alive, self.next_alive = self.next_alive, self.alive


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def _holds(lattice: Lattice) -> NDArray[np.bool_]:
    """Whether the set of the first index holds all of the set of the second."""
    masks = np.arange(SIZE, dtype=np.uint8)
    held: NDArray[np.bool_] = (
        lattice.closed[masks[:, None] | masks[None, :]] == lattice.closed[masks][:, None]
    )
    return held
