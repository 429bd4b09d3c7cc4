"""Adversaries whose knowledge divides nodes into classes: who is in a person's class is a candidate.

M. Hay, G. Miklau, D. Jensen, D. Towsley and P. Weis, "Resisting structural re-identification in anonymized
social networks", PVLDB 1(1), 2008: degrees, what is around a node, and neighbourhoods are such knowledge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.graph.attacks.candidates import (
    GROUPED,
    Candidates,
    Knows,
    check_knows,
    identity_result,
    people_behind,
)
from sfumato.graph.attacks.contract import Knowledge, original_of
from sfumato.graph.contract import Figure, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network


class ByClass(ABC):
    """What such adversaries share; each adds its fields, and how it numbers the classes.

        cand(x) = {published y : class(y) = class(x)};  success = mean of 1 / |cand(x)|

    Of a grouping the members of a person's group are candidates, whatever the adversary knows.
    """

    knows: Knows
    labelled: bool
    name: ClassVar[str]
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_knows(self.knows, self.name)
        if self.labelled and self.knows == "original":
            # Labels may be generalised when they are published: those of the original have no equal then.
            raise BadInput(
                "labels are compared as they are published",
                where=f"{self.name}, labelled",
                remedy="take knows = published, or leave labels aside",
            )

    @abstractmethod
    def classes(self, *networks: Network) -> tuple[NDArray[np.int64], ...]:
        """Number the answers of all nodes, equal answers alike throughout all networks, from 0."""

    def figures(self) -> Mapping[str, Figure]:
        """Return what a result tells of the adversary, beside what it knows."""
        return {}

    def knows_only_the_group(self, target: Publishable) -> bool:
        """Say whether the adversary is taken to know a person's group and no more."""
        return isinstance(target, Grouped)

    def candidates(self, target: Publishable, knowledge: Knowledge) -> Candidates:
        """Return the candidates of everybody."""
        node = people_behind(target, knowledge, self.name)
        there = node >= 0
        if isinstance(target, Grouped):
            return Candidates(np.where(there, target.sizes[node], 0), there)
        assert isinstance(target, Network)
        if self.knows == "published":
            return Candidates(np.where(there, candidate_sizes(target, self)[node], 0), there)
        original, _ = original_of(knowledge, self.name)
        was, now = self.classes(original, target)
        many = np.bincount(now, minlength=int(was.max()) + 1)
        return Candidates(many[was], there & (now[node] == was))

    def run(
        self,
        target: Publishable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for everybody in the original."""
        found = self.candidates(target, knowledge)
        assert isinstance(target, Network | Grouped)
        group = self.knows_only_the_group(target)
        return identity_result(
            self.name,
            found,
            target.nodes,
            details={"knows": "group" if group else self.knows, **self.figures()},
            note=GROUPED if group else "",
            victims=victims,
        )

    def labels_of(self, network: Network) -> NDArray[np.int64]:
        """Return the labels of a network as numbers, or say that there are none."""
        if network.labels is None:
            where = f"{self.name}, labelled"
            raise BadInput("nodes have no labels", where=where, remedy="leave labels aside")
        return network.labels.astype(np.int64)

    def side_by_side(
        self, networks: tuple[Network, ...], number: Callable[[Network], NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], ...]:
        """Number the nodes of one or two networks so that equal numbers mean the same in both."""
        from sfumato.graph.canonical import together

        if self.labelled:
            for network in networks:
                self.labels_of(network)
        whole = networks[0]
        for network in networks[1:]:
            whole = together(whole, network)
        ends = np.cumsum([network.nodes for network in networks])
        return tuple(np.split(number(whole), ends[:-1]))


def candidate_sizes(network: Network, by: ByClass) -> NDArray[np.int64]:
    """Return for each node of a network how many nodes, itself included, give the same answer.

    >>> from sfumato.graph.attacks.degree import Degree
    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> candidate_sizes(path, Degree()).tolist()
    [2, 1, 2]
    """
    (number,) = by.classes(network)
    return np.bincount(number)[number] if len(number) else np.zeros(0, np.int64)
