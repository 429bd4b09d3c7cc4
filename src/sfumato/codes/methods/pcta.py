"""PCTA: privacy-constrained clustering of transaction data.

A. Gkoulalas-Divanis and G. Loukides, "PCTA: privacy-constrained clustering-based transaction data
anonymization" (PAIS 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.clustering_based import cluster_cheaply, least_dear
from sfumato.codes.methods.set_based import (
    Weights,
    check_weights,
    in_fixed_order,
    lists_itemsets,
    protect_listed,
)
from sfumato.codes.policies.partners import Partners
from sfumato.codes.question import Question
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class Pcta:
    """Like CBA, but every code may be clustered with every other one; the utility policy is ignored.

    Sensitive codes are only joined with sensitive ones.

    >>> Pcta(weights="tree").needs_hierarchy
    True
    """

    weights: Weights = "equal"
    name: ClassVar[str] = "pcta"

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
        """Cluster codes with whichever others lose least."""
        return protect_listed(
            problem,
            Partners.anyone(len(problem.sets.domain), problem.sensitive),
            cluster_cheaply,
            in_fixed_order,
            least_dear,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
