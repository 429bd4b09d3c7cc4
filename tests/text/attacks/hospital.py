"""A small hospital: people in a table, their notes with every identifier marked, and releases of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from sfumato.masking.contract import Secrets
from sfumato.text.attacks import Identified, ReleasedNotes
from sfumato.text.attacks.clues import BIRTH
from sfumato.text.dates import read_date
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Known, Note, Record
from sfumato.text.replace.apply import applied
from sfumato.text.replace.contract import Change, Replacement
from sfumato.text.span import Span

_BEGIN = ["Bar", "Cor", "Dal", "Fen", "Gor", "Hal", "Jor", "Kel", "Lam", "Mer", "Nor", "Pel", "Ros", "Sel"]
_END = ["bano", "dell", "ette", "forth", "garth", "holm", "ington", "kowski", "lund", "mann", "nari", "ovich"]
_LAST = ["", "a", "er", "is"]
_GIVEN = {
    "F": ["Agnes", "Beatrix", "Celia", "Dora", "Edith", "Fiona", "Greta", "Hilda", "Ines", "Judith"],
    "M": ["Albert", "Boris", "Cyril", "Dennis", "Edgar", "Felix", "Gustav", "Hector", "Igor", "Julius"],
}
_CITIES = ["Elmford", "Brackton", "Oldhaven", "Stonleigh", "Marbury", "Quenby", "Tarrow", "Ulverby"]


@dataclass(frozen=True)
class Patient:
    """Somebody who does not exist, with one stay."""

    id: str
    given: str
    family: str
    sex: str
    born: date
    admitted: date
    city: str

    @property
    def age(self) -> int:
        before = (self.admitted.month, self.admitted.day) < (self.born.month, self.born.day)
        return self.admitted.year - self.born.year - before

    @property
    def known(self) -> tuple[Known, ...]:
        return (
            Known(Kind.NAME, f"{self.family}, {self.given}", "patient"),
            Known(Kind.DATE, self.born.isoformat(), BIRTH),
            Known(Kind.DATE, self.admitted.isoformat()),
            Known(Kind.SEX, self.sex),
            Known(Kind.LOCATION, self.city, "city"),
        )


@dataclass(frozen=True)
class Hospital:
    """Patients, and for each one note with all that identifies marked."""

    patients: tuple[Patient, ...]

    @classmethod
    def of(cls, size: int, seed: int = 1) -> Hospital:
        chance = random.Random(seed)
        names = [one + two + three for one in _BEGIN for two in _END for three in _LAST]
        chance.shuffle(names)
        people = []
        for number in range(size):
            sex = chance.choice("FM")
            admitted = date(2019, 1, 1) + timedelta(days=chance.randrange(1000))
            people.append(
                Patient(
                    f"P{number}",
                    chance.choice(_GIVEN[sex]),
                    names[number % len(names)],
                    sex,
                    admitted - timedelta(days=365 * chance.randrange(20, 88) + chance.randrange(360)),
                    admitted,
                    chance.choice(_CITIES),
                )
            )
        return cls(tuple(people))

    @property
    def people(self) -> Identified:
        return Identified(tuple(one.known for one in self.patients), tuple(one.id for one in self.patients))

    @property
    def persons(self) -> tuple[str, ...]:
        return tuple(one.id for one in self.patients)

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """The notes, each a record, with its identifiers."""
        return tuple(_written(one) for one in self.patients)

    @property
    def notes(self) -> ReleasedNotes:
        """The notes as they are."""
        return ReleasedNotes(tuple(one.record.notes[0].text for one in self.found))

    def without(self, *kinds: Kind) -> ReleasedNotes:
        """The notes with some kinds blanked."""
        texts = []
        for one in self.found:
            text = one.record.notes[0].text
            gone = [Change(span, "____") for span in one.spans[0] if span.kind in kinds]
            texts.append(applied(text, gone)[0])
        return ReleasedNotes(tuple(texts))

    def replaced(
        self, replacement: Replacement, secrets: Secrets, missed: frozenset[int] = frozenset()
    ) -> tuple[ReleasedNotes, tuple[int | None, ...]]:
        """Release the notes; spans with these places are missed in all notes. Also the true offsets."""
        texts: list[str] = []
        offsets: list[int | None] = []
        for one in self.found:
            kept = tuple(span for place, span in enumerate(one.spans[0]) if place not in missed)
            found = Found(one.record, (kept,))
            changes = replacement.changes(found, secrets)[0]
            texts.append(applied(one.record.notes[0].text, changes)[0])
            offsets.append(_offset(one.record.notes[0].text, changes))
        return ReleasedNotes(tuple(texts)), tuple(offsets)


def _offset(text: str, changes: tuple[Change, ...]) -> int | None:
    for change in changes:
        if change.span.kind is Kind.DATE and change.how == "shifted":
            old, new = read_date(change.span.of(text)), read_date(change.after)
            assert old is not None
            assert new is not None
            before, after = old.standing_for(), new.standing_for()
            assert before is not None
            assert after is not None
            return (after - before).days
    return None


def _written(one: Patient) -> Found:
    back = one.admitted + timedelta(days=9)
    pieces: list[tuple[str, Kind | None]] = [
        ("Patient: ", None),
        (f"{one.family}, {one.given}", Kind.NAME),
        ("\nAdmitted: ", None),
        (one.admitted.strftime("%m/%d/%Y"), Kind.DATE),
        (f"\n{'She' if one.sex == 'F' else 'He'} is a ", None),
        (str(one.age), Kind.AGE),
        ("-year-old from ", None),
        (one.city, Kind.LOCATION),
        (", with a cough. Discharged on ", None),
        (back.strftime("%B %d, %Y"), Kind.DATE),
        (", to be seen again on ", None),
        ((back + timedelta(days=30)).strftime("%Y-%m-%d"), Kind.DATE),
        (".\n", None),
    ]
    text, spans = "", []
    for piece, kind in pieces:
        if kind is not None:
            label = {Kind.DATE: "full", Kind.LOCATION: "city", Kind.NAME: "patient"}.get(kind, "")
            spans.append(Span(len(text), len(text) + len(piece), kind, label))
        text += piece
    return Found(Record((Note(text, one.id),), one.id), (tuple(spans),))
