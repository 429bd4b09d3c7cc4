"""Rows that look alike, counted in people. Exact: rows are compared, not hashed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.verdict import Basis, Witness
from sfumato.dna.aligned import Aligned, Unaligned

SHOWN_ROWS = 5
"""rows of a class that a witness tells"""
SHOWN_POSITIONS = 5
_AT_ONCE = 4096
"""rows that are looked up at once"""


@dataclass(frozen=True, eq=False)
class Classes:
    """``of_row`` numbers the class of each row, ``persons`` counts the distinct people of each class."""

    of_row: NDArray[np.int64] = field(repr=False)
    persons: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.persons)

    def rows(self, which: int) -> tuple[int, ...]:
        """Return the first rows of a class, from 1."""
        return tuple(int(row) + 1 for row in np.flatnonzero(self.of_row == which)[:SHOWN_ROWS])


@dataclass(frozen=True)
class PositionsWitness(Witness):
    """Where a promise about rows breaks: on which positions, in which rows, how many people are there."""

    what: str = "a class of {}"

    def __str__(self) -> str:
        """Name a few positions, and count many."""
        few = len(self.columns) <= SHOWN_POSITIONS
        on = ", ".join(self.columns) if few else f"{len(self.columns):,} positions"
        rows = ", ".join(str(row) for row in self.rows)
        return f"{self.what.format(self.size)} on {on} (row {rows})"


def row_numbers(cells: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Give rows the same number exactly when their cells are the same, from 0 as they first appear.

    >>> row_numbers(np.array([[1, 2], [1, 4], [1, 2]], np.uint8)).tolist()
    [0, 1, 0]
    """
    rows, width = cells.shape
    if not width:
        return np.zeros(rows, np.int64)
    # Looking rows up is many times faster than sorting them; a dict compares what has the same hash.
    known: dict[object, int] = {}
    numbers = np.empty(rows, np.int64)
    for first in range(0, rows, _AT_ONCE):
        some = np.ascontiguousarray(cells[first : first + _AT_ONCE]).view(np.dtype((np.void, width))).ravel()
        numbers[first : first + len(some)] = [known.setdefault(row, len(known)) for row in some.tolist()]
    return numbers


def text_numbers(sequences: tuple[NDArray[np.uint8], ...]) -> NDArray[np.int64]:
    """Give sequences the same number exactly when they are the same text."""
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(one.tobytes(), len(known)) for one in sequences], np.int64)


def classes_of(of_row: NDArray[np.int64], owners: NDArray[np.int64]) -> Classes:
    """Count the distinct people of each class: somebody with several rows in it counts once."""
    number = int(of_row.max()) + 1 if len(of_row) else 0
    if not number:
        return Classes(of_row, np.zeros(0, np.int64))
    _, people = np.unique(owners, return_inverse=True)
    pairs = np.unique(of_row * (int(people.max()) + 1) + people)
    return Classes(of_row, np.bincount(pairs // (int(people.max()) + 1), minlength=number).astype(np.int64))


def basis_of(published: Aligned | Unaligned) -> Basis:
    """A release does not say which rows are one person's: with such rows the check needs more than it."""
    persons = published.persons
    several = persons is not None and len(np.unique(persons)) < len(persons)
    return Basis.ORIGINAL if several else Basis.RELEASE
