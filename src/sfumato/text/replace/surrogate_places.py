"""Made-up places: another city (of the same state, where it is known), street, hospital or employer.

A made-up place shares no word with the true one, nor its name with another place of the record. States and
countries stay where the policy keeps them; three digits of a ZIP code stay where it allows them and more than
20,000 people share them (``masking/zip3.py``). A true state beside a made-up city narrows the true city down
to that state: this is what the policy allows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TypeVar

from sfumato.masking.zip3 import HIDDEN as NO_ZIP3
from sfumato.masking.zip3 import zip3
from sfumato.text.dates import listed
from sfumato.text.detectors.spelling import folded
from sfumato.text.language import language_of
from sfumato.text.policy import TextPolicy
from sfumato.text.replace.addresses import STATE_AFTER, STATES, Address, address, label_of
from sfumato.text.replace.keyed import Draws
from sfumato.text.replace.names import in_case_of
from sfumato.text.replace.surrogate_numbers import in_form_of, is_other
from sfumato.text.surrogate_lists import SurrogateLists, load_surrogates

_FEWEST_CITIES = 3
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile(
    r"(?i)(?<![,\s])[,\s]+(?:#|apt\b|apartment\b|unit\b|suite\b|ste\b|room\b|floor\b|bldg\b).*$", re.DOTALL
)
_UNIT_WORDS = listed(
    "apt apartment unit suite ste room rm floor fl bldg building bed ward icu ed or box lot wing level"
)
_DOOR_WORDS = listed(
    "s n nº no núm km piso puerta portal escalera esc planta bloque letra bajo dcha izda izq der izqda "
    "derecha izquierda ático entlo pta local"
)
"""what may stay behind the name of a street where its number comes last"""
_NUMBER_LAST = re.compile(r"(?i)[,\s]+(?:n[º°o]\.?\s*|núm\.?\s*)?(?:\d|s/n\b).*$", re.DOTALL)
_FIVE_DIGITS = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_LEADING = re.compile(r"\s*\d[\w-]*")
_MOST_TRIES = 64


T = TypeVar("T", str, tuple[str, str])


@dataclass(frozen=True)
class PlaceSurrogates:
    """The made-up places of one record."""

    draws: Draws = field(repr=False)
    lists: SurrogateLists = field(repr=False)
    policy: TextPolicy
    language: str
    real: frozenset[str] = field(default=frozenset(), repr=False)
    """folded words of all places of the record: a made-up place is none of them"""

    def written(self, old: str, label: str, after: str) -> str:
        """Return a made-up place; ``after`` is what follows the old one in the note."""
        sort = label if label in _MAKERS else label_of(old)
        if sort == "city":
            state = STATE_AFTER.match(after)
            cut = address(f"x, {state.group(1)}") if state else Address()
            return self._city(old, cut.state_code)[0]
        if sort == "address":
            return self._address(address(old))
        return _MAKERS[sort](self, old)

    def _address(self, cut: Address) -> str:
        keeps_state = "LOCATION/state" in self.policy.kept
        city, state = self._city(cut.city, cut.state_code if keeps_state else "") if cut.city else ("", "")
        new_state = cut.state if keeps_state else self._state(cut.state, state)
        return replace(
            cut,
            street=self._street(cut.street) if cut.street else "",
            city=city,
            state=new_state,
            zip=self._zip(cut.zip) if cut.zip else "",
        ).written()

    def _city(self, old: str, state: str) -> tuple[str, str]:
        """Return another city and its state: of the same state if there are enough of it in the list."""
        cities = _cities_of(self.language, state) if state else ()
        drawn = self._drawn(cities, old, "city") if len(cities) >= _FEWEST_CITIES else None
        city, where = drawn or self._drawn(self.lists.cities, old, "city") or ("Springfield", "IL")
        return in_case_of(city, old), where

    def _state(self, old: str, state: str) -> str:
        """Return another state, written as the old one: two letters, or in full."""
        codes = [code for code in STATES if code != address(f"x, {old}").state_code] if old else []
        if not codes:
            return ""
        code = state if state in codes else codes[self.draws.below(len(codes), "state", folded(old))]
        return code if len(old) == 2 else in_case_of(STATES[code], old)

    def _only_state(self, old: str) -> str:
        return self._state(old.strip(), "") or "[state]"

    def _zip(self, old: str) -> str:
        whole = _FIVE_DIGITS.fullmatch(old) is not None  # six are an Indian code, whose first three say more
        first = zip3(old) if whole and self.policy.zips == "zip3" else NO_ZIP3
        for attempt in range(_MOST_TRIES):
            new = in_form_of(old, self.draws, f"zip {attempt}")
            if first != NO_ZIP3:
                new = first + new[3:]
            if is_other(old, new) and (first != NO_ZIP3 or new[:3] != old[:3]):
                return new
        return NO_ZIP3

    def _street(self, old: str) -> str:
        """Return a street with another number, written short or in capitals as the old one; units anew."""
        if self._sort_first:
            last = _NUMBER_LAST.search(old)
            street = self._composed(self.lists.streets, self.lists.street_endings, old, "street")
            return street + (self._door(last.group()) if last else "")
        unit = _UNIT.search(old)
        body, rest = (old[: unit.start()], unit.group()) if unit else (old, "")
        number = _LEADING.match(body)
        street = self._composed(self.lists.streets, self.lists.street_endings, body, "street")
        written = f"{self._digits(number.group())} {street}" if number else street
        return written + (self._unit(rest) if rest else "")

    def _unit(self, old: str) -> str:
        """Draw numbers and letters of a flat, room or floor anew; words for what it is stay."""

        def new(found: re.Match[str]) -> str:
            return found.group() if found.group().lower() in _UNIT_WORDS else self._digits(found.group())

        return re.sub(r"\w+", new, old)

    def _door(self, old: str) -> str:
        """Draw numbers and letters behind the name of a street anew; words for what it is stay."""

        def new(found: re.Match[str]) -> str:
            return found.group() if found.group().lower() in _DOOR_WORDS else self._digits(found.group())

        return re.sub(r"n[º°](?!\w)|[^\W_ºª]+", new, old)

    @property
    def _sort_first(self) -> bool:
        return language_of(self.language).sort_before_name

    def _digits(self, old: str) -> str:
        for attempt in range(_MOST_TRIES):
            new = in_form_of(old, self.draws, f"place {attempt}")
            if is_other(old, new):
                return new
        return "0"

    def _hospital(self, old: str) -> str:
        return self._composed(self.lists.hospitals, self.lists.hospital_endings, old, "hospital")

    def _organisation(self, old: str) -> str:
        return self._composed(
            self.lists.companies, self.lists.company_endings, old, "organisation", sorted_last=True
        )

    def _county(self, old: str) -> str:
        stem = self._drawn(self.lists.streets, old, "county") or "Oak"
        return in_case_of(f"{stem} County" if "county" in old.lower() else stem, old)

    def _country(self, old: str) -> str:
        return "[country]"

    def _composed(
        self, stems: Sequence[str], endings: Sequence[str], old: str, use: str, sorted_last: bool = False
    ) -> str:
        stem = self._drawn(stems, old, use) or stems[0]
        ending = self._drawn(endings, old, f"{use} ending", frozenset()) or endings[0]
        if self._sort_first and not sorted_last:
            return f"{ending} {stem}".upper() if old.isupper() else f"{ending} {stem}"
        return in_case_of(f"{stem} {ending}", old)

    def _drawn(self, values: Sequence[T], old: str, use: str, real: frozenset[str] | None = None) -> T | None:
        """Draw a value that shares no word with the old one, nor with another place unless all do."""
        words = place_words(old)
        avoided = words | (self.real if real is None else real)

        def fits(value: T) -> bool:
            return avoided.isdisjoint(place_words(value if isinstance(value, str) else value[0]))

        drawn = self.draws.choose(values, fits, use, " ".join(sorted(words)) or old)
        return self._drawn(values, old, use, frozenset()) if drawn is None and avoided > words else drawn


@lru_cache(maxsize=1 << 14)
def place_words(text: str) -> frozenset[str]:
    """Return the words of a place, as they are compared."""
    return frozenset(folded(word) for word in _WORD.findall(text))


_MAKERS = {
    "street": PlaceSurrogates._street,
    "unit": PlaceSurrogates._unit,
    "room": PlaceSurrogates._unit,
    "zip": PlaceSurrogates._zip,
    "hospital": PlaceSurrogates._hospital,
    "organisation": PlaceSurrogates._organisation,
    "county": PlaceSurrogates._county,
    "state": PlaceSurrogates._only_state,
    "country": PlaceSurrogates._country,
}


@cache
def _cities_of(language: str, state: str) -> tuple[tuple[str, str], ...]:
    return tuple(entry for entry in load_surrogates(language).cities if entry[1] == state)
