"""Cells: the distinct combinations of quasi-identifiers, as small integers, with their people.

Often far fewer than the rows; every search of this room runs on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain


@dataclass(frozen=True)
class Spans:
    """Persons whose rows lie in more than one cell, as one list of cells for each of them.

    Person i is in the cells ``cells[starts[i]:starts[i + 1]]``. When several of them fall into one
    class, the person counts once there, not once for each.
    """

    starts: NDArray[np.int64]
    cells: NDArray[np.int64]


@dataclass(frozen=True)
class Histogram:
    """Who has which sensitive value, cell by cell.

    Entries ``starts[c]`` to ``starts[c + 1]`` belong to cell c. An entry stands for ``persons`` people
    with sensitive value ``key % len(domain)`` who share the combination ``key // len(domain)`` of the
    columns ``known``. A person with several values counts once for each of them. ``in_rows`` says that
    rows were counted instead, as whoever reads a release must.
    """

    domain: Domain
    known: tuple[str, ...]
    groups: tuple[tuple[Any, ...], ...] = field(repr=False)
    """the combinations of ``known`` that occur; one empty combination when it is empty"""
    starts: NDArray[np.int64] = field(repr=False, compare=False)
    keys: NDArray[np.int64] = field(repr=False, compare=False)
    persons: NDArray[np.int64] = field(repr=False, compare=False)
    in_rows: bool = False
    spans: Spans | None = field(default=None, repr=False, compare=False)
    """for persons who have one value in several cells: the entries that hold it"""
    value_spans: Spans | None = field(default=None, repr=False, compare=False)
    """the same, whatever they share of the columns ``known``"""

    def __post_init__(self) -> None:
        for array in (self.starts, self.keys, self.persons):
            array.flags.writeable = False

    def base(self, kept: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Count the persons of every value in the whole table, or in the cells that are ``kept``.

        The whole table is what one class of everybody would show: somebody counts once for each value
        that they have, in however many cells their rows lie.
        """
        values = self.keys % len(self.domain)
        inside = np.ones(len(values), np.bool_)
        if kept is not None:
            inside = np.repeat(kept, np.diff(self.starts))
        counted = np.zeros(len(self.domain), np.int64)
        np.add.at(counted, values[inside], self.persons[inside])
        if self.value_spans is not None:
            starts, entries = self.value_spans.starts, self.value_spans.cells
            several = np.add.reduceat(inside[entries], starts[:-1], dtype=np.int64)
            np.subtract.at(counted, values[entries[starts[:-1]]], np.maximum(several - 1, 0))
        return counted


@dataclass(frozen=True)
class Cells:
    """Distinct combinations of the quasi-identifiers.

    ``codes[j, c]`` is the code of cell c in ``domains[j]``. ``rows`` and ``persons`` count what lies
    in a cell; they are the same array when rows were taken as people. ``histograms`` are there for the
    sensitive columns that rules watch. With a ``population`` (how many persons of it share the combination)
    there are also cells without rows: combinations that only the population has. ``population_spans`` are
    its persons who lie in several cells.
    """

    domains: tuple[Domain, ...]
    codes: NDArray[np.int32] = field(repr=False)
    rows: NDArray[np.int64] = field(repr=False)
    persons: NDArray[np.int64] = field(repr=False)
    spans: Spans | None = field(default=None, repr=False)
    histograms: tuple[Histogram, ...] = field(default=(), repr=False)
    population: NDArray[np.int64] | None = field(default=None, repr=False)
    population_spans: Spans | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for array in (self.codes, self.rows, self.persons):
            array.flags.writeable = False
        if self.population is not None:
            self.population.flags.writeable = False

    def __len__(self) -> int:
        return int(self.codes.shape[1])

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers in order."""
        return tuple(domain.name for domain in self.domains)

    @property
    def total_rows(self) -> int:
        """All rows."""
        return int(self.rows.sum())

    @property
    def total_persons(self) -> int:
        """Everybody, counted once."""
        return self.persons_in(np.ones(len(self), np.bool_))

    def histogram(self, column: str, known: tuple[str, ...] = (), *, in_rows: bool = False) -> Histogram:
        """Return who has which value of a sensitive column."""
        for histogram in self.histograms:
            if (histogram.domain.name, histogram.known, histogram.in_rows) == (column, known, in_rows):
                return histogram
        raise KeyError(column)

    def persons_in(self, some: NDArray[np.bool_]) -> int:
        """Count the persons in some of the cells, each once, also those who lie in several."""
        total = int(self.persons[some].sum())
        if self.spans is None:
            return total
        inside = np.concatenate([[0], np.cumsum(some[self.spans.cells])])
        cells_of_each = inside[self.spans.starts[1:]] - inside[self.spans.starts[:-1]]
        return total - int(np.maximum(cells_of_each - 1, 0).sum())

    @property
    def rows_are_persons(self) -> bool:
        """Whether every row stands for one person of its own."""
        return self.persons is self.rows
