"""UGACLIP: utility-guided anonymisation of clinical profiles.

G. Loukides, A. Gkoulalas-Divanis and B. Malin, "Anonymization of electronic medical records for validating
genome-wide association studies" (PNAS 2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.methods.set_based import (
    SetBased,
    Target,
    most_held_first,
    protect_listed,
    suppress_what_must_go,
)
from sfumato.codes.policies.partners import Partners
from sfumato.core.progress import SILENT, Progress


def fewest_reached(clusters: Clusters, item: int, standing: int = 1) -> tuple[float, ...]:
    """Let those items go first that fewest patients would have with all of their partners, then the rarest.

    Codes of one utility constraint go together: to lose some of it is to lose reach for the others.
    """
    return clusters.reach([item], len(clusters.sets)), int(clusters.support[item]), item


def generalise_the_rarest(clusters: Clusters, target: Target) -> None:
    """Join the rarest code that gains records for the itemset with its cheapest partner, until it is held."""
    items = suppress_what_must_go(clusters, target, lambda item: fewest_reached(clusters, item))
    while items and (have := clusters.held_by(items, target.bound)) < target.bound:
        near, number = clusters.nearest(items)
        need = min(target.bound - have, number)
        by_patients = sorted(items, key=lambda item: (clusters.support[item], item))
        partners = ((item, clusters.cheapest(item, near, need)[0]) for item in by_patients)
        # Somebody near lacks an item and holds another one of its group, so there is a partner.
        clusters.join(*next((item, partner) for item, partner in partners if partner >= 0))
        items = clusters.items(target.codes)


@dataclass(frozen=True)
class Ugaclip(SetBased):
    """Protect the privacy constraint that most patients share, by generalising its rarest codes.

    Of an unprotected constraint p the code i that fewest patients have, among those that the utility policy
    lets gain patients for p, is joined with the i' that promises the least UL when k patients share p.
    Where even the whole utility constraints would not reach k, codes of p are suppressed: first those that
    fewest patients would have with all of their partners. That is done before anything is joined. Codes that
    no utility constraint names are never generalised. Where nothing of a utility constraint is suppressed, as
    many records as before show at least one of its codes: cases and controls of a study stay the same.

    Where that would take codes of a utility constraint, it is tried again with codes spared: those of as
    many utility constraints as can be kept whole together (``whole_constraints``). The result that keeps
    most of them whole is taken, then the one that suppresses fewest occurrences. So a disease may be kept at
    the price of more other codes.

    >>> Ugaclip()
    Ugaclip(weights='equal')
    """

    name: ClassVar[str] = "ugaclip"

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Join codes inside utility constraints, suppress where that cannot be enough."""
        return protect_listed(
            problem,
            Partners.under(problem.sets.domain, problem.utility, problem.sensitive),
            generalise_the_rarest,
            most_held_first,
            fewest_reached,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
