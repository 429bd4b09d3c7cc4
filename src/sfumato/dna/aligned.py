"""Sequences and genotypes in memory: a matrix of sets, one row a sequence, one column a position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.iupac import Lattice, iupac, parse


@dataclass(frozen=True, eq=False)
class Aligned:
    """Rows of the same length. A cell is a set of what stands there (``hierarchy/iupac``), so that original,
    generalised and missing cells are the same thing: N and ``./.`` are the sets of everything.

    Who a row belongs to is a number (``persons``), never a name. Without it each row is another person.
    """

    cells: NDArray[np.uint8] = field(repr=False)
    """n × m, C-contiguous"""
    lattice: Lattice = field(default_factory=iupac)
    positions: tuple[str, ...] = field(default=(), repr=False)
    """what each column is called, such as MT:73; numbers from 1 unless given"""
    persons: NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        given = np.asarray(self.cells)
        cells = np.ascontiguousarray(given, np.uint8)
        if cells.ndim != 2:
            raise AssertionError("an alignment has rows and columns")
        if not _are_sets(given, self.lattice):
            raise AssertionError("each cell of an alignment is a set of its lattice")
        object.__setattr__(self, "cells", cells)
        if not self.positions:
            object.__setattr__(self, "positions", tuple(str(at + 1) for at in range(cells.shape[1])))
        if len(self.positions) != cells.shape[1]:
            raise AssertionError("each column of an alignment has one name")
        if self.persons is not None and len(self.persons) != len(cells):
            raise AssertionError("each row of an alignment has one person")

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.cells.shape[1])

    @property
    def owners(self) -> NDArray[np.int64]:
        """The person of each row, as an array in every case."""
        return np.arange(len(self), dtype=np.int64) if self.persons is None else self.persons

    def with_cells(self, cells: NDArray[np.uint8]) -> Aligned:
        """Return the same rows with other cells."""
        return replace(self, cells=cells)

    def rows(self, which: NDArray[np.int64]) -> Aligned:
        """Return some of the rows, in the order given."""
        persons = None if self.persons is None else self.persons[which]
        return replace(self, cells=self.cells[which], persons=persons)

    def columns(self, which: NDArray[np.int64]) -> Aligned:
        """Return some of the columns."""
        named = tuple(self.positions[at] for at in which)
        return replace(self, cells=np.ascontiguousarray(self.cells[:, which]), positions=named)


def _are_sets(cells: NDArray[np.uint8], lattice: Lattice) -> bool:
    """Say whether all cells can be written: what cannot would be held by nobody, or fit everybody."""
    if not cells.size:
        return True
    sets = {*lattice.masks.values()}
    least, most = int(cells.min()), int(cells.max())
    return {least, most} <= sets and not any(
        (cells == mask).any() for mask in range(least, most) if mask not in sets
    )


@dataclass(frozen=True, eq=False)
class Unaligned:
    """Sequences of bases whose lengths may differ, as files hold them."""

    sequences: tuple[NDArray[np.uint8], ...] = field(repr=False)
    persons: NDArray[np.int64] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.sequences)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The person of each sequence, as an array in every case."""
        return np.arange(len(self), dtype=np.int64) if self.persons is None else self.persons

    @property
    def even(self) -> bool:
        """Whether all sequences have the same length."""
        return len({len(row) for row in self.sequences}) <= 1


def aligned(*sequences: str) -> Aligned:
    """Return sequences of the same length, for examples and tests.

    >>> len(aligned("AATTA", "AATGA")), aligned("AATTA", "AATGA").width
    (2, 5)
    """
    return Aligned(np.stack([parse(text) for text in sequences]))
