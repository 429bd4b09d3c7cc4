"""Linked codes: an identified file with codes is laid beside a release without names.

G. Loukides, J. C. Denny and B. Malin, "The disclosure of diagnosis codes can breach research participants'
privacy", JAMIA 17(3), 2010: identified medical records against de-identified research data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.attacks.contract import Knowledge, Target, as_records, check_alignment, records_of
from sfumato.codes.attacks.scoring import identity_result
from sfumato.codes.attacks.searched import Searched
from sfumato.codes.risk.matching import CodeRows
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class LinkedCodes:
    """For each person of an identified file, find the records that may hold all codes listed, and pick one.

    A record agrees when every code that the file lists of the person lies under an item that it shows; codes
    that no record shows are left aside. With n records that agree and F people of the file of whom the same
    is known, the adversary's claim is right with chance 1 / max(n, F). Where the house knows which record is
    whose (**measured**), it is right with chance 1 / n for those who are in the data and whose own record
    agrees; else nobody knows who of the file is in the release, and it is **claimed**.

    >>> from sfumato.codes.attacks.contract import Identified
    >>> from sfumato.codes.published import PublishedSets
    >>> from sfumato.codes.sets import CodeSets
    >>> shown = PublishedSets.of([[["401.0", "401.1"], "295"], [["401.0", "401.1"]]])
    >>> known = Knowledge(people=Identified(CodeSets.of([["401.0"], ["295", "401.1"]])))
    >>> LinkedCodes().run(shown, known).success
    0.75
    """

    name: ClassVar[str] = "linked-codes"
    title: ClassVar[str] = "lays an identified file with codes beside the release"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Look for everybody in the identified file."""
        records = records_of(target, self.name)
        people = knowledge.people
        if people is None or not len(people.sets):
            raise BadInput(
                "there is nobody to attack",
                where=self.name,
                remedy="give a file of people whom the adversary knows",
            )
        searched = Searched.of(as_records(target, self.name))
        check_alignment(target, knowledge, self.name)
        known = searched.known(people.sets)
        of_use = np.diff(known.starts) > 0
        if not of_use.any():
            raise BadInput(
                "no code of the identified file is shown by the release",
                where=self.name,
                remedy="check that both are written in the same code system",
            )
        measured = knowledge.aligned and people.rows is not None
        found = searched.agreeing(known, people.rows if measured else None)
        note, rows = "", np.arange(len(people.sets), dtype=np.int64)
        if measured:
            assert people.rows is not None
            inside = people.rows >= 0
            if not inside.any():
                raise BadInput(
                    "nobody of the identified file is in the data, by their ids",
                    where=self.name,
                    remedy="check that both name people alike",
                )
            candidates = np.where(found.own, found.candidates, 0)[inside]
            rows = rows[inside]
        else:
            alike = _alike(known)
            candidates = np.where(found.candidates > 0, np.maximum(found.candidates, alike), 0)
            if not candidates.any():
                raise BadInput(
                    "nobody of the identified file agrees with any record",
                    where=self.name,
                    remedy="check that both are written in the same code system",
                )
        strange = int(np.count_nonzero(~of_use))
        if strange:
            note = (
                "of 1 person of the file the release shows no code"
                if strange == 1
                else f"of {strange:,} people of the file the release shows no code"
            )
        return identity_result(
            self.name,
            candidates,
            records,
            Scored.MEASURED if measured else Scored.CLAIMED,
            details={"people who agree with no record": int(np.count_nonzero(found.candidates == 0))},
            note=note,
            victims=victims,
            rows=rows,
        )


def _alike(known: CodeRows) -> NDArray[np.int64]:
    """Count for every person those of whom the same is known."""
    seen: dict[bytes, int] = {}
    number = np.empty(len(known.starts) - 1, np.int64)
    for person in range(len(number)):
        held = known.values[known.starts[person] : known.starts[person + 1]].tobytes()
        number[person] = seen.setdefault(held, len(seen))
    return np.bincount(number, minlength=1)[number]
