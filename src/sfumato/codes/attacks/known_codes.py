"""Known codes: somebody who knows a few codes of a person looks for the person's record.

The adversary of M. Terrovitis, N. Mamoulis and P. Kalnis, "Privacy-preserving anonymization of set-valued
data", PVLDB 1(1), 2008; of disassociated sets, M. Terrovitis, J. Liagouris, N. Mamoulis and S. Skiadopoulos,
"Privacy preservation by disassociation", PVLDB 5(10), 2012.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.codes.attacks.chunks import candidates_in_chunks
from sfumato.codes.attacks.contract import (
    Knowledge,
    Target,
    check_alignment,
    check_known,
    people_to_attack,
    records_of,
)
from sfumato.codes.attacks.scoring import identity_result
from sfumato.codes.attacks.searched import Searched, drawn
from sfumato.codes.disassociated import Disassociated
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class KnownCodes:
    """From at most m codes p of a person, find the records that may hold all of p, and pick one.

    A record agrees when every code of p lies under an item that it shows. With n records that agree, the
    person's own among them, a pick is right with chance 1 / n; success is the mean over all people. Codes
    that no record shows are of no use and are left aside.

    With ``choose="worst"`` the adversary happens to know those codes that the fewest records agree with, the
    person's own being one; with ``"random"`` any m codes of the person, by ``seed``. With ``public``
    sensitive codes stay unknown. Where nobody knows which record is whose, a person's own record is taken to
    be one of those that agree (**expected**); in the house it is looked up (**measured**).

    In **disassociated** sets it is sub-records that are picked: in a cluster that may hold p, at most as many
    as match the part of p in one of its chunks. Those of different clusters add up; of clusters that share
    chunks only the one with the most counts.

    k^m-anonymity bounds the confidence about anybody by 1 / k. Those of whom more than m codes are known are
    not protected by it, and it does not matter to this attack what the candidates have in common.

    >>> from sfumato.codes.published import PublishedSets
    >>> from sfumato.codes.sets import CodeSets
    >>> sets = CodeSets.of([["401.0", "295"], ["401.1", "295"], ["295"]])
    >>> print(KnownCodes(m=1).run(PublishedSets.as_it_is(sets), Knowledge(sets, aligned=True)))
    known-codes: 77.8 % of 3 people, 33.3 % without their data (a blind guess: 33.3 %); sure of 2
    """

    m: int = 2
    choose: str = "worst"
    public: bool = False
    seed: int = 0
    name: ClassVar[str] = "known-codes"
    title: ClassVar[str] = "knows a few codes of a person and looks for records that may hold them all"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_known(self.m, self.choose, self.seed, self.name)

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Look for everybody in the original."""
        people = people_to_attack(knowledge, self.name)
        records = records_of(target, self.name)
        if isinstance(target, Disassociated):
            found = candidates_in_chunks(target, people, self.m, self.choose == "random", self.seed)
            return identity_result(
                self.name,
                found,
                records,
                Scored.EXPECTED,
                details={"most codes known": self.m},
                note="candidates are sub-records: whose they are is not shown",
                victims=victims,
            )
        check_alignment(target, knowledge, self.name)
        searched = Searched.of(target)
        worst = self.choose == "worst"
        known = searched.known(people, public=self.public, own=knowledge.aligned and worst)
        taken = searched.telling(known, self.m) if worst else drawn(known, self.m, self.seed)
        own = np.arange(len(people), dtype=np.int64) if knowledge.aligned else None
        found_by = searched.agreeing(taken, own)
        candidates = found_by.candidates
        lost = 0
        if knowledge.aligned:
            lost = int(np.count_nonzero(~found_by.own))
            candidates = np.where(found_by.own, candidates, 0)
        return identity_result(
            self.name,
            candidates,
            records,
            Scored.MEASURED if knowledge.aligned else Scored.EXPECTED,
            details={"most codes known": self.m, "people whose own record does not agree": lost},
            victims=victims,
        )
