"""The people of a record: every mention of a name in every note, and which words mean the same name.

Names are told apart part by part: "Whitfield" is one key wherever it occurs, so the patient in ``Whitfield,
Eleanor M``, ``Eleanor Whitfield`` and ``Mrs. Whitfield`` is one person, and a daughter shares the family's
key. A word that is one slip of the keyboard away from another name of the record, and is itself no name that
people bear, is that name misspelt. Two people of one name are not told apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from sfumato.text.dates import listed
from sfumato.text.detectors.spelling import Misspelt, folded
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.names import As, Mention, mention
from sfumato.text.span import Span

_AROUND = 24
_DOCTOR_BEFORE = re.compile(
    r"\b(?:dr|drs|doctor|dra|prof|physician|attending|surgeon|pathologist|dictated by|signed by)\.?:?\s*$",
    re.IGNORECASE,
)
_DOCTOR_AFTER = re.compile(r"^,?\s*(?:M\.?D|D\.?O|R\.?N|N\.?P|PA-?C?|MBBS|LPN|CRNA|Ph\.?D)\b")
_FAMILY_BEFORE = re.compile(r"\b(?:dr|mr|mrs|ms|miss|mx|prof|sra?|srta|dra)\.?\s*$", re.IGNORECASE)
_SHE = listed(
    "mrs ms miss sra srta woman female lady girl she her wife mother daughter sister aunt niece mujer hija"
)
_HE = listed("mr man male gentleman boy he his him husband father son brother uncle nephew hombre varón hijo")
_SHE_OR_HE = re.compile(rf"\b(?:{'|'.join(sorted(_SHE | _HE))})\b")
_OURS = ("patient", "relative")
_STAFF = ("doctor", "user", "staff", "nurse")
_LONGEST = 40
"""letters that a name has at most when slips are looked for"""
_CAPITALS = re.compile(r"[A-Z]{2,3}")


class Lore(Protocol):
    """What is known about names beyond the record."""

    def is_given(self, key: str) -> bool:
        """Say whether a folded word is a given name rather than a family name."""

    def is_borne(self, key: str) -> bool:
        """Say whether people bear it, so that it is no misspelling."""

    def formal(self, key: str) -> tuple[str, ...]:
        """Return the given names that a familiar one stands for (Bob: Robert)."""


@dataclass(frozen=True)
class People:
    """Everything that names say in one record."""

    mentions: tuple[dict[int, Mention], ...] = field(repr=False)
    """for each note, by the place of the span among its spans"""
    order: tuple[tuple[str, bool], ...] = field(repr=False)
    """keys of names in the order in which they are first written, and whether staff bear it and no patient"""
    family: frozenset[str] = field(repr=False)
    """keys that are family names more often than given names"""
    same: dict[str, str] = field(repr=False)
    """a misspelt key → the key that is meant"""
    fulls: tuple[tuple[str, str], ...] = field(repr=False)
    """given and family name of everybody who is named in full"""
    female: dict[str, bool] = field(repr=False)
    """given names whose bearer is called she or he beside them"""

    def key(self, key: str) -> str:
        """Return the key that is meant."""
        return self.same.get(key, key)

    @property
    def keys(self) -> list[str]:
        """All keys that are meant, in the order in which they are first written."""
        return list(dict.fromkeys(self.key(key) for key, _ in self.order))

    def behind(self, letters: str) -> tuple[str, str] | None:
        """Return the given and family name of who signs with these initials, if the record knows."""
        wanted = folded(letters)
        return self._signing.get((wanted[0], wanted[-1])) if len(wanted) > 1 else None

    @cached_property
    def givens(self) -> dict[str, list[str]]:
        """For each family name the given names beside it, in the order in which they are first written."""
        found: dict[str, list[str]] = {}
        for given, family in self.fulls:
            found.setdefault(self.key(family), []).append(self.key(given))
        return found

    @cached_property
    def families(self) -> dict[str, str]:
        """For each given name the family name of the first who bears it."""
        return {self.key(given): self.key(family) for given, family in reversed(self.fulls)}

    @cached_property
    def _signing(self) -> dict[tuple[str, str], tuple[str, str]]:
        return {(given[:1], family[:1]): (given, family) for given, family in reversed(self.fulls)}


def people(found: Found, lore: Lore) -> People:
    """Understand the names of a record."""
    read = [*_read(found)]
    known = {
        piece.key
        for _, _, said, _, _ in read
        for piece in said.words(As.GIVEN, As.FAMILY, As.ALONE)
        if not _CAPITALS.fullmatch(piece.text)
    }
    mentions: list[dict[int, Mention]] = [{} for _ in found.spans]
    votes: Counter[tuple[str, As]] = Counter()
    order: dict[str, bool] = {}
    ours: set[str] = set()
    female: Counter[str] = Counter()
    fulls: dict[tuple[str, str], None] = {}
    for note, place, said, span, text in read:
        said = _perhaps_initials(said, known)
        mentions[note][place] = said
        before, after = text[max(0, span.start - _AROUND) : span.start], text[span.end : span.end + _AROUND]
        staff = span.label in _STAFF or bool(_DOCTOR_BEFORE.search(before) or _DOCTOR_AFTER.match(after))
        for key in _in_order(said, staff):
            votes[key, _voted(said, key, span, before)] += 1
            order[key] = order.get(key, False) or staff
            ours |= {key} if span.label in _OURS else set()
        if said.full is not None:
            fulls[said.full] = None
        for piece in said.words(As.GIVEN, As.ALONE):
            female[piece.key] += _gender(before, text[span.end : span.end + 2 * _AROUND])
    same = _meant(order, votes, lore) | _formal(order, fulls, lore)
    family = frozenset(key for key in order if _is_family(key, votes, lore))
    return People(
        tuple(mentions),
        tuple((key, staff and key not in ours) for key, staff in order.items()),
        family,
        {key: same.get(meant, meant) for key, meant in same.items()},
        tuple(fulls),
        {key: count > 0 for key, count in female.items() if count},
    )


def _read(found: Found) -> Iterator[tuple[int, int, Mention, Span, str]]:
    for number, (note, spans) in enumerate(zip(found.record.notes, found.spans, strict=True)):
        for place, span in enumerate(spans):
            if span.kind is Kind.NAME:
                yield number, place, mention(span.of(note.text), span.label), span, note.text


def _perhaps_initials(said: Mention, known: set[str]) -> Mention:
    """Take EW for initials, unless the record knows a name that is written so."""
    words = said.words(As.ALONE)
    if len(words) != 1 or not _CAPITALS.fullmatch(words[0].text) or words[0].key in known:
        return said
    return mention(words[0].text, "initials") if len(said.pieces) == 1 else said


def _in_order(said: Mention, staff: bool) -> list[str]:
    """Return the keys of a mention; of a family the family name comes first, since relatives share it."""
    pieces = said.words(As.GIVEN, As.FAMILY, As.ALONE)
    if not staff:
        pieces.sort(key=lambda piece: piece.what is As.GIVEN)
    return [piece.key for piece in pieces]


def _voted(said: Mention, key: str, span: Span, before: str) -> As:
    what = next(piece.what for piece in said.pieces if piece.key == key and piece.what is not As.COPIED)
    if what is not As.ALONE:
        return what
    if span.label in _STAFF or _FAMILY_BEFORE.search(before) or said.pieces[0].what is As.COPIED:
        return As.FAMILY
    return As.GIVEN if span.label == "relative" else As.ALONE


def _is_family(key: str, votes: Counter[tuple[str, As]], lore: Lore) -> bool:
    family, given = votes[key, As.FAMILY], votes[key, As.GIVEN]
    return family > given if family != given else not lore.is_given(key)


def _meant(order: Iterable[str], votes: Counter[tuple[str, As]], lore: Lore) -> dict[str, str]:
    """Return for each misspelt key the one that is meant: borne by people, or written more often."""
    often = Counter[str]()
    for (key, _), count in votes.items():
        often[key] += count
    keys = [key for key in order if Misspelt.SHORTEST <= len(key) <= _LONGEST]
    near = _near(keys)
    same: dict[str, str] = {}
    for key in keys:
        if not near[key] or lore.is_borne(key):
            continue
        meant = [
            other
            for other in near[key]
            if other not in same and (lore.is_borne(other) or often[other] > often[key])
        ]
        if meant:
            same[key] = max(meant, key=lambda other: (often[other], other))
    return same


def _formal(order: Iterable[str], fulls: Iterable[tuple[str, str]], lore: Lore) -> dict[str, str]:
    """Return for Bob the Robert of the record, if there is one and Bob has no other family name."""
    keys = set(order)
    families: dict[str, set[str]] = {}
    for given, family in fulls:
        families.setdefault(given, set()).add(family)
    same = {}
    for key in keys:
        own = families.get(key, set())
        meant = [name for name in lore.formal(key) if name in keys and own <= families.get(name, set())]
        if len(meant) == 1:
            same[key] = meant[0]
    return same


def _near(keys: list[str]) -> dict[str, list[str]]:
    """Return for each key the others that are one slip away: they share a word with a letter less."""
    index: dict[str, list[str]] = {}
    for key in keys:
        for cut in _cuts(key):
            index.setdefault(cut, []).append(key)
    near = {}
    for key in keys:
        others = {other for cut in _cuts(key) for other in index[cut] if other != key}
        near[key] = sorted(other for other in others if Misspelt.of([other]).near(key))
    return near


def _cuts(key: str) -> set[str]:
    return {key, *(key[:at] + key[at + 1 :] for at in range(1, len(key)))}


def _gender(before: str, after: str) -> int:
    """Return 1 for she, -1 for he, by the nearest telling word before a name, or else after it."""
    said = [match.group() for match in _SHE_OR_HE.finditer(before.lower())][-1:] or [
        match.group() for match in _SHE_OR_HE.finditer(after.lower())
    ][:1]
    return (1 if said[0] in _SHE else -1) if said else 0
