"""What attacks on networks share: what the adversary holds, what the house knows to tell who was right.

What comes out is the same for every kind of data: see ``core/attack.py``. Nobody is named: people are nodes
of the original, numbered from 0 (a victim's ``row`` is the number of the original node, from 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What the adversary holds, and what the house knows to tell who was right."""

    original: Network | None = None
    """the network before it was protected: from it comes what the adversary knows of people"""
    node: NDArray[np.int64] | None = field(default=None, repr=False)
    """the published node (of a grouping: the group) of each node of the original, −1 for nobody"""
    other: Network | None = None
    """a second network, whose nodes the adversary knows by name"""
    same: NDArray[np.int64] | None = field(default=None, repr=False)
    """for each node of ``other`` the published node of the same person, −1 for nobody: the truth"""
    seeds: NDArray[np.int64] | None = field(default=None, repr=False)
    """pairs (node of ``other``, published node) that the adversary knows from the start"""
    protect: Callable[[Network], Publishable] | None = None
    """publishes any network as the house would, nodes keeping their numbers: for adversaries who take part"""


class Attack(Protocol):
    """An adversary. A frozen dataclass whose fields are its parameters, checked when it is made."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def title(self) -> str:
        """What the adversary does, in a few words."""

    @property
    def threat(self) -> Threat:
        """What is learned when it succeeds."""

    @property
    def needs(self) -> frozenset[Need]:
        """What must be at hand."""

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Attack what was published; with ``victims`` also say which nodes of the original were hit."""


def original_of(knowledge: Knowledge, where: str) -> tuple[Network, NDArray[np.int64]]:
    """Return the original and the published node of each of its nodes; refuse to go without."""
    if knowledge.original is None or not knowledge.original.nodes:
        raise BadInput(
            "there is nobody to attack", where=where, remedy="give the network before it was protected"
        )
    original = knowledge.original
    node = knowledge.node
    if node is None:
        raise BadInput(
            "nobody knows which published node is whose",
            where=where,
            remedy="give the published node of each node of the original",
        )
    if len(node) != original.nodes:
        raise AssertionError("the truth has a published node for each node of the original")
    return original, np.asarray(node, np.int64)
