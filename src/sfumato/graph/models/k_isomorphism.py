"""k-isomorphism: the network is k copies of one network, side by side.

J. Cheng, A. W.-C. Fu & J. Liu, "K-isomorphism: privacy preserving network publication against structural
attacks" (SIGMOD 2010).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.graph.canonical.components import connected_components
from sfumato.graph.contract import Demand, Publishable
from sfumato.graph.models.counted import (
    UNTOLD_LABELS,
    ComponentWitness,
    as_network,
    check_whole,
    first_nodes,
)


@dataclass(frozen=True)
class KIsomorphism:
    """The network falls into k subgraphs that are isomorphic to each other, with no edge between them.

    G = g1 ∪ … ∪ gk, disjoint, no edge between gi and gj, and gi ≅ gj for all i, j. Decided exactly: it holds
    if and only if the number of connected components of each isomorphism class is a multiple of k.

    *If*: deal the components of each class out to k lots, as many to each. *Only if*: no edge leaves a gi,
    so every connected component lies in one of them, and each gi is a union of components. Isomorphic graphs
    have as many components of each class, so a class occurs k times as often as it does in g1.

    Nodes without neighbours are components too. A network that falls into 6 equal lots also falls into 2 and
    into 3, and not into 4 or 5: the promise is for the k that is named.

    Protects from being found by *any* structural knowledge about the place of one person: the k copies of a
    node cannot be told apart. Who is connected to whom is hidden likewise: two people are in the same copy
    with a chance of 1/k. It does not protect from those who know labels, nor from a coalition or planted
    accounts that fill a copy of their own.

    >>> from sfumato.graph.network import Network
    >>> pairs = Network.of_edges(6, np.array([[0, 1], [2, 3], [4, 5]]))
    >>> print(KIsomorphism(3).check(pairs))
    k-isomorphism holds: required 3 equal lots, achieved 3 equal lots
    >>> KIsomorphism(2).check(pairs).holds
    False
    """

    k: int
    name: ClassVar[str] = "k-isomorphism"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    @property
    def stops(self) -> tuple[str, ...]:
        """The copies of a node cannot be told apart by edges, however far one looks."""
        return ("degree", "vertex-refinement", "neighbourhood", "subgraph") if self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        return f"the network is {self.k:,} networks side by side that cannot be told apart"

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("isomorphism", self.k)

    def check(self, published: Publishable) -> Verdict:
        """Count the connected components of each isomorphism class."""
        network = as_network(published, self.name)
        found = connected_components(network)
        counts = np.bincount(found.codes, minlength=len(found.examples))
        wrong = np.flatnonzero(counts % self.k)
        lots = math.gcd(*counts.tolist())
        witness = None
        if len(wrong):
            rarest = int(wrong[counts[wrong].argmin()])
            component = int(np.flatnonzero(found.codes == rarest)[0])
            members = np.sort(found.members[found.bounds[component] : found.bounds[component + 1]])
            witness = ComponentWitness(
                ("components",), first_nodes(members), int(counts[rarest]), nodes=len(members)
            )
        return Verdict(
            self.name,
            not len(wrong),
            f"{self.k:,} equal lot{'s' * (self.k != 1)}",
            f"{lots:,} equal lot{'s' * (lots != 1)}" if lots else "no nodes",
            self.basis,
            self.protects_from,
            witness,
            len(wrong),
            UNTOLD_LABELS if network.labels is not None else "",
        )
