"""k-degree anonymity: nobody is found by how many neighbours they have.

K. Liu & E. Terzi, "Towards identity anonymization on graphs" (SIGMOD 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.graph.contract import Demand, Publishable
from sfumato.graph.models.counted import UNTOLD_LABELS, as_network, check_whole, others, verdict_on_classes


@dataclass(frozen=True)
class KDegree:
    """Every node has the same degree as at least k − 1 others.

    For all nodes v:  |{ u : deg(u) = deg(v) }| ≥ k. Nodes without neighbours are people like others: they
    are the class of degree 0.

    Protects from being found by one's degree in what is published: k candidates remain, a chance of 1/k. It
    does not protect from those who know more: the degrees of neighbours, who of them is connected, labels, a
    few planted accounts, or one's degree before publication where added edges can be recognised; nor does it
    hide edges between classes (where all of a class are connected to all of another, everybody's edges are
    known).

    >>> from sfumato.graph.network import Network
    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> print(KDegree(2).check(path))
    k-degree holds: required k ≥ 2, achieved k = 2
    >>> print(KDegree(2).check(Network.of_edges(3, np.array([[0, 1], [1, 2]]))))
    k-degree does not hold: required k ≥ 2, achieved k = 1; a class of 1 alike by degree (node 2)
    """

    k: int
    name: ClassVar[str] = "k-degree"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    @property
    def stops(self) -> tuple[str, ...]:
        """Who knows a degree (without labels) finds k nodes or more, or none."""
        return ("degree",) if self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        return f"everybody has as many neighbours as {others(self.k)}"

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("degree", self.k)

    def check(self, published: Publishable) -> Verdict:
        """Count the ends of edges at each node, from the list of edges."""
        network = as_network(published, self.name)
        degrees = np.bincount(network.pairs().ravel(), minlength=network.nodes)
        note = UNTOLD_LABELS if network.labels is not None else ""
        return verdict_on_classes(self, self.k, degrees, by="degree", note=note)
