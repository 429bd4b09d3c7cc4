"""Neighbourhood: somebody who knows a person's neighbours and who of them are connected.

B. Zhou and J. Pei, "Preserving privacy in social networks against neighborhood attacks", ICDE 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.attacks.by_class import ByClass
from sfumato.graph.attacks.candidates import Knows
from sfumato.graph.network import Network


@dataclass(frozen=True)
class Neighbourhood(ByClass):
    """From the edges among a person's neighbours, find the nodes with such a neighbourhood, and pick one.

        cand(x) = {published y : N(y) ≅ N(x)},  N(x) the network induced on the neighbours of x

    ``knows`` says in which network the adversary looked (see ``Degree``); with ``labelled`` an isomorphism
    keeps labels. k-neighbourhood anonymity bounds the chance by 1 / k; who knows what is two steps away is
    not stopped by it. Of a grouping, nothing beyond the group can be told. Needs igraph.

    >>> from sfumato.graph.attacks.contract import Knowledge
    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> print(Neighbourhood().run(kite, Knowledge(kite, node=np.arange(4))))
    neighbourhood: 75.0 % of 4 people, 25.0 % without their data (a blind guess: 25.0 %); sure of 2
    """

    knows: Knows = "published"
    labelled: bool = False
    name: ClassVar[str] = "neighbourhood"
    title: ClassVar[str] = "knows a person's neighbours and who of them are connected"

    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number nodes by the isomorphism class of their neighbourhood."""
        from sfumato.graph.canonical import neighbourhood_forms

        return self.side_by_side(
            networks, lambda network: neighbourhood_forms(network, labelled=self.labelled)
        )
