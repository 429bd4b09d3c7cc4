"""What models and methods for networks are: the contract of this room.

Three things leave this room: a network with other edges, a grouping of a network, and statistics under
differential privacy. Each has its promises and its methods. Nodes are people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network

if TYPE_CHECKING:
    from sfumato.hierarchy.ladder import Ladder

Figure = int | float | str


@dataclass(frozen=True, eq=False)
class Statistics:
    """Published figures of a network: columns such as ``degree`` and ``nodes``, of equal length."""

    columns: Mapping[str, NDArray[np.float64]]
    statistic: str = ""
    """what they are, such as ``degree-sequence``"""


Publishable = Network | Grouped | Statistics


@dataclass(frozen=True)
class Demand:
    """What a promise asks of what is published, in the one form that methods read.

    ``by`` is what nodes must share with others (``degree``, ``neighbourhood``, ``group``,
    ``automorphism``, ``isomorphism``, ``noise``), and ``people`` with how many including themselves.
    """

    by: str
    people: int = 1
    epsilon: float | None = None
    """of noise: the budget"""
    labelled: bool = False
    """whether labels of nodes are part of what they share"""
    neighbours: str = "edge"
    """of noise: what neighbouring networks differ by, an edge or a node with all its edges"""


class Model(Protocol):
    """A promise about a published network. Frozen dataclass, parameters checked when it is made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def basis(self) -> Basis:
        """What the promise can be checked from."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """The threats it answers."""

    @property
    def stops(self) -> tuple[str, ...]:
        """Names of the attacks that it bounds."""

    def in_words(self) -> str:
        """Say in one sentence (without its full stop) what is promised."""

    def demand(self) -> Demand:
        """The face for methods."""

    def check(self, published: Publishable) -> Verdict:
        """The face for everybody: does it hold for what is published? Shares no code with the methods."""


@dataclass(frozen=True)
class Problem:
    """What a method is handed."""

    network: Network
    models: tuple[Model, ...]
    tree: Ladder | None = None
    """a hierarchy over the labels, for methods that generalise them"""


@dataclass(frozen=True)
class Solution:
    """What a method found.

    Node v of a published network is node v of the problem: new numbers and a new order are given when it is
    written, not by methods. ``group`` says for a grouping in which group each node of the problem lies.
    """

    published: Publishable
    group: NDArray[np.int64] | None = field(default=None, repr=False)
    spent: Mapping[str, float] = field(default_factory=dict)
    """of differential privacy: epsilon, and delta where it is not 0"""
    details: Mapping[str, Figure] = field(default_factory=dict)
    """figures of the search, for the steward"""


class Method(Protocol):
    """A way to change a network so that promises hold. Frozen dataclass, parameters checked when made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def truthful(self) -> bool:
        """Whether every published edge or count is one of the original."""

    def enforces(self, demand: Demand) -> bool:
        """Say whether it can make what it publishes answer this demand."""

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find something publishable that keeps every promise, or raise ``PromiseNotMet``."""
