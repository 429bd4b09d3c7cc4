"""Surrogates (resynthesis): realistic values in the place of the true ones, so that notes read as notes.

One person has one made-up name in all forms and all notes, dates keep their distances, equal numbers stay
equal; which of the names they see was missed by the finder a reader cannot tell: what was not found
hides among made-up ones (Carrell et al., "Hiding in plain sight", 2013). Everything is drawn with
the key: two runs agree, and without the key nothing leads back. A reader cannot see that a value is made up,
so the evidence says that the release is not truthful.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from sfumato.masking.contract import Secrets
from sfumato.masking.reduce import OLDEST
from sfumato.text.detectors.spelling import folded, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.note import Found
from sfumato.text.replace.ages import age_of, with_age
from sfumato.text.replace.contract import Change
from sfumato.text.replace.keyed import Draws
from sfumato.text.replace.lore import NameLore
from sfumato.text.replace.people import people
from sfumato.text.replace.settled import OVER_89, Place, UnderDatedPolicy
from sfumato.text.replace.surrogate_names import NameSurrogates
from sfumato.text.replace.surrogate_numbers import in_form_of, is_other, number
from sfumato.text.replace.surrogate_places import PlaceSurrogates, place_words
from sfumato.text.surrogate_lists import SurrogateLists, load_surrogates

_SURROGATE = "surrogate"
_MOST_TRIES = 32
_LOCAL = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)


@dataclass(frozen=True)
class Surrogates(UnderDatedPolicy):
    """Replace by made-up values. ``avoid`` lists names that are no surrogates: those of the whole corpus."""

    avoid: tuple[str, ...] = ()
    name: ClassVar[str] = "surrogates"
    invents: ClassVar[bool] = True
    needs_key: ClassVar[bool] = True

    def describe(self) -> str:
        """Say in words what is done."""
        return (
            "What was found is replaced by made-up values of the same sort and form, the same for a person "
            f"in all notes, drawn with a key: the notes are not truthful. {self.rules.describe()}"
        )

    def changes(self, found: Found, secrets: Secrets) -> tuple[tuple[Change, ...], ...]:
        """Return a change for every span."""
        found = self.cut(found)
        maker = _Maker.of(self, found, secrets)
        return self.settled(found, secrets).changes(maker.change)


@dataclass(frozen=True)
class _Maker:
    """Makes values up for one record."""

    asked: Surrogates
    found: Found
    draws: Draws
    names: NameSurrogates
    places: PlaceSurrogates
    lists: SurrogateLists

    @classmethod
    def of(cls, asked: Surrogates, found: Found, secrets: Secrets) -> _Maker:
        draws = Draws.of(found.record, secrets)
        lists = load_surrogates(asked.language)
        lore = NameLore(asked.language)
        known = (said.value for said in found.record.known if said.kind is Kind.NAME)
        avoided = frozenset(folded(part) for name in (*asked.avoid, *known) for part in name_parts(name))
        names = NameSurrogates(people(found, lore), draws, lists, lore, avoided)
        places = PlaceSurrogates(draws, lists, asked.rules, asked.language, _words_of_places(found))
        return cls(asked, found, draws, names, places, lists)

    def change(self, place: Place) -> Change:
        """Make up what stands in one place."""
        span, old = place.span, place.old
        match span.kind:
            case Kind.DATE:
                assert place.shown is not None
                return Change(span, place.shown.text or "[date]", place.shown.how)
            case Kind.AGE:
                assert place.shown is not None
                return Change(span, self._age(place), place.shown.how)
            case Kind.NAME:
                said = self.names.people.mentions[place.note][place.place]
                new = self.names.written(said)
            case Kind.LOCATION:
                text = self.found.record.notes[place.note].text
                new = self.places.written(old, span.label, text[span.end : span.end + 24])
            case Kind.EMAIL:
                new = f"{self._local(old.partition('@')[0])}@example.org"
            case Kind.PROFESSION | Kind.SEX | Kind.OTHER:
                new = f"[{span.label or span.kind.value.lower()}]"
            case _:
                new = number(span.kind, old, self.draws)
        return Change(span, new, _SURROGATE)

    def _age(self, place: Place) -> str:
        """Write an age: one group under Safe Harbor, else drawn from the oldest or the same ten years."""
        assert place.shown is not None
        if place.shown.text == OVER_89 and self.asked.rules.dates != "shifted":
            return with_age(place.old, f"{OLDEST}+")
        age = age_of(place.old) or 0
        first = OLDEST if place.shown.text == OVER_89 else age // 10 * 10
        decade = [one for one in range(first, first + 10) if one != age]
        return with_age(place.old, str(decade[self.draws.below(len(decade), "age", str(age))]))

    def _local(self, old: str) -> str:
        """Return the part of an address before the @: names become their surrogates, digits other digits."""
        written = []
        for part in _LOCAL.findall(old):
            if part.isdigit():
                written.append(self._digits(part))
            elif part[0].isalpha():
                written.append(self._mailed(folded(part)))
            else:
                written.append(part)
        return "".join(written)

    def _digits(self, old: str) -> str:
        """Draw other digits; one in ten draws gives a single digit itself."""
        drawn = (in_form_of(old, self.draws, f"mail {attempt}") for attempt in range(_MOST_TRIES))
        return next((new for new in drawn if is_other(old, new)), "0")

    def _mailed(self, part: str) -> str:
        """Return what stands for a name in an address, also behind one or two initials (``rroskosz``)."""
        for cut in range(min(3, len(part))):
            word = self.names.word(part[cut:])
            if word is not None:
                initials = in_form_of(part[:cut], self.draws, "mail")
                behind = self.names.people.behind(part[0] + part[cut]) if cut == 1 else None
                if behind is not None:
                    initials = (self.names.word(behind[0]) or initials)[0]
                return _plain(initials + word)
        drawn = self.draws.choose(self.lists.family, lambda value: folded(value)[0] != part[0], "mail", part)
        return _plain(drawn or "someone")


def _words_of_places(found: Found) -> frozenset[str]:
    """Return the words of all places of a record."""
    return frozenset(
        word
        for note, spans in zip(found.record.notes, found.spans, strict=True)
        for span in spans
        if span.kind is Kind.LOCATION
        for word in place_words(span.of(note.text))
    )


def _plain(name: str) -> str:
    return "".join(letter for letter in folded(name) if letter.isalnum())
