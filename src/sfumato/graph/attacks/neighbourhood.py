"""Neighbourhood: somebody who knows a person's neighbours and who of them are connected.

B. Zhou and J. Pei, "Preserving privacy in social networks against neighborhood attacks", ICDE 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import (
    Candidates,
    Knows,
    candidates_by_class,
    check_knows,
    check_labelled,
    labels_of,
    result_by_class,
    side_by_side,
)
from sfumato.graph.attacks.contract import Knowledge
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network


@dataclass(frozen=True)
class Neighbourhood:
    """From the edges among a person's neighbours, find the nodes with such a neighbourhood, and pick one.

        cand(x) = {published y : N(y) ≅ N(x)},  N(x) the network induced on the neighbours of x

    ``knows`` says in which network the adversary looked (see ``Degree``); with ``labelled`` an isomorphism
    keeps labels. k-neighbourhood anonymity bounds the chance by 1 / k; who knows what is two steps away is
    not stopped by it. Of a grouping, nothing beyond the group can be told. Needs igraph.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> print(Neighbourhood().run(kite, Knowledge(kite, node=np.arange(4))))
    neighbourhood: 75.0 % of 4 people, 25.0 % without their data (a blind guess: 25.0 %); sure of 2
    """

    knows: Knows = "published"
    labelled: bool = False
    name: ClassVar[str] = "neighbourhood"
    title: ClassVar[str] = "knows a person's neighbours and who of them are connected"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_knows(self.knows, self.name)
        check_labelled(self.labelled, self.knows, self.name)

    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number nodes by the isomorphism class of their neighbourhood."""
        from sfumato.graph.canonical import neighbourhood_forms

        if self.labelled:
            for network in networks:
                labels_of(network, self.name)
        return side_by_side(networks, lambda network: neighbourhood_forms(network, labelled=self.labelled))

    def candidates(self, target: Publishable, knowledge: Knowledge) -> Candidates:
        """Return the candidates of everybody."""
        return candidates_by_class(target, knowledge, self)

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for everybody in the original."""
        return result_by_class(target, knowledge, self, victims, {})
