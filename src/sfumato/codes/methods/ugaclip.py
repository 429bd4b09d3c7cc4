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
    Target,
    Weights,
    check_weights,
    lists_itemsets,
    most_held_first,
    protect_listed,
    suppress_what_cannot_be_saved,
)
from sfumato.codes.policies.partners import Partners
from sfumato.codes.question import Question
from sfumato.core.progress import SILENT, Progress


def generalise_the_rarest(clusters: Clusters, target: Target) -> None:
    """Join the rarest code that still has a partner with the cheapest one, until enough records hold all."""

    def patients(item: int) -> tuple[int, ...]:
        return int(clusters.support[item]), item

    items = suppress_what_cannot_be_saved(clusters, target, patients)
    while items and clusters.held_by(items, target.bound) < target.bound:
        rarest = min(filter(clusters.has_partner, items), key=patients)
        clusters.join(rarest, clusters.cheapest(rarest)[0])
        items = clusters.items(target.codes)


@dataclass(frozen=True)
class Ugaclip:
    """Protect the privacy constraint that most patients share, by generalising its rarest codes.

    Of an unprotected constraint p the code i that fewest patients have, among those that may still be
    generalised under the utility policy, is joined with the i' for which UL((i, i')) is least. Codes of p are
    suppressed, the rarest first, exactly where even the whole utility constraints would not reach k;
    that is seen before anything is joined in vain. Codes that no utility constraint names are never
    generalised. Where nothing of a utility constraint is suppressed, as many records as before show at least
    one of its codes: cases and controls of a study stay the same.

    >>> Ugaclip()
    Ugaclip(weights='equal')
    """

    weights: Weights = "equal"
    name: ClassVar[str] = "ugaclip"

    def __post_init__(self) -> None:
        check_weights(self.weights, self.name)

    @property
    def needs_hierarchy(self) -> bool:
        """Only for weights from a tree."""
        return self.weights == "tree"

    def enforces(self, question: Question) -> bool:
        """It protects itemsets that a policy lists."""
        return lists_itemsets(question)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Join codes inside utility constraints, suppress where that cannot be enough."""
        return protect_listed(
            problem,
            Partners.under(problem.sets.domain, problem.utility, problem.sensitive),
            generalise_the_rarest,
            most_held_first,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
