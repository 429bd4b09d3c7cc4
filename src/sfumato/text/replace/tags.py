"""Tags as DE-ID prints them: ``**NAME[AAA, BBB M]``, ``**DATE[2003]``, ``**AGE[over 89]``, ``**ID-NUM``.

Every part of a name has a letter code, the same in all notes of a record: ``**NAME[AAA, BBB]`` and
``**NAME[BBB AAA]`` are one person, a relative shares the family's code, staff have codes that count down from
WWW. Codes are given in the order in which names are first written: they tell who is who inside a record, and
nothing of the name itself. Under Safe Harbor a tag shows no initial, no part of a number, and the year of a
date.

See Gupta, Saul & Gilbertson, "Evaluation of a deidentification (De-Id) software engine", 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.addresses import address, label_of
from sfumato.text.replace.ages import with_age
from sfumato.text.replace.contract import Change
from sfumato.text.replace.lore import NameLore
from sfumato.text.replace.names import As, Mention, NamePiece
from sfumato.text.replace.people import People, people
from sfumato.text.replace.settled import PLACE_TAGS, TAG_NAMES, Place, UnderDatedPolicy
from sfumato.text.replace.written_names import rewritten

_FAMILY_LETTERS = "ABCDEFGHIJKL"
_STAFF_LETTERS = "WVUTSRQPONM"


@dataclass(frozen=True)
class Tags(UnderDatedPolicy):
    """Replace by tags. Needs the key only where dates are moved.

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.replace.apply import applied
    >>> from sfumato.text.span import Span
    >>> text = "Ada Lovelace, 93, seen on 1/19/2003"
    >>> spans = (Span(0, 12, Kind.NAME), Span(14, 16, Kind.AGE), Span(26, 35, Kind.DATE, "full"))
    >>> [changes] = Tags().changes(Found(Record.of(text), (spans,)), Secrets())
    >>> applied(text, changes)[0]
    '**NAME[BBB AAA], **AGE[over 89], seen on **DATE[2003]'
    """

    name: ClassVar[str] = "tags"

    @property
    def invents(self) -> bool:
        """Whether what stands there may look true and is not: moved dates do."""
        return self.moves_dates

    @property
    def needs_key(self) -> bool:
        """Whether it draws on the key: for moving dates."""
        return self.moves_dates

    def describe(self) -> str:
        """Say in words what is done."""
        return (
            "What was found is replaced by a tag that says what it was; names have letter codes that agree "
            f"in all notes of a person. {self.rules.describe()}"
        )

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""
        found = self.cut(found)
        known = people(found, NameLore(self.language))
        codes = letter_codes(known)

        def write(place: Place) -> Change:
            if place.span.kind is Kind.NAME:
                said = known.mentions[place.note][place.place]
                return Change(place.span, self._name(said, known, codes), "tag")
            return self._tagged(place)

        return self.settled(found, secrets).changes(write)

    def _tagged(self, place: Place) -> Change:
        span, shown = place.span, place.shown
        tag = f"**{tag_name(span.kind, span.label or told_label(place))}"
        if shown is None:
            return Change(place.span, tag, "tag")
        if shown.text is not None:
            tag = f"{tag}[{shown.text}]"
        return Change(span, with_age(place.old, tag) if span.kind is Kind.AGE else tag, shown.how)

    def _name(self, said: Mention, known: People, codes: dict[str, str]) -> str:
        """Write a name in codes; what is no part of the name (titles, 's) stays outside the brackets."""

        def word(piece: NamePiece) -> str:
            return codes[known.key(piece.key)]

        def initial(piece: NamePiece, given: bool) -> str:
            return piece.text if given and self.rules.initials else ""

        before, coded, after = rewritten(said, word, initial)
        if not coded.strip(" ,.-'’"):
            behind = known.behind("".join(piece.text for piece in said.words(As.INITIAL)))
            coded = " ".join(codes[known.key(key)] for key in behind) if behind else ""
        return f"{before}**NAME[{coded}]{after}" if coded else f"{before}**NAME{after}"


def told_label(place: Place) -> str:
    """Return the label of a place that has none, where its form tells it: ZIP codes, streets, hospitals."""
    if place.span.kind is not Kind.LOCATION:
        return ""
    label = label_of(place.old)
    if label == "address":
        cut = address(place.old)
        parts = [part for part in ("street", "city", "state", "zip") if getattr(cut, part)]
        return parts[0] if len(parts) == 1 else ""
    return label if label == "hospital" else ""


def tag_name(kind: Kind, label: str) -> str:
    """Return what a tag is called.

    >>> tag_name(Kind.LOCATION, "city"), tag_name(Kind.ID, "mrn")
    ('CITY', 'ID-NUM')
    """
    return PLACE_TAGS.get(label, TAG_NAMES[kind]) if kind is Kind.LOCATION else TAG_NAMES[kind]


def letter_codes(known: People) -> dict[str, str]:
    """Give every name of a record its code: AAA, BBB, … for the family, WWW, VVV, … for staff.

    After twelve of the one and eleven of the other, codes have a letter more: AAAA, BBBB, … After six letters
    they are numbered: AAA2, BBB2, …
    """
    staff = {known.key(key) for key, is_staff in known.order if is_staff}
    staff -= {known.key(key) for key, is_staff in known.order if not is_staff}
    family_codes, staff_codes = _codes(_FAMILY_LETTERS), _codes(_STAFF_LETTERS)
    return {key: next(staff_codes if key in staff else family_codes) for key in known.keys}


def _codes(letters: str) -> Iterator[str]:
    for length in range(3, 7):
        yield from (letter * length for letter in letters)
    for number in count(2):
        yield from (f"{letter * 3}{number}" for letter in letters)
