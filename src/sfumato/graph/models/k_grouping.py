"""k-sized grouping: only groups of k nodes or more are published, and the edges in and between them.

M. Hay, G. Miklau, D. Jensen, D. Towsley & P. Weis, "Resisting structural re-identification in anonymized
social networks" (VLDB 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.graph.contract import Demand, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.models.counted import check_whole, first_nodes, others


@dataclass(frozen=True)
class GroupsWitness(Witness):
    """The smallest groups, by their numbers from 1."""

    def __str__(self) -> str:
        return f"a group of {self.size:,} (group {self.rows[0]})"


@dataclass(frozen=True)
class KGrouping:
    """Every published group has at least k members.

    For all groups X:  |X| ≥ k. A renumbering of the members of a group turns a possible world into another
    one, so whatever is known of the edges around *one* person, in any world, is as true of each of the k or
    more members of the group: a candidate is never alone.

    Protects from being found by anything that is known of one person's place in the network: degree,
    refinement, neighbourhood, any subgraph in which the others are not named. It does not protect from those
    who know several members of a group (two of three, and the third is found: planted accounts, a coalition),
    and it does not hide edges: a group whose members are all connected, or none of whom is, tells that of
    every pair of them.

    >>> def apart(*sizes):
    ...     return Grouped(np.array(sizes), 0 * np.array(sizes), np.zeros((0, 2), int), np.zeros(0, int))
    >>> print(KGrouping(3).check(apart(3, 5)))
    k-grouping holds: required k ≥ 3, achieved k = 3
    >>> print(KGrouping(4).check(apart(3, 5)).witness)
    a group of 3 (group 1)
    """

    k: int
    name: ClassVar[str] = "k-grouping"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    @property
    def stops(self) -> tuple[str, ...]:
        """Whatever is known of one person's edges fits the whole group."""
        return ("degree", "vertex-refinement", "neighbourhood", "subgraph") if self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        return f"everybody is published as one of a group with {others(self.k)}"

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand("group", self.k)

    def check(self, published: Publishable) -> Verdict:
        """Read the sizes of the groups."""
        if not isinstance(published, Grouped):
            raise BadInput(
                "this promise is about groups, and none are published",
                where=self.name,
                remedy="promise k-degree or k-neighbourhood of a network",
            )
        sizes = published.sizes
        few = np.flatnonzero(sizes < self.k)
        witness = None
        if len(few):
            smallest = np.flatnonzero(sizes == sizes.min())
            witness = GroupsWitness(("size",), first_nodes(smallest), int(sizes.min()))
        return Verdict(
            self.name,
            not len(few),
            f"k ≥ {self.k}",
            f"k = {sizes.min()}" if len(sizes) else "no nodes",
            self.basis,
            self.protects_from,
            witness,
            len(few),
        )
