"""Text linkage: a table of people with names is laid beside notes without, and every note is searched.

After L. Sweeney, "Simple demographics often identify people uniquely" (2000), and I. P. Fellegi and
A. B. Sunter, "A theory for record linkage" (1969): what is left of names, dates, ages, places and numbers in
a note is weighed by how few people it fits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.text.attacks.clues import Clue, Sought, clues_in, clues_of
from sfumato.text.attacks.contract import (
    Identified,
    Knowledge,
    ReleasedNotes,
    notes_to_attack,
    people_to_attack,
    surest,
)

SURE = 0.99
"""from this probability on the adversary calls a claim sure: a single clue never reaches it"""
_BY_RIGHT = 0.95
"""how probable it is at most that a clue stands in a note because the person of the note has it"""
_ALIKE = 1e-9
_STEP = 512


@dataclass(frozen=True, slots=True)
class Claim:
    """What an adversary says of one record: the people who fit best, and how probable one of them is."""

    best: NDArray[np.int64]
    confidence: float
    clues: int


@dataclass(frozen=True)
class TextLinkage:
    """Search every note for what a table knows about people, and name the person who fits best.

    Of P people, a clue c (a word of a name, a day, an age …) fits P_c, and stands in D_c of N notes where
    1 + N·P_c/P would be expected of the notes of those whom it fits. So it stands in a note by right with
    probability q_c = min(0.95, (1 + N·P_c/P) / D_c), and whom it fits is more likely than whom it does not by

        w_c = log₂ [ (q_c / P_c) / ((1 − q_c) / (P − P_c)) ],   at least 0,

    so that a name which is also an ordinary word of the notes says little. A person's score is the sum over
    the clues that fit. With everybody as likely at first, the adversary's confidence in somebody is the share
    of 2^score in the sum over all people. Where n fit equally well one of them is picked. Notes that the
    release shows as one person's are read together.

    ``success`` is over notes of people who are in the table. A note without a clue is a guess among all P.
    What it finds after de-identification by rights is what the policy leaves: ages up to 89, years, states,
    the sex. It does not understand stories, misspelt names, or what follows from rare words: see
    ``rare-terms``.

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.note import Known
    >>> people = Identified(((Known(Kind.NAME, "Ada Lovelace"),), (Known(Kind.NAME, "Al Ox"),)), ("1", "2"))
    >>> known = Knowledge(people, persons=("1", "2"))
    >>> TextLinkage().run(ReleasedNotes(("Ms Lovelace is well", "Seen by A.")), known).success
    0.75
    """

    name: ClassVar[str] = "text-linkage"
    title: ClassVar[str] = "searches every note for what a table of people knows"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def run(
        self,
        target: ReleasedNotes,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Search all notes."""
        notes_to_attack(target, self.name)
        people = people_to_attack(knowledge, self.name)
        knowledge.check(target, self.name)
        known = KnownPeople.of(people, target.language)
        if not known.number:
            raise BadInput(
                "the identified file holds nothing that could stand in a note",
                where=self.name,
                remedy="say which of its columns are names, dates, ages, places and numbers",
            )
        claims = known.claims(target, progress)
        truth = _own(target, knowledge, people)
        if truth is None:
            return _claimed(self.name, claims, len(people), victims)
        return _measured(self.name, claims, truth, len(people), victims)


@dataclass(frozen=True)
class KnownPeople:
    """A table of people, turned round: for every clue the people whom it fits."""

    size: int
    number: dict[Clue, int] = field(repr=False)
    fitting: tuple[NDArray[np.int64], ...] = field(repr=False)

    @classmethod
    def of(cls, people: Identified, language: str) -> KnownPeople:
        """Read the table once."""
        lists: dict[Clue, list[int]] = {}
        for row, known in enumerate(people.rows):
            for clue in clues_of(known, language):
                lists.setdefault(clue, []).append(row)
        return cls(
            len(people),
            {clue: place for place, clue in enumerate(lists)},
            tuple(np.array(rows, np.int64) for rows in lists.values()),
        )

    def claims(self, target: ReleasedNotes, progress: Progress) -> list[Claim]:
        """Read every record, weigh the clues by all of them, and name who fits best."""
        sought = Sought.of(self.number)
        read: list[list[int]] = []
        standing: Counter[int] = Counter()
        for place, notes in enumerate(target.records):
            if place % _STEP == 0:
                progress.update(0.7 * place / len(target.records), "reading")
            clues = {clue for note in notes for clue in clues_in(target.texts[note], sought, target.language)}
            found = sorted(self.number[clue] for clue in clues if clue in self.number)
            standing.update(found)
            read.append(found)
        weights = {clue: self._weight(clue, many, len(read)) for clue, many in standing.items()}
        return [self._claim([clue for clue in found if weights[clue] > 0], weights) for found in read]

    def _weight(self, clue: int, standing: int, records: int) -> float:
        fitting = len(self.fitting[clue])
        if fitting == self.size:
            return 0.0
        right = min(_BY_RIGHT, (1 + records * fitting / self.size) / standing)
        return max(0.0, math.log2(right / fitting * (self.size - fitting) / (1 - right)))

    def _claim(self, clues: Sequence[int], weights: dict[int, float]) -> Claim:
        if not clues:
            return Claim(np.arange(self.size), 1 / self.size, 0)
        rows = [self.fitting[clue] for clue in clues]
        each = np.repeat([weights[clue] for clue in clues], [len(one) for one in rows])
        scores = np.bincount(np.concatenate(rows), each, minlength=self.size)
        highest = float(scores.max())
        best = np.flatnonzero(scores >= highest - _ALIKE)
        # Weighed against the best, so that no power of two is too large to be written.
        confidence = 1 / float(np.exp2(scores - highest).sum())
        return Claim(best, confidence, len(clues))


def _own(target: ReleasedNotes, knowledge: Knowledge, people: Identified) -> list[int | None] | None:
    """Return for each record the row of its person; None where nobody knows who is who."""
    if knowledge.persons is None or people.ids is None:
        return None
    rows = {name: row for row, name in enumerate(people.ids)}
    named = (knowledge.persons[notes[0]] for notes in target.records)
    return [None if name is None else rows.get(name) for name in named]


def _measured(
    attack: str, claims: Sequence[Claim], truth: Sequence[int | None], people: int, victims: bool
) -> AttackResult:
    pairs = [(claim, own) for claim, own in zip(claims, truth, strict=True) if own is not None]
    if not pairs:
        raise BadInput(
            "no note is about anybody of the identified file, by their ids",
            where=attack,
            remedy="check that notes and file name people alike",
        )
    right = [1 / len(claim.best) if own in claim.best else 0.0 for claim, own in pairs]
    sure = [claim for claim, _ in pairs if _is_sure(claim)]
    hit = [
        Victim(own + 1, claim.confidence)
        for (claim, own), chance in zip(pairs, right, strict=True)
        if chance == 1 and _is_sure(claim)
    ]
    strangers = sum(_is_sure(claim) for claim, own in zip(claims, truth, strict=True) if own is None)
    return AttackResult(
        attack,
        Threat.IDENTITY,
        len(pairs),
        math.fsum(right) / len(pairs),
        1 / people,
        1 / people,
        certain=len(hit),
        highest=max((one.confidence for one in hit), default=0.0),
        scored=Scored.MEASURED,
        details={
            "people in the file": people,
            "notes without a clue": sum(not claim.clues for claim, _ in pairs),
            "sure claims": len(sure),
            "sure claims that are wrong": len(sure) - len(hit),
            "sure claims about people who are not in the file": strangers,
        },
        note=_said(len(pairs), len(claims)),
        victims=surest(_once(hit)) if victims else (),
    )


def _claimed(attack: str, claims: Sequence[Claim], people: int, victims: bool) -> AttackResult:
    """Report claims that nobody can compare with a truth."""
    sure = [Victim(int(claim.best[0]) + 1, claim.confidence) for claim in claims if _is_sure(claim)]
    return AttackResult(
        attack,
        Threat.IDENTITY,
        len(claims),
        math.fsum(claim.confidence for claim in claims) / len(claims),
        1 / people,
        1 / people,
        certain=len(sure),
        highest=max(claim.confidence for claim in claims),
        scored=Scored.CLAIMED,
        details={
            "people in the file": people,
            "notes without a clue": sum(not claim.clues for claim in claims),
        },
        note="the adversary takes for granted that everybody in the notes is in the file, and made-up values "
        "that happen to fit count as claims",
        victims=surest(_once(sure)) if victims else (),
    )


def _is_sure(claim: Claim) -> bool:
    return len(claim.best) == 1 and claim.confidence >= SURE and claim.clues > 0


def _once(found: Sequence[Victim]) -> list[Victim]:
    """Name everybody once, with the surest claim."""
    best: dict[int, Victim] = {}
    for one in found:
        if one.row not in best or best[one.row].confidence < one.confidence:
            best[one.row] = one
    return list(best.values())


def _said(inside: int, records: int) -> str:
    if inside == records:
        return ""
    return f"{records - inside:,} of {records:,} notes are about people who are not in the file: left aside"
