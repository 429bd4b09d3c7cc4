"""k-automorphism: every node has k − 1 others that look the same from everywhere.

L. Zou, L. Chen & M. T. Özsu, "K-automorphism: a general framework for privacy preserving network publication"
(VLDB 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.graph.canonical.components import connected_components, network_of
from sfumato.graph.canonical.refine import vertex_refinement
from sfumato.graph.contract import Demand, Publishable
from sfumato.graph.models.automorphisms import Found, disjoint_automorphisms
from sfumato.graph.models.counted import (
    UNTOLD_LABELS,
    ComponentWitness,
    NodesWitness,
    as_network,
    check_whole,
    first_nodes,
    others,
)
from sfumato.graph.network import Network

NOT_DECIDED = "not decided: the automorphisms are too many to go through, and none that prove it were found"


@dataclass(frozen=True)
class KAutomorphism:
    """There are k − 1 automorphisms that, with the identity, differ from each other at every node.

    f0 = identity, f1, …, fk−1 automorphisms of G with fi(v) ≠ fj(v) for all nodes v and i ≠ j.

    Sure that it does not hold: if vertex refinement, or the orbits of the automorphisms, have a class of
    fewer than k nodes. Sure that it holds: if such automorphisms were found and checked edge by edge, in each
    isomorphism class of components (see ``automorphisms``). Where a search within a limit finds neither, the
    verdict is that it does not hold, with the note that this was not decided.

    Protects from being found by *any* knowledge about where one person stands in the network: k nodes fit it
    equally. It does not protect from those who know labels, nor several people at once (a coalition, planted
    accounts), nor does it hide edges: the images of two connected nodes are connected.

    >>> from sfumato.graph.network import Network
    >>> ring = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]))
    >>> print(KAutomorphism(4).check(ring))
    k-automorphism holds: required k ≥ 4, achieved k = 4
    >>> print(KAutomorphism(2).check(Network.of_edges(3, np.array([[0, 1], [1, 2]]))).achieved)
    k = 1
    """

    k: int
    name: ClassVar[str] = "k-automorphism"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    @property
    def stops(self) -> tuple[str, ...]:
        """The images of a node cannot be told apart by edges, however far one looks."""
        return ("degree", "vertex-refinement", "neighbourhood", "subgraph") if self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        return f"everybody can be exchanged for {others(self.k)} without changing the network"

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("automorphism", self.k)

    def check(self, published: Publishable) -> Verdict:
        """Look for a class that is too small, then for the automorphisms that are promised."""
        network = as_network(published, self.name)
        if not network.nodes or self.k == 1:
            return self._verdict(network, True, "k ≥ 1" if network.nodes else "no nodes")
        classes = vertex_refinement(network, None)
        sizes = np.bincount(classes)
        if sizes.min() < self.k:
            worst = np.flatnonzero(classes == sizes.argmin())
            witness = NodesWitness(("place in the network",), first_nodes(worst), len(worst))
            reached = "k = 1" if len(worst) == 1 else f"k ≤ {len(worst)}"
            return self._verdict(network, False, reached, witness, int(np.count_nonzero(sizes < self.k)))
        return self._searched(network)

    def _searched(self, network: Network) -> Verdict:
        parts = connected_components(network)
        counts = np.bincount(parts.codes, minlength=len(parts.examples)).tolist()
        found: list[Found] = []
        for count, row in zip(counts, parts.examples, strict=True):
            one = disjoint_automorphisms(network_of(row), -(-self.k // count))
            found.append(Found(count * one.least, count * one.most))
        least, most = min(one.least for one in found), min(one.most for one in found)
        if least >= self.k:
            return self._verdict(network, True, f"k = {least}" if least == most else f"k ≥ {least}")
        code = next(at for at, one in enumerate(found) if one.least < self.k and one.most == most)
        component = int(np.flatnonzero(parts.codes == code)[0])
        nodes = np.sort(parts.members[parts.bounds[component] : parts.bounds[component + 1]])
        sure = most < self.k
        reached = f"{least} ≤ k ≤ {most}" if least < most else f"k = {least}"
        return self._verdict(
            network,
            False,
            reached if sure else f"k ≥ {least}, not decided",
            ComponentWitness(("components",), first_nodes(nodes), counts[code], nodes=len(nodes)),
            sum(one.least < self.k for one in found),
            "" if sure else NOT_DECIDED,
        )

    def _verdict(
        self,
        network: Network,
        holds: bool,
        achieved: str,
        witness: NodesWitness | None = None,
        violations: int = 0,
        note: str = "",
    ) -> Verdict:
        untold = UNTOLD_LABELS if network.labels is not None else ""
        return Verdict(
            self.name,
            holds,
            f"k ≥ {self.k}",
            achieved,
            self.basis,
            self.protects_from,
            witness,
            violations,
            "; ".join(filter(None, (note, untold))),
        )
