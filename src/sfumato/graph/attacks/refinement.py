"""Vertex refinement: somebody who knows the degrees around a person, up to a few steps away.

M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized
social networks", PVLDB 1(1), 2008.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.attacks.by_class import ByClass
from sfumato.graph.attacks.candidates import Knows
from sfumato.graph.contract import Figure
from sfumato.graph.network import Network


@dataclass(frozen=True)
class VertexRefinement(ByClass):
    """From what is around a person, find the published nodes around which it looks the same, and pick one.

        H_0(x) = ∅ (or the label);  H_i(x) = {{ H_{i−1}(y) : y a neighbour of x }}

    H_1 is the degree, H_2 the degrees of the neighbours, H_3 those of their neighbours, neighbour by
    neighbour: ``depth`` is i, 1 to 3. ``knows`` says in which network the adversary looked (see ``Degree``).
    Multisets are compared as they are: no two are taken for equal because their hashes are.

    k-automorphism and k-isomorphism bound the chance by 1 / k, k-degree anonymity only that of depth 1. Of a
    grouping, nothing beyond the group can be told.

    >>> from sfumato.graph.attacks.contract import Knowledge
    >>> path = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 3], [3, 4]]))
    >>> naive = Knowledge(path, node=np.arange(5))
    >>> [VertexRefinement(depth).run(path, naive).certain for depth in (1, 2)]
    [0, 1]
    """

    depth: int = 2
    knows: Knows = "published"
    labelled: bool = False
    name: ClassVar[str] = "vertex-refinement"
    title: ClassVar[str] = "knows the degrees around a person, a few steps far"

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or self.depth not in (1, 2, 3):
            raise BadInput("the depth is 1, 2 or 3", where=f"{self.name}, depth")
        super().__post_init__()

    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number nodes by what is around them."""
        from sfumato.graph.canonical import vertex_refinement

        return self.side_by_side(
            networks, lambda network: vertex_refinement(network, self.depth, labelled=self.labelled)
        )

    def figures(self) -> Mapping[str, Figure]:
        """Return how far the adversary sees."""
        return {"depth": self.depth}
