"""Whole set: somebody who knows all codes of a person, and that there are no others.

The adversary of Y. He and J. F. Naughton, "Anonymization of set-valued data via top-down, local
generalization", PVLDB 2(1), 2009.
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
    people_to_attack,
    records_of,
)
from sfumato.codes.attacks.scoring import identity_result
from sfumato.codes.attacks.searched import Searched
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class WholeSet:
    """From everything that a person has, find the records that may be the person's, and pick one.

    A record may be that of a person with the codes S when every item that it shows stands for a code of S.
    Of these records the adversary takes those that account for the most codes of S: the others would leave
    out more. With n records taken, the person's own among them, a pick is right with chance 1 / n.

    Complete k-anonymity (records that look the same) bounds it by 1 / k for everybody: whoever takes a record
    must take those that look the same, too. That any *codes* are shared by k, as k^m-anonymity and its
    complete wording in itemsets say, does not: others may have more.

    >>> from sfumato.codes.published import PublishedSets
    >>> from sfumato.codes.sets import CodeSets
    >>> sets = CodeSets.of([["a", "b"], ["a", "b"], ["a"]])
    >>> WholeSet().run(PublishedSets.as_it_is(sets), Knowledge(sets, aligned=True)).certain
    1
    """

    name: ClassVar[str] = "whole-set"
    title: ClassVar[str] = "knows all codes of a person and looks for records that may be theirs"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Look for everybody in the original."""
        people = people_to_attack(knowledge, self.name)
        records = records_of(target, self.name)
        searched = Searched.of(as_records(target, self.name))
        check_alignment(target, knowledge, self.name)
        own = np.arange(len(people), dtype=np.int64) if knowledge.aligned else None
        found = searched.looking_like(people, own)
        candidates, lost = found.candidates, 0
        if knowledge.aligned:
            lost = int(np.count_nonzero(~found.own))
            candidates = np.where(found.own, candidates, 0)
        return identity_result(
            self.name,
            candidates,
            records,
            Scored.MEASURED if knowledge.aligned else Scored.EXPECTED,
            details={"people whose own record is not taken": lost},
            victims=victims,
        )
