"""What models and methods for sequences, genotypes and their statistics are: the contract of this room.

Two things leave this room: rows (sequences or genotypes of people, less precise) and statistics (figures of
sites, counted over people). Each has its promises and its methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.sites import Sites
from sfumato.dna.source import GenotypeSource

if TYPE_CHECKING:
    from sfumato.hierarchy.snp import SnpTree

Figure = int | float | str


class Promise(Protocol):
    """What every promise of this room says of itself."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def basis(self) -> Basis:
        """What the promise can be checked from."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """The threats it answers."""

    def in_words(self) -> str:
        """Say in one sentence (without its full stop) what is promised."""


@dataclass(frozen=True)
class Demand:
    """What a promise asks of published rows, in the one form that methods read.

    Every combination of cells on ``positions`` (column numbers from 0; None is all columns) that occurs
    belongs to at least ``people`` persons, or with ``mapped`` fits at least so many of the population; and in
    each row every value is shared by at least ``alike`` columns.
    """

    people: int = 1
    positions: tuple[int, ...] | None = None
    alike: int = 1
    mapped: bool = False
    at_a_time: int | None = None
    """of the positions an adversary knows so many at once, whichever they are; None is all of them"""


class RowModel(Promise, Protocol):
    """A promise about published sequences or genotypes. See ``dna/models``."""

    def demand(self) -> Demand:
        """The face for methods."""

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        """The face for everybody: does it hold for these rows? Shares no code with the methods."""


@runtime_checkable
class OnPositions(Protocol):
    """A promise about positions that may be given by name."""

    def on(self, rows: Aligned) -> RowModel:
        """Return the same promise with the numbers of columns of these rows for names."""


@dataclass(frozen=True)
class Problem:
    """What a method for rows is handed."""

    rows: Aligned
    models: tuple[RowModel, ...]
    tree: SnpTree | None = None
    """a hierarchy over the values, for methods that generalise along one"""
    population: Aligned | None = None

    def __post_init__(self) -> None:
        """Promises that name positions are placed on the columns of these rows."""
        placed = tuple(m.on(self.rows) if isinstance(m, OnPositions) else m for m in self.models)
        object.__setattr__(self, "models", placed)


@dataclass(frozen=True)
class Solution:
    """What a method found. Published row r is row ``kept[r]`` of the problem; the others are left out."""

    published: Aligned
    kept: NDArray[np.int64] = field(repr=False)
    details: Mapping[str, Figure] = field(default_factory=dict)
    """figures of the search, for the steward"""


class RowMethod(Protocol):
    """A way to change rows so that promises hold. Frozen dataclass, parameters checked when it is made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    def enforces(self, demand: Demand) -> bool:
        """Say whether it can make rows answer this demand."""

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find rows that keep every promise of the problem, or raise ``PromiseNotMet``."""


@dataclass(frozen=True)
class Study:
    """The people behind statistics."""

    pool: GenotypeSource
    """everybody whom the statistics are about"""
    cases: NDArray[np.bool_] | None = field(default=None, repr=False)
    """of a case/control study: who is ill; the others are controls"""
    reference: GenotypeSource | None = None
    """people of the same population who are not in the pool, at the same sites"""

    def __post_init__(self) -> None:
        """Marks that are numbers would be taken for the numbers of people."""
        if self.cases is not None and self.cases.dtype != np.bool_:
            raise BadInput(
                "who is a case is said by true and false",
                where="cases",
                remedy="compare: phenotype == 2, say",
            )


@dataclass(frozen=True, eq=False)
class Statistics:
    """Published figures of sites: columns such as ``frequency``, ``chi2``, ``p`` over the published sites."""

    sites: Sites
    columns: Mapping[str, NDArray[np.float64]]
    people: int | None = None
    """how many people they were counted over, where that is published"""
    cases: int | None = None

    def __post_init__(self) -> None:
        if any(len(column) != len(self.sites) for column in self.columns.values()):
            raise AssertionError("each published column has a figure for each site")


@dataclass(frozen=True)
class Published:
    """What a method for statistics made, and of which sites of the study it speaks (numbers from 0)."""

    statistics: Statistics
    kept: NDArray[np.int64] = field(repr=False)
    spent: Mapping[str, float] = field(default_factory=dict)
    """of differential privacy: epsilon, and delta where it is not 0"""
    details: Mapping[str, Figure] = field(default_factory=dict)


class StatisticsModel(Promise, Protocol):
    """A promise about published statistics: a bound on an attacker's power, or differential privacy."""

    def check(self, published: Published, study: Study) -> Verdict:
        """Does it hold? A bound on power is measured on people who were held out."""


class StatisticsMethod(Protocol):
    """A way to publish statistics. Frozen dataclass, parameters checked when it is made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    def publish(
        self, study: Study, models: tuple[StatisticsModel, ...], *, progress: Progress = SILENT
    ) -> Published:
        """Count, choose, add noise."""
