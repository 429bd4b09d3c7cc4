"""What all replacements share: what stays, what may be shown of dates, ages and ZIP codes, and what must go.

A policy is applied once, here; a replacement only says how the rest is written. Text that already is a tag of
ours stays, so that replacing twice changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.masking.reduce import OLDEST
from sfumato.masking.shift import DateShift
from sfumato.text.kept import strangers
from sfumato.text.kinds import Kind
from sfumato.text.look_alikes import plain, seen
from sfumato.text.note import Found, Record
from sfumato.text.policy import TextPolicy, text_policy_named
from sfumato.text.replace.ages import age_of
from sfumato.text.replace.calendar import (
    HIDDEN,
    KEPT,
    LUMPED,
    RecordDates,
    Shown,
    is_readable,
    says_something,
)
from sfumato.text.replace.contract import Change
from sfumato.text.replace.keyed import identity
from sfumato.text.replace.names import As, mention
from sfumato.text.replace.stays import cut, is_part_of_number, stays
from sfumato.text.span import Span

ALREADY = "already replaced"
OVER_89 = "over 89"
_CODE = f"(?:{'|'.join(f'{letter}{{3,12}}[0-9]{{0,6}}' for letter in 'ABCDEFGHIJKLMNOPQRSTUVW')}|[A-Z])"
TAG_NAMES = {
    Kind.NAME: "NAME", Kind.DATE: "DATE", Kind.AGE: "AGE", Kind.LOCATION: "LOCATION", Kind.PHONE: "PHONE",
    Kind.EMAIL: "EMAIL", Kind.URL: "URL", Kind.IP: "IP-ADDRESS", Kind.SSN: "SSN", Kind.ID: "ID-NUM",
    Kind.PROFESSION: "PROFESSION", Kind.SEX: "SEX", Kind.OTHER: "OTHER", Kind.CLINICAL: "OTHER",
}  # fmt: skip
"""what a tag is called, by kind"""
PLACE_TAGS = {
    "street": "STREET", "unit": "STREET", "city": "CITY", "county": "COUNTY", "state": "STATE",
    "country": "COUNTRY", "zip": "ZIP-CODE", "hospital": "INSTITUTION", "organisation": "INSTITUTION",
    "room": "ROOM",
}  # fmt: skip
"""what the tag of a place is called, by its label"""
_PLAIN = "|".join(sorted({*TAG_NAMES.values(), *PLACE_TAGS.values()}))
TAG = re.compile(
    rf"\*\*(?:NAME\[{_CODE}(?:[ ,.'-]{{1,3}}{_CODE})*\.?\]|DATE\[[^\]\n]{{1,40}}\]|AGE\[over 89\]"
    rf"|(?:{_PLAIN})(?![\w\[]|-[A-Z]))|\b(?:{_PLAIN})-(?=[A-Z]*[2-7])[A-Z2-7]{{16,52}}\b"
)
"""a tag as ``Tags`` prints it, or a code of ``Pseudonyms``; the name of a person in such brackets is none"""


_LUMPED_AGE = re.compile(r"90\+(?!\d)")


@dataclass(frozen=True)
class Shift:
    """How dates are moved."""

    days: int = 365
    """dates move by up to so many days either way"""
    whole_weeks: bool = False
    """whether the days of the week are kept"""

    def __post_init__(self) -> None:
        if self.whole_weeks and self.days < 7:
            raise BadInput("'days' must be 7 or more where whole weeks are asked for", remedy="try 364")
        DateShift(self.days)

    def offset(self, person: str, secrets: Secrets) -> int:
        """Return the shift of a person in days: the same that ``masking`` moves the columns of a table by."""
        if self.whole_weeks:
            return 7 * DateShift(self.days // 7).shifts([person], secrets)[0]
        return DateShift(self.days).shifts([person], secrets)[0]


A_YEAR = Shift()
"""up to a year either way"""


@dataclass(frozen=True)
class UnderPolicy:
    """What every replacement is told: the policy, by its name or as an object, and the language of dates."""

    policy: str | TextPolicy = "safe-harbor"
    language: str = "en"

    def __post_init__(self) -> None:
        _ = self.rules

    @property
    def rules(self) -> TextPolicy:
        """The policy. ZIP codes of which a part may be shown are those of the United States."""
        chosen = text_policy_named(self.policy) if isinstance(self.policy, str) else self.policy
        return chosen if self.language == "en" else replace(chosen, zips="hidden")

    def cut(self, found: Found) -> Found:
        """Return what was found, cut so that what the policy keeps is what its label says."""
        return cut(found, self.rules, self.language)


@dataclass(frozen=True)
class UnderDatedPolicy(UnderPolicy):
    """And for those that show dates: how far they are moved where the policy says so."""

    shift: Shift = A_YEAR

    @property
    def moves_dates(self) -> bool:
        """Whether the policy asks for moved dates."""
        return self.rules.dates == "shifted"

    def offset(self, record: Record, secrets: Secrets) -> int:
        """Return by how many days the dates of a record are moved: for its other columns, not to be shown."""
        return self.shift.offset(identity(record), secrets)

    def settled(self, found: Found, secrets: Secrets) -> Settled:
        """Apply the policy to a record."""
        return Settled(
            found, self.rules, lru_cache(lambda: self.offset(found.record, secrets)), self.language
        )


@dataclass(frozen=True)
class Settled:
    """One record under one policy: asked by a replacement for every span."""

    found: Found = field(repr=False)
    policy: TextPolicy
    offset: Callable[[], int] = field(repr=False)
    """asked only where dates are moved, so that nothing else needs a key"""
    language: str = "en"

    @cached_property
    def _dates(self) -> list[dict[int, Shown]]:
        return RecordDates(self.policy, self.offset, self.language).settle(self.found)

    def changes(self, write: Callable[[Place], Change]) -> tuple[tuple[Change, ...], ...]:
        """Return the changes of all notes: ``write`` is asked for every span that must not stay."""
        answer = []
        for number, (note, spans) in enumerate(zip(self.found.record.notes, self.found.spans, strict=True)):
            tags = [tag.span() for tag in TAG.finditer(note.text) if is_ours(tag.group(), self.language)]
            already = _already(note.text, spans, tags)
            read = plain(note.text)
            listed = []
            for place, span in enumerate(spans):
                old = span.of(note.text)
                shown = Shown(old, ALREADY) if already[place] else self._shown(number, place, span, old, read)
                if shown is not None and shown.text == old and shown.how in (KEPT, ALREADY):
                    listed.append(Change(span, old, shown.how))
                else:
                    listed.append(write(Place(number, place, span, old, shown)))
            answer.append(tuple(listed))
        return tuple(answer)

    def _shown(self, number: int, place: int, span: Span, old: str, text: str) -> Shown | None:
        """Return what may be shown of something; None where the policy has nothing to say about it.

        ``text`` is the note with look-alikes read as what they stand for; what is shown is as it was written.
        """
        said = seen(span.of(text))
        if not says_something(said) or stays(self.policy, span, said, self.language):
            return Shown(old, KEPT)
        if span.kind is Kind.DATE:
            inside = is_part_of_number(text, span.start, span.end)
            return Shown(None, HIDDEN) if inside else self._dates[number][place]
        if span.kind is Kind.AGE:
            return self._age(span, old, text)
        return None

    def _age(self, span: Span, old: str, text: str) -> Shown:
        said = seen(span.of(text))
        age = age_of(said, text[span.end : span.end + 20])
        if _LUMPED_AGE.match(text, span.start) and not re.search(r"\d", said[3:]):
            return Shown(old, ALREADY)
        if age is None or age >= OLDEST:
            return Shown(OVER_89, LUMPED)
        hidden = self.policy.ages == "all" or strangers(span.kind, span.label, said, self.language)
        return Shown(None, HIDDEN) if hidden else Shown(old, KEPT)


@dataclass(frozen=True, slots=True)
class Place:
    """A span that must not stay as it is: where, what stands there, and what may be shown instead."""

    note: int
    place: int
    span: Span
    old: str = field(repr=False)
    shown: Shown | None = field(repr=False)
    """for dates and ages; None for all else"""


def is_ours(tag: str, language: str) -> bool:
    """Say whether a tag holds what we put there: of a date something that can be read as one.

    >>> is_ours("**DATE[1936 or earlier]", "en"), is_ours("**DATE[Ada Lovelace]", "en")
    (True, False)
    """
    return not tag.startswith("**DATE[") or is_readable(tag[7:-1].removesuffix(" or earlier"), language)


def _already(text: str, spans: Sequence[Span], tags: list[tuple[int, int]]) -> list[bool]:
    """Say of each span whether it was replaced before: it lies inside a tag, or holds one and nothing else
    that names anybody (``Dr. **NAME[WWW]``, ``**AGE[over 89]-year-old``).
    """
    already, at = [], 0
    for span in spans:
        while at < len(tags) and tags[at][1] <= span.start:
            at += 1
        if at == len(tags) or tags[at][0] >= span.end:
            already.append(False)
        elif tags[at][0] <= span.start and span.end <= tags[at][1]:
            already.append(True)
        else:
            already.append(not _says_more(span.of(text), span.kind))
    return already


def _says_more(text: str, kind: Kind) -> bool:
    """Say whether there is something to replace beside tags."""
    if kind is Kind.NAME:
        pieces = mention(TAG.sub("Xx", text)).pieces
        return any(piece.what is not As.COPIED and piece.text != "Xx" for piece in pieces)
    rest = TAG.sub(" ", text)
    if kind is Kind.AGE:
        return age_of(rest) is not None
    return any(letter.isalnum() for letter in rest)
