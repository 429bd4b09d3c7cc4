"""Degree: somebody who knows how many neighbours a person has looks for nodes with as many.

K. Liu and E. Terzi, "Towards identity anonymization on graphs", SIGMOD 2008; H1 of M. Hay, G. Miklau,
D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized social networks",
PVLDB 1(1), 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.attacks.by_class import ByClass
from sfumato.graph.attacks.candidates import Candidates, Knows, people_behind
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.contract import Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


@dataclass(frozen=True)
class Degree(ByClass):
    """From the degree of a person, find the published nodes with this degree, and pick one.

        cand(x) = {published y : deg(y) = deg(x)};  success = mean of 1 / |cand(x)|

    With ``knows="published"`` the degree is that of the person's node in what was published: the worst case,
    and what k-degree anonymity bounds by 1 / k. With ``"original"`` it is the true degree; where the method
    changed it, the person's node is not among the candidates. An adversary who has heard that edges were
    **only added** (``only_added``) keeps every node with at least the true degree. With ``labelled`` the
    candidates must also have the person's label.

    Of a **grouping** the degree is not published. With ``"published"`` the adversary is taken to know the
    person's group, with ``"original"`` the true degree: candidates are then all members of all groups in
    which some possible world has a node of this degree.

    Who knows more of the neighbours than their number is not stopped by k-degree anonymity.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> print(Degree().run(path, Knowledge(path, node=np.arange(3))))
    degree: 66.7 % of 3 people, 33.3 % without their data (a blind guess: 33.3 %); sure of 1
    """

    knows: Knows = "published"
    only_added: bool = False
    labelled: bool = False
    name: ClassVar[str] = "degree"
    title: ClassVar[str] = "knows how many neighbours a person has"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.only_added and self.knows != "original":
            raise BadInput(
                "that edges were only added matters to those who know the true degree",
                where=f"{self.name}, only_added",
                remedy="take knows = original",
            )

    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number nodes by degree (and label)."""
        degrees = [network.degrees() for network in networks]
        if not self.labelled:
            return tuple(degrees)
        labels = [self.labels_of(network) for network in networks]
        beyond = 1 + max((int(label.max(initial=0)) for label in labels), default=0)
        return tuple(degree * beyond + label for degree, label in zip(degrees, labels, strict=True))

    def candidates(self, target: Publishable, knowledge: Knowledge) -> Candidates:
        """Return the candidates of everybody."""
        if self.knows == "original" and isinstance(target, Grouped):
            return _in_possible_worlds(target, knowledge)
        if self.only_added and isinstance(target, Network):
            return _with_at_least(target, knowledge)
        return super().candidates(target, knowledge)

    def knows_only_the_group(self, target: Publishable) -> bool:
        """The true degree leaves less than a group: see ``possible_degrees``."""
        return isinstance(target, Grouped) and self.knows == "published"


def _with_at_least(target: Network, knowledge: Knowledge) -> Candidates:
    node = people_behind(target, knowledge, Degree.name)
    original, _ = original_of(knowledge, Degree.name)
    was, now = original.degrees(), target.degrees()
    as_many = target.nodes - np.searchsorted(np.sort(now), was)
    return Candidates(as_many.astype(np.int64), (node >= 0) & (now[node] >= was))


def possible_degrees(grouped: Grouped) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the smallest and the greatest degree that a member of each group has in any possible world.

    A node of X takes between e − (pairs without it) and min(e, pairs with it) of the e edges inside X or
    between X and Y, for each of these independently.

    >>> fours = Grouped(np.array([4]), np.array([5]), np.zeros((0, 2), np.int64), np.zeros(0, np.int64))
    >>> [bound.tolist() for bound in possible_degrees(fours)]
    [[2], [3]]
    """
    sizes, inside = grouped.sizes, grouped.inside
    fewest = np.maximum(0, inside - (sizes - 1) * (sizes - 2) // 2)
    most = np.minimum(inside, sizes - 1)
    for here, there in ((0, 1), (1, 0)):
        one, other = grouped.links[:, here], grouped.links[:, there]
        np.add.at(fewest, one, np.maximum(0, grouped.between - (sizes[one] - 1) * sizes[other]))
        np.add.at(most, one, np.minimum(grouped.between, sizes[other]))
    return fewest, most


def _in_possible_worlds(target: Grouped, knowledge: Knowledge) -> Candidates:
    node = people_behind(target, knowledge, Degree.name)
    original, _ = original_of(knowledge, Degree.name)
    degree = original.degrees()
    fewest, most = possible_degrees(target)
    begun, over = np.argsort(fewest), np.argsort(most)
    until = np.concatenate([np.zeros(1, np.int64), np.cumsum(target.sizes[begun])])
    ended = np.concatenate([np.zeros(1, np.int64), np.cumsum(target.sizes[over])])
    sizes = (
        until[np.searchsorted(fewest[begun], degree, side="right")]
        - ended[np.searchsorted(most[over], degree, side="left")]
    )
    own = (node >= 0) & (fewest[node] <= degree) & (degree <= most[node])
    return Candidates(sizes.astype(np.int64), own)
