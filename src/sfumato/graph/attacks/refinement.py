"""Vertex refinement: somebody who knows the degrees around a person, up to a few steps away.

M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized
social networks", PVLDB 1(1), 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
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
class VertexRefinement:
    """From what is around a person, find the published nodes around which it looks the same, and pick one.

        H_0(x) = ∅ (or the label);  H_i(x) = {{ H_{i−1}(y) : y a neighbour of x }}

    H_1 is the degree, H_2 the degrees of the neighbours, H_3 those of their neighbours, neighbour by
    neighbour: ``depth`` is i, 1 to 3. ``knows`` says in which network the adversary looked (see ``Degree``).
    Multisets are compared as they are: no two are taken for equal because their hashes are.

    k-automorphism and k-isomorphism bound the chance by 1 / k, k-degree anonymity only that of depth 1. Of a
    grouping, nothing beyond the group can be told.

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
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or self.depth not in (1, 2, 3):
            raise BadInput("the depth is 1, 2 or 3", where=f"{self.name}, depth")
        check_knows(self.knows, self.name)
        check_labelled(self.labelled, self.knows, self.name)

    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number nodes by what is around them."""
        from sfumato.graph.canonical import vertex_refinement

        if self.labelled:
            for network in networks:
                labels_of(network, self.name)
        return side_by_side(
            networks, lambda network: vertex_refinement(network, self.depth, labelled=self.labelled)
        )

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
        return result_by_class(target, knowledge, self, victims, {"depth": self.depth})
