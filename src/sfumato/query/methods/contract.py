"""What every release without interaction is made from and makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.core.randomness import Random
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price


@dataclass(frozen=True)
class Attribute:
    """A public, finite domain: the labels of its positions, from metadata and never from data.

    ``edges`` are given for numbers and dates: position i stands for edges[i] ≤ value < edges[i + 1]. A last
    position beyond the edges, if there is one, is for missing values.
    ``parents`` is an optional public hierarchy: parents[level][position] is a group number, coarser and
    coarser, the last level one group.
    """

    name: str
    labels: tuple[str, ...]
    edges: tuple[float, ...] | None = None
    parents: tuple[tuple[int, ...], ...] = ()

    @property
    def size(self) -> int:
        """Positions of the domain."""
        return len(self.labels)


@dataclass(frozen=True)
class Coded:
    """People as positions in public domains: one row per person, ``codes[person, attribute]``, read-only."""

    attributes: tuple[Attribute, ...]
    codes: NDArray[np.int32] = field(repr=False)


@dataclass(frozen=True)
class Problem:
    """What a method is asked."""

    data: Coded
    price: Price
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    target: str | None = None
    """the class attribute, for methods that keep a classification"""
    random: Random | None = None
    """None: the operating system's; a test may inject a generator, and the outcome is then unpublishable"""
    progress: Progress | None = None
    most_people: int | None = None
    """how many people there can be, where that was declared: no more are drawn, whatever noise says"""


@dataclass(frozen=True)
class NoisyTable:
    """A noisy table of counts over some attributes: ``counts`` has one axis per attribute."""

    attributes: tuple[str, ...]
    counts: NDArray[np.float64] = field(repr=False)
    error: float | None = None
    """expected root mean square error of one cell, from metadata alone"""


@dataclass(frozen=True)
class DpSolution:
    """What was made: synthetic people, noisy tables, or both. ``spent`` is what it cost in all."""

    spent: Price
    records: Coded | None = None
    tables: tuple[NoisyTable, ...] = ()
    expected_error: Mapping[str, float] = field(default_factory=dict)
    """what can be said of the error beforehand, by name"""
    steps: tuple[tuple[str, Price], ...] = ()
    """what was spent on what; adds up to ``spent``"""
    published: Mapping[str, int | float | str] = field(default_factory=dict)
    """parameters an analyst needs; nothing computed from data without noise"""


class DpMethod(Protocol):
    """A frozen dataclass with its parameters."""

    name: ClassVar[str]

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on the data."""
