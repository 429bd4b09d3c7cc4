"""COAT: constraint-based anonymisation of transactions.

G. Loukides, A. Gkoulalas-Divanis and B. Malin, "COAT: constraint-based anonymization of transactions"
(Knowledge and Information Systems, 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import exact_share
from sfumato.codes.methods.clusters import Clusters
from sfumato.codes.methods.set_based import (
    SetBased,
    Target,
    most_held_first,
    protect_listed,
)
from sfumato.codes.policies.partners import Partners
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class Coat(SetBased):
    """Protect the privacy constraint that most records hold, by its rarest item, until all are protected.

    Of an unprotected constraint p the item ĩ that fewest records hold is joined with the item ĩ' of its
    utility constraint for which UL(ĩ ∪ ĩ') is least; when there is none, ĩ is suppressed, even if
    another item of p could still be joined. It fails when more than the share ``suppress`` of all codes would
    be suppressed. Codes that no utility constraint names are never generalised. ``weights: tree`` takes the
    share of the hierarchy's leaves under the lowest node above all codes of an item as its w in UL.

    >>> Coat(suppress=0.1)
    Coat(weights='equal', suppress=0.1)
    """

    suppress: float = 1.0
    name: ClassVar[str] = "coat"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._limit(1)

    def _limit(self, codes: int) -> int:
        """Return how many codes may be suppressed."""
        return int(exact_share(self.suppress, "suppress", self.name, "try suppress: 0.05") * codes)

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Join codes inside utility constraints, suppress where that is not enough."""
        codes = len(problem.sets.domain)
        limit = self._limit(codes)

        def step(clusters: Clusters, target: Target) -> None:
            while items := clusters.items(target.codes):
                if clusters.held_by(items, target.bound) >= target.bound:
                    return
                rarest = min(items, key=lambda item: (clusters.support[item], item))
                partner, _ = clusters.cheapest(rarest)
                if partner >= 0:
                    clusters.join(rarest, partner)
                    continue
                clusters.suppress(rarest)
                if clusters.suppressed > limit:
                    raise PromiseNotMet(
                        f"more than {limit} of {codes} codes would have to be suppressed",
                        where=self.name,
                        remedy="allow more with 'suppress', choose a smaller k, or widen the utility policy",
                    )
                if not target.strict:
                    return

        return protect_listed(
            problem,
            Partners.under(problem.sets.domain, problem.utility, problem.sensitive),
            step,
            most_held_first,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
