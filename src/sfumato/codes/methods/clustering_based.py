"""CBA: clustering-based anonymisation of diagnosis codes under a utility policy.

G. Loukides and A. Gkoulalas-Divanis, "Utility-aware anonymization of diagnosis codes" (IEEE Journal of
Biomedical and Health Informatics, 2013).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.methods.set_based import (
    SetBased,
    Target,
    in_fixed_order,
    protect_listed,
    suppress_what_must_go,
)
from sfumato.codes.policies.partners import Partners
from sfumato.core.progress import SILENT, Progress


def least_dear(clusters: Clusters, item: int, standing: int = 1) -> tuple[float, ...]:
    """Let items outside the utility policy go first, then those that fewest records would hold at most.

    Of these the one that loses fewest records for each itemset that it frees.
    """
    reach = clusters.reach([item], len(clusters.sets))
    return int(clusters.partners.named[item]), reach, int(clusters.support[item]) / standing, item


def cluster_cheaply(clusters: Clusters, target: Target) -> None:
    """Of all joins of an item of the itemset take the one that promises least UL, until it is held by k."""
    items = suppress_what_must_go(clusters, target, lambda item: least_dear(clusters, item))
    while items and (have := clusters.held_by(items, target.bound)) < target.bound:
        near, number = clusters.nearest(items)
        need = min(target.bound - have, number)
        chosen, least = (-1, -1), math.inf
        for item in items:
            partner, loss = clusters.cheapest(item, near, need, least)
            if partner >= 0:
                chosen, least = (item, partner), loss
        clusters.join(*chosen)
        items = clusters.items(target.codes)


@dataclass(frozen=True)
class ClusteringBased(SetBased):
    """Take privacy constraints by falling support and cluster their codes where that loses least.

    Constraints that most records hold need least protection and come first. For a constraint p, of all
    ways to join one of its items with another item of the same utility constraint that gains records for p
    the one is taken that promises the least UL when p is held by k records. Codes are suppressed only
    where even the whole utility constraints would not reach k, before anything is joined, and no more than
    needed: first codes that no utility constraint names, so that diseases under study stay whole, then those
    that fewest records would hold with all of their partners. Where nothing of a utility constraint is
    suppressed, as many records as before show at least one of its codes.

    Where that would take codes of a utility constraint, it is tried again with codes spared: those of as
    many utility constraints as can be kept whole together (``whole_constraints``). The result that keeps
    most of them whole is taken, then the one that suppresses fewest occurrences. So a disease may be kept at
    the price of more other codes.

    >>> ClusteringBased()
    ClusteringBased(weights='equal')
    """

    name: ClassVar[str] = "cba"

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Cluster codes inside utility constraints, suppress where that cannot be enough."""
        return protect_listed(
            problem,
            Partners.under(problem.sets.domain, problem.utility, problem.sensitive),
            cluster_cheaply,
            in_fixed_order,
            least_dear,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
