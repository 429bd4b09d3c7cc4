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
    SetBased,
    in_fixed_order,
    protect_listed,
)
from sfumato.codes.policies.partners import Partners
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class Pcta(SetBased):
    """Like CBA, but every code may be clustered with every other one; the utility policy is ignored.

    Sensitive codes are only joined with sensitive ones.

    >>> Pcta(weights="tree").needs_hierarchy
    True
    """

    name: ClassVar[str] = "pcta"

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
