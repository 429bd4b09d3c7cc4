"""ACLIP: anonymisation of clinical profiles without a utility policy.

The method that UGACLIP is compared with in G. Loukides, A. Gkoulalas-Divanis and B. Malin, "Anonymization of
electronic medical records for validating genome-wide association studies" (PNAS 2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.set_based import (
    SetBased,
    most_held_first,
    protect_listed,
)
from sfumato.codes.methods.ugaclip import fewest_reached, generalise_the_rarest
from sfumato.codes.policies.partners import Partners
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class Aclip(SetBased):
    """Like UGACLIP, but every code may be generalised with every other one; the utility policy is ignored.

    It loses least by UL and suppresses almost nothing, and its items cross diseases: what it publishes is of
    little use to studies of single diseases. Sensitive codes are only joined with sensitive ones.

    >>> Aclip()
    Aclip(weights='equal')
    """

    name: ClassVar[str] = "aclip"

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Join codes with whichever others lose least."""
        return protect_listed(
            problem,
            Partners.anyone(len(problem.sets.domain), problem.sensitive),
            generalise_the_rarest,
            most_held_first,
            fewest_reached,
            weights=self.weights,
            name=self.name,
            progress=progress,
        )
