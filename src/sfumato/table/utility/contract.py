"""The face that a measure of loss shows to a search over generalisations.

A *node* generalises every column to one level; classes that break a rule are suppressed as a whole.
A measure scores a node from its classes, and tells what this proves about its neighbours: some rows
are surely suppressed at every node below (more specific), and no node above (more general) tells rows
better apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells

Score = float | tuple[float, ...]
"""what a measure says of a release; lower is better, tuples compare entry by entry"""


class Join(StrEnum):
    """How the terms of the columns make one value."""

    SUM = "sum"
    MAX = "max"


class Survey(Protocol):
    """What a measure may ask about the classes of a node."""

    @property
    def levels(self) -> NDArray[np.int64]:
        """The node."""

    @property
    def rows(self) -> int:
        """All rows, suppressed ones too."""

    @property
    def suppressed(self) -> int:
        """Rows in classes that break a rule."""

    @property
    def surely(self) -> int:
        """Rows that are suppressed at least at this node and at every one below."""

    @property
    def smallest(self) -> int:
        """Rows that a published class has at least."""

    @property
    def kept(self) -> int:
        """Classes that are published."""

    @property
    def classes(self) -> int:
        """All classes, suppressed ones too."""

    @property
    def squares_kept(self) -> int:
        """Σ size² over the classes that are published."""

    @property
    def squares(self) -> int:
        """Σ size² over all classes."""

    def histogram(self) -> NDArray[np.int64]:
        """Suppressed rows by column and by group at the node's level. Valid until the next is asked for."""

    def histogram_below(self) -> NDArray[np.int64]:
        """The same of rows that are suppressed at least, here and below."""

    def class_rows(self) -> NDArray[np.int64]:
        """Size of every class."""

    def class_kept(self) -> NDArray[np.bool_]:
        """Whether a class is published."""


@dataclass(frozen=True)
class Appraisal:
    """The value of a node, and lower bounds on the values of its neighbours.

    ``value`` orders nodes as the score does. ``below[j, l]`` are terms: their join over the columns
    bounds every node below at levels l. ``below_floor`` and ``above_floor`` bound every node below and
    above. ``then`` decides between nodes of the same value.
    """

    value: float
    below: NDArray[np.float64] | None = field(default=None, compare=False)
    below_floor: float = -np.inf
    above_floor: float = -np.inf
    then: tuple[float, ...] = ()


class Scorer(Protocol):
    """A measure made ready for one table."""

    @property
    def join(self) -> Join:
        """How terms make a value."""

    @property
    def terms(self) -> NDArray[np.float64]:
        """``terms[j, l]``: their join bounds the value of a node from its levels alone."""

    @property
    def from_levels(self) -> bool:
        """Whether the join of the terms is the value itself when nothing is suppressed."""

    def appraise(self, survey: Survey) -> Appraisal:
        """Value a node."""

    def score(self, appraisal: Appraisal) -> Score:
        """Return the score that an appraisal stands for."""

    def score_of_bound(self, value: float) -> Score:
        """Return the score that a bound on values stands for."""


class Utility(Protocol):
    """A measure of how much a release has lost; lower is better."""

    @property
    def name(self) -> str:
        """What the measure is called in recipes and reports."""

    def prepare(self, cells: Cells, ladders: tuple[Ladder, ...]) -> Scorer:
        """Make ready for one table."""
