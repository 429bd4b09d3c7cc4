"""Known identifiers removed: nothing that columns say about a person can be read in that person's notes.

For every person p with known values V(p) (names part by part, all else whole) and released notes R(p):

    V(p) ∩ words(R(p)) = ∅

where words are compared without case and accents, and a value of several words is one sequence. From five
letters or digits on it does not matter where a value is cut into words: 615-555-0142 stands in "6155550142",
O'Brien in "OBrien", McDonald in "Mc Donald". Characters that stand for others (digits of other scripts, HTML
escapes) are read as the finder reads them. Values, and parts of names, of fewer than three letters or
digits are not looked for (initials are everywhere), nor are titles and particles ("Mrs", "van"). After
Sweeney, "Replacing personally-identifying information in medical records, the Scrub system", 1996: what the
record knows about a patient must not stand in the letter.

It protects from finding a person by what the table knew about them. It says nothing about people whom no
column names (relatives, staff), about misspelt names, or about what a text tells in other words.

>>> from sfumato.text.kinds import Kind
>>> from sfumato.text.models.contract import Handled
>>> from sfumato.text.note import Known, Note, Record
>>> record = Record((Note("Ms WHITFIELD is well"),), "1", (Known(Kind.NAME, "Whitfield"),))
>>> promise = KnownIdentifiersRemoved()
>>> print(promise.verdict(promise.counted(Handled(record, ("Ms AAA is well",), ((),)))))
known-identifiers-removed holds: required no known value in any note, achieved 0 of 1 value found
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.text import look_alikes
from sfumato.text.detectors.spelling import compounds_of, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.models.contract import Handled
from sfumato.text.note import Known

SHORTEST = 3
"""letters or digits that a value, or a part of a name, has at least to be looked for"""
JOINED = 5
"""letters or digits from which on a value is found however it is cut into words"""
_WORD = re.compile(r"[^\W_]+")
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n"}
)


@dataclass(frozen=True)
class KnownIdentifiersRemoved:
    """What known columns hold about a person does not stand in that person's released notes."""

    name: ClassVar[str] = "known-identifiers-removed"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def counted(self, handled: Handled) -> Counter[str]:
        """Count the values that were looked for, those that were too short, and those that were found."""
        counts: Counter[str] = Counter()
        values: set[str] = set()
        for known in handled.record.known:
            parts = _parts(known)
            values |= parts
            counts["short"] += not parts
        counts["values"] += len(values)
        found: set[str] = set()
        for text in handled.released if values else ():
            there = _standing(text, values)
            counts["notes"] += bool(there)
            found |= there
        counts["found"] += len(found)
        return counts

    def verdict(self, counts: Counter[str]) -> Verdict:
        """Judge by the sums: nothing may have been found."""
        values, found, short = counts["values"], counts["found"], counts["short"]
        noun = "value" if values == 1 else "values"
        where = f", in {counts['notes']:,} notes" if found else ""
        note = f"{short:,} were too short to be looked for" if short else ""
        return Verdict(
            self.name,
            holds=not found,
            required="no known value in any note",
            achieved=f"{found:,} of {values:,} {noun} found{where}",
            basis=self.basis,
            protects_from=self.protects_from,
            violations=found,
            note=note,
        )

    def in_words(self) -> str:
        """Say in one sentence what is promised."""
        return "nothing that the known columns say about a person stands in that person's notes"


def _plain(text: str) -> str:
    """Return the words of a text, without case and accents, one blank between them and around them."""
    text = look_alikes.Reading.of(text).text.replace(look_alikes.JOINER, "")
    if not text.isascii():
        parted = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in parted if not unicodedata.combining(letter))
    return f" {' '.join(_WORD.findall(text.casefold().translate(_LETTERS)))} "


def _parts(known: Known) -> set[str]:
    """Return what must not be read: of a name every part, of all else the whole value."""
    if known.kind is not Kind.NAME:
        whole = _plain(known.value)
        return {whole} if len(whole.replace(" ", "")) >= SHORTEST else set()
    parts = [_plain(part) for part in (*name_parts(known.value), *compounds_of(known.value))]
    return {part for part in parts if len(part.replace(" ", "")) >= SHORTEST}


def _standing(text: str, values: set[str]) -> set[str]:
    """Return the values that stand in a text as whole words, or cut into other words."""
    plain = _plain(text)
    run = plain.replace(" ", "")
    letters = {value: value.replace(" ", "") for value in values}
    return {
        value
        for value in values
        if letters[value] in run and (value in plain or _is_cut_otherwise(letters[value], plain))
    }


def _is_cut_otherwise(letters: str, plain: str) -> bool:
    """Say whether words side by side make up a value when they are written as one.

    >>> _is_cut_otherwise("mcdonald", " seen by mc donald "), _is_cut_otherwise("mcdonald", " old mcdonalds ")
    (True, False)
    """
    return len(letters) >= JOINED and re.search(f" {' ?'.join(letters)} ", plain) is not None
