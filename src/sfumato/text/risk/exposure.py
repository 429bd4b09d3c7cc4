"""Exposure: what points at people in notes, and whom the rest still singles out.

Identifiers are counted by kind, as a search finds them: what a search misses is not counted, so that the
figures of a release are a lower end (``residual.py`` estimates the misses). What no policy calls an
identifier still tells people apart: the **combination** of ages, days, months and years, and of the sex that
pronouns tell, over all notes of a person. With n(c) people of combination c,

    unique = |{ p : n(c(p)) = 1 }|,    below k = |{ p : n(c(p)) < k }|,

as in L. Sweeney, "Simple demographics often identify people uniquely" (2000): unique in the file is what an
adversary who knows these facts, and that the person is in the file, can find again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.text.attacks.clues import Sought, clues_in
from sfumato.text.evaluate.evaluation import Finds
from sfumato.text.note import Record

FEW = 5
"""people below which a combination is called rare"""
_NOBODY = Sought.of(())
_WORDS = {
    "age": "an age",
    "sex": "the sex",
    "year": "a year",
    "month": "a month of a year",
    "day": "a full date",
    "month-day": "a day without its year",
}
KINDS_OF_CLUES = tuple(_WORDS)


@dataclass(frozen=True)
class TextRisk:
    """How exposed people are by their notes. Numbers only; prints as a table."""

    people: int
    notes: int
    found: Mapping[str, int]
    """identifiers that the search finds, by kind"""
    holding: Mapping[str, int]
    """notes that hold one, by kind"""
    without: int
    """notes in which nothing is found"""
    told: Mapping[str, int]
    """people of whom an age, a date … can be read, by what"""
    silent: int
    """people of whom none of it can be read"""
    unique: int
    """people whose combination of it nobody shares"""
    few: int
    """people whose combination fewer than five share, themselves among them"""

    @property
    def unique_share(self) -> float:
        """The share of people who are alone with what can be read of them."""
        return self.unique / self.people

    def __str__(self) -> str:
        lines = [f"{self.notes:,} notes of {self.people:,} people"]
        if self.found or self.without:
            lines.append(f"nothing found in {self.without:,} notes")
            width = max((len(kind) for kind in self.found), default=0)
            lines += [
                f"  {kind:<{width}}  {many:>9,} found, in {self.holding[kind]:,} notes"
                for kind, many in self.found.items()
            ]
        lines += [
            f"  {_WORDS[clue]} can be read of {many:,} people ({in_per_cent(many / self.people)})"
            for clue, many in self.told.items()
        ]
        lines.append(
            f"alone with that combination: {self.unique:,} people ({in_per_cent(self.unique_share)}); "
            f"shared by fewer than {FEW}: {self.few:,}; nothing can be read of {self.silent:,}"
        )
        return "\n".join(lines)


def exposure(records: Iterable[Record], finder: Finds | None = None, language: str = "en") -> TextRisk:
    """Read notes, record by record; without a finder identifiers are not counted.

    >>> notes = ["She is 57 years old.", "She is 57 years old.", "He was seen in 2003.", "Well."]
    >>> risk = exposure(Record.of(note) for note in notes)
    >>> risk.unique, risk.few, risk.silent
    (1, 3, 1)
    """
    found: Counter[str] = Counter()
    holding: Counter[str] = Counter()
    told: Counter[str] = Counter()
    alike: Counter[bytes] = Counter()
    people = notes = without = silent = 0
    for record in records:
        people += 1
        notes += len(record.notes)
        if finder is not None:
            for spans in finder.find(record).spans:
                kinds = Counter(str(span.kind) for span in spans)
                found.update(kinds)
                holding.update(kinds.keys())
                without += not kinds
        clues = {clue for note in record.notes for clue in clues_in(note.text, _NOBODY, language)}
        told.update({clue[0] for clue in clues})
        silent += not clues
        if clues:
            # The combination itself is not kept: a digest is as good for counting, and says nothing.
            alike[hashlib.blake2b(repr(sorted(map(repr, clues))).encode(), digest_size=16).digest()] += 1
    if not people:
        raise BadInput("there are no notes", where="risk", remedy="give a file with notes")
    return TextRisk(
        people,
        notes,
        dict(found.most_common()),
        dict(holding),
        without,
        {clue: told[clue] for clue in KINDS_OF_CLUES if told[clue]},
        silent,
        sum(many == 1 for many in alike.values()),
        sum(many for many in alike.values() if many < FEW),
    )
