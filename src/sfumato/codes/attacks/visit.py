"""Visit: somebody who holds the summary of one visit looks for the person in records of whole histories.

The adversary of G. Loukides, J. C. Denny and B. Malin, "The disclosure of diagnosis codes can breach
research participants' privacy", JAMIA 17(3), 2010: discharge summaries with names, research records without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.attacks.contract import (
    Knowledge,
    Target,
    as_records,
    check_alignment,
    check_known,
    people_to_attack,
    records_of,
)
from sfumato.codes.attacks.scoring import identity_result
from sfumato.codes.attacks.searched import Searched
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class KnownVisit:
    """From all codes of one visit of a person, find the records that may hold them, and pick one.

    A record agrees when every code of the visit lies under an item that it shows; codes that no record shows
    are left aside. With n records that agree, the person's own among them, a pick is right with chance
    1 / n. With ``choose="worst"`` it is the visit that the fewest records agree with, with ``"random"`` any.

    A policy of the visits' codes (``PrivacyConstraints`` extracted from visits) is made against it. Promises
    about m codes stop it only where no visit has more.

    >>> from sfumato.codes.published import PublishedSets
    >>> from sfumato.codes.sets import CodeSets, Visits
    >>> sets = CodeSets.of([["a", "b", "c"], ["a", "b"]])
    >>> visits = Visits(CodeSets.of([["a", "b"], ["c"], ["a", "b"]]), np.array([0, 0, 1]))
    >>> KnownVisit().run(PublishedSets.as_it_is(sets), Knowledge(sets, True, visits)).success
    0.75
    """

    choose: str = "worst"
    seed: int = 0
    name: ClassVar[str] = "visit"
    title: ClassVar[str] = "knows the codes of one visit of a person and looks for records that may hold them"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_known(1, self.choose, self.seed, self.name)

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Look for everybody in the original by one of their visits."""
        people = people_to_attack(knowledge, self.name)
        records = records_of(target, self.name)
        visits = knowledge.visits
        if visits is None:
            raise BadInput(
                "the original does not say which codes were written down at one visit",
                where=self.name,
                remedy="name the column of the visit",
            )
        searched = Searched.of(as_records(target, self.name))
        check_alignment(target, knowledge, self.name)
        owner = visits.owner
        order = np.random.default_rng(self.seed).permutation(len(owner))
        found = searched.agreeing(searched.known(visits.sets), owner if knowledge.aligned else None)
        candidates = found.candidates
        if knowledge.aligned:
            candidates = np.where(found.own, candidates, 0)
        # The visits of a person in the order of what they give away; by chance the first of them is any.
        rank = order if self.choose == "random" else np.where(candidates > 0, candidates, records + 1)
        by_owner = np.lexsort((rank, owner))
        first = np.ones(len(owner), np.bool_)
        first[1:] = owner[by_owner][1:] != owner[by_owner][:-1]
        per_person = np.full(len(people), records, np.int64)
        per_person[owner[by_owner][first]] = candidates[by_owner][first]
        return identity_result(
            self.name,
            per_person,
            records,
            Scored.MEASURED if knowledge.aligned else Scored.EXPECTED,
            details={"visits": len(owner), "people without a visit": len(people) - int(first.sum())},
            victims=victims,
        )
