"""k-neighbourhood anonymity: nobody is found by how their neighbours are connected.

B. Zhou & J. Pei, "Preserving privacy in social networks against neighborhood attacks" (ICDE 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.graph.canonical.neighbourhoods import neighbourhood_forms
from sfumato.graph.contract import Demand, Publishable
from sfumato.graph.models.counted import UNTOLD_LABELS, as_network, check_whole, others, verdict_on_classes


@dataclass(frozen=True)
class KNeighbourhood:
    """Every node has a neighbourhood that is isomorphic to those of at least k − 1 others.

    With N(v) the network induced on the neighbours of v (without v itself), for all nodes v:
    |{ u : N(u) ≅ N(v) }| ≥ k. ``labelled``: the isomorphism keeps the labels of the neighbours, and u has the
    label of v. Implies k-degree anonymity, as N(v) has deg(v) nodes.

    Protects from being found by one's friends and the friendships among them: k candidates remain. It does
    not protect from those who know what lies further away (degrees of neighbours in the whole network, their
    neighbours), nor a planted subgraph, nor, unless ``labelled``, from those who know labels.

    >>> import numpy as np
    >>> from sfumato.graph.network import Network
    >>> square = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]]))
    >>> print(KNeighbourhood(2).check(square).achieved)
    k = 1
    """

    k: int
    labelled: bool = False
    name: ClassVar[str] = "k-neighbourhood"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        if not isinstance(self.labelled, bool):
            raise BadInput("labelled is true or false", where=self.name, remedy="try labelled: true")

    @property
    def stops(self) -> tuple[str, ...]:
        """Who knows the neighbourhood, or only the degree, finds k nodes or more, or none."""
        return ("degree", "neighbourhood") if self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        labels = ", labels included" if self.labelled else ""
        return f"everybody's neighbours are connected among each other as those of {others(self.k)}{labels}"

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("neighbourhood", self.k, labelled=self.labelled)

    def check(self, published: Publishable) -> Verdict:
        """Number the neighbourhoods that are isomorphic, and count the nodes of each number."""
        network = as_network(published, self.name)
        classes = neighbourhood_forms(network, labelled=self.labelled)
        note = UNTOLD_LABELS if network.labels is not None and not self.labelled else ""
        by = "neighbourhood and labels" if self.labelled else "neighbourhood"
        return verdict_on_classes(self, self.k, classes, by=by, note=note)
