"""How many people look alike: the sizes of the classes, and what they say at a glance.

A *class* is the set of people who share the same values of all quasi-identifiers. With f_i persons in
class i, every measure of this folder is a function of the sizes f_1, …, f_c and of the number of
persons N. Where each person lies in one class, N = Σ f_i. A person whose rows lie in several classes
counts in each of them, so N < Σ f_i; shares of persons are then upper bounds, and never above 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Bin:
    """Classes of ``low`` to ``high`` persons: how many there are, and how many persons are in them."""

    low: int
    high: int
    classes: int
    persons: int

    @property
    def label(self) -> str:
        """The range of sizes as text, such as ``3–4``."""
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,}–{self.high:,}"


@dataclass(frozen=True)
class ClassSizes:
    """Number of classes, smallest, largest and mean size, and a histogram with readable bins.

    >>> print(ClassSizes.of([1, 1, 2, 5, 7]))
    5 classes of 16 persons: smallest 1, largest 7, mean 3.2
    size  classes  persons
    1           2        2
    2           1        2
    3–4         0        0
    5–9         2       12
    """

    number: int
    persons: int
    smallest: int
    largest: int
    mean: float
    """Σ f_i / c: the size of a class picked at random"""
    histogram: tuple[Bin, ...]

    @classmethod
    def of(cls, sizes: ArrayLike, persons: int | None = None) -> ClassSizes:
        """Summarise the persons per class; ``persons`` is their number when some are in several classes."""
        counts = checked_sizes(sizes)
        total = number_of_persons(counts, persons)
        if not len(counts):
            return cls(0, 0, 0, 0, 0.0, ())
        return cls(
            len(counts),
            total,
            int(counts.min()),
            int(counts.max()),
            int(counts.sum()) / len(counts),
            _histogram(counts),
        )

    def __str__(self) -> str:
        head = (
            f"{_many(self.number, 'class', 'classes')} of {_many(self.persons, 'person', 'persons')}: "
            f"smallest {self.smallest:,}, largest {self.largest:,}, mean {self.mean:,.1f}"
        )
        if not self.histogram:
            return head
        width = max(4, *(len(bin_.label) for bin_ in self.histogram))
        lines = [f"{'size':<{width}}  classes  persons"]
        lines += [f"{b.label:<{width}}  {b.classes:>7,}  {b.persons:>7,}" for b in self.histogram]
        return "\n".join([head, *lines])


def checked_sizes(sizes: ArrayLike) -> NDArray[np.int64]:
    """Return the sizes as whole numbers; each class has at least one person."""
    counts = np.atleast_1d(np.asarray(sizes))
    if counts.size == 0:
        return np.zeros(0, np.int64)
    if counts.ndim != 1 or counts.dtype.kind not in "iu":
        raise BadInput("class sizes must be one list of whole numbers")
    if int(counts.min()) < 1:
        raise BadInput(f"{int((counts < 1).sum())} classes have no person", remedy="leave them out")
    return counts.astype(np.int64)


def number_of_persons(counts: NDArray[np.int64], persons: int | None) -> int:
    """Return the number of persons in the classes: at least the largest class, at most Σ f_i."""
    total = int(counts.sum())
    if persons is None:
        return total
    least = int(counts.max(initial=0))
    if not least <= persons <= total:
        raise BadInput(
            f"{persons:,} persons cannot fill these classes", remedy=f"give {least:,} to {total:,} persons"
        )
    return persons


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _histogram(counts: NDArray[np.int64]) -> tuple[Bin, ...]:
    """Count classes by size in bins 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99, … up to the largest."""
    starts = [1, 2, 3, 5]
    decade = 10
    while starts[-1] <= counts.max():
        starts += [decade, 2 * decade, 5 * decade]
        decade *= 10
    edges = np.array(starts, np.int64)
    place = np.searchsorted(edges, counts, side="right") - 1
    classes = np.bincount(place, minlength=len(edges))
    members = np.zeros(len(edges), np.int64)
    np.add.at(members, place, counts)
    return tuple(
        Bin(starts[i], starts[i + 1] - 1, int(classes[i]), int(members[i]))
        for i in range(int(place.max()) + 1)
    )
