"""Date offset: who knows one true date of a person, or finds one that was missed, undoes the shift of all.

Dates of a person move by one secret number of days so that intervals survive; for the same reason one true
date gives all others away. Compare G. Hripcsak, P. Mirhaji, A. F. H. Low and B. A. Malin, "Preserving
temporal relations in clinical data while maintaining privacy" (JAMIA 23(6), 2016).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from sfumato.core.attack import AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.text.attacks.clues import day_of, days_in
from sfumato.text.attacks.contract import Knowledge, ReleasedNotes, notes_to_attack, surest
from sfumato.text.kinds import Kind


@dataclass(frozen=True)
class DateOffset:
    """Infer by how many days the dates of a person were moved, from true dates: known ones, and missed ones.

    The adversary knows which record is a person's, and of some people true dates K (admissions, the birth).
    With R the days that stand in the record, an offset o ≠ 0 of at most ``moved_by`` days is supported by

        |{k ∈ K : k + o ∈ R}|   known dates, and among equals by   |{r ∈ R : r + o ∈ R}|   days of the record,

    since any day of the record may be an original that was missed and stands beside its moved copy. Claimed
    is the best supported offset; of n equal ones one is picked. If it is right *every* day of that person is
    known. The truth is what the house knows.

    ``baseline`` and ``guessing`` are a pick among the offsets that are possible. Where no day stands in a
    record (years alone) nothing can be claimed, and nothing is there to be learned. How probable a known date
    is, or that weekends are rare, is not used.

    >>> from sfumato.text.attacks.contract import Identified
    >>> from sfumato.text.note import Known
    >>> people = Identified(((Known(Kind.DATE, "2003-01-17"), Known(Kind.DATE, "2003-01-20")),), ("1",))
    >>> shown = ReleasedNotes(("Admitted 8/21/2003, discharged 8/24/2003, seen 9/30/2003.",))
    >>> known = Knowledge(people, persons=("1",), offsets=(216,))
    >>> DateOffset().run(shown, known).success
    1.0
    """

    name: ClassVar[str] = "date-offset"
    title: ClassVar[str] = "infers the shift of a person's dates from true dates"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def run(
        self,
        target: ReleasedNotes,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Compare the dates of every record with the true ones."""
        notes_to_attack(target, self.name)
        knowledge.check(target, self.name)
        if knowledge.offsets is None:
            raise BadInput(
                "nobody says by how much dates were moved, so that no claim could be scored",
                where=self.name,
                remedy="run it where the release is made",
            )
        chances, hit = [], []
        without = missed = 0
        for notes, true, row in _known(target, knowledge):
            moved = _moved(knowledge.offsets, notes)
            shown = {day for note in notes for day in days_in(target.texts[note], target.language)}
            if moved is None and not true:
                continue
            without += not shown
            missed += bool(true & shown)
            best = likeliest_offsets(true, shown, target.moved_by)
            chance = 1 / len(best) if moved in best else 0.0
            chances.append(chance)
            if chance == 1 and row is not None:
                hit.append(Victim(row + 1, 1.0))
        if not chances:
            raise BadInput(
                "no date was moved, and of nobody in the notes a true date is known",
                where=self.name,
                remedy="leave this attack out, or say which columns of the identified file are dates",
            )
        guess = 1 / (2 * target.moved_by)
        return AttackResult(
            self.name,
            self.threat,
            len(chances),
            math.fsum(chances) / len(chances),
            guess,
            guess,
            certain=chances.count(1.0),
            highest=max(chances),
            scored=Scored.MEASURED,
            details={
                "records in which no day stands": without,
                "records with a true date that was not moved": missed,
            },
            note=f"in {without:,} of them no day of a date stands" if without else "",
            victims=surest(hit) if victims else (),
        )


def likeliest_offsets(true: set[date], shown: set[date], days: int) -> list[int]:
    """Return the offsets that are best supported, all that are equally so.

    >>> shown = {date(2003, 8, 21), date(2003, 8, 24), date(2003, 9, 30)}
    >>> likeliest_offsets({date(2003, 1, 17), date(2003, 1, 20)}, shown, 365)
    [216]
    >>> likeliest_offsets({date(2003, 1, 17)}, shown, 365)  # one of 8/21, 8/24, 9/30: by 216, 219 or 256
    [216, 219, 256]
    """
    known = _distances(true, shown, days)
    inside = _distances(shown, shown, days)
    candidates = known or inside
    if not candidates:
        return []
    support = {moved: (known[moved], inside[moved]) for moved in candidates}
    most = max(support.values())
    return sorted(moved for moved, by in support.items() if by == most)


def _distances(starts: set[date], ends: set[date], days: int) -> Counter[int]:
    """Count how often two days lie so many days apart, where dates may have moved so far."""
    ordered = sorted(end.toordinal() for end in ends)
    found: Counter[int] = Counter()
    for start in starts:
        at = start.toordinal()
        for other in ordered[bisect_left(ordered, at - days) : bisect_right(ordered, at + days)]:
            if other != at:
                found[other - at] += 1
    return found


def _known(
    target: ReleasedNotes, knowledge: Knowledge
) -> Iterator[tuple[tuple[int, ...], set[date], int | None]]:
    """Return the records with the true dates that are known of their people, and their rows in the file."""
    people = knowledge.people
    rows: dict[str, int] = {}
    if people is not None and people.ids is not None:
        rows = {name: row for row, name in enumerate(people.ids)}
    for notes in target.records:
        owner = None if knowledge.persons is None else knowledge.persons[notes[0]]
        row = None if owner is None else rows.get(owner)
        true: set[date] = set()
        if people is not None and row is not None:
            values = (known.value for known in people.rows[row] if known.kind is Kind.DATE)
            true = {day for value in values if (day := day_of(value, target.language)) is not None}
        yield notes, true, row


def _moved(offsets: Sequence[int | None], notes: Sequence[int]) -> int | None:
    """Return the true offset of a record; None where no date of it was moved."""
    found = {offsets[note] for note in notes} - {None}
    return found.pop() if len(found) == 1 else None
