"""Addresses in English notes: streets, boxes, routes, a city before its state, ZIP codes.

The words that end the name of a street are those of USPS Publication 28, appendix C1. Many of them mean
something else in a note (view, run, rest, lake): those need a number of three digits or more, a unit, a state
or a word such as "lives at" beside them. A state may stay in a text (45 CFR 164.514(b)(2)(i)(B)) and is not
proposed; city, street, unit and ZIP are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import compiled, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.states import AMBIGUOUS_CODES, CODES, NAMES
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span

_STRONG = listed(
    "street st str avenue ave av boulevard blvd road rd lane ln drive dr court ct circle cir place pl "
    "terrace ter parkway pkwy highway hwy trail trl turnpike tpke expressway expy freeway fwy alley aly "
    "crescent cres close causeway broadway plaza plz square sq loop pike crossing xing way"
)
_WEAK = listed(
    "annex arcade bayou beach bend bluff bluffs bottom branch bridge brook brooks burg burgs bypass camp "
    "canyon cape center centers circles cliff cliffs club common commons corner corners course courts cove "
    "coves creek crest crossroad crossroads curve dale dam divide drives estate estates extension "
    "extensions fall falls ferry field fields flat flats ford fords forest forge forges fork forks fort "
    "garden gardens gateway glen glens green greens grove groves harbor harbors haven heights hill hills "
    "hollow inlet island islands isle junction junctions key keys knoll knolls lake lakes land landing "
    "light lights loaf lock locks lodge mall manor manors meadow meadows mews mill mills mission motorway "
    "mount mountain mountains neck orchard oval overpass park parks parkways pass passage path pine pines "
    "plain plains point points port ports prairie radial ramp ranch rapid rapids rest ridge ridges river "
    "roads route row rue run shoal shoals shore shores skyway spring springs spur spurs squares station "
    "stravenue stream streets summit throughway trace track trafficway tunnel underpass union unions valley "
    "valleys via viaduct view views village villages ville vista walk walks wall ways well wells"
)
_UNIT = r"""(?:,?\s{0,2}(?:
    (?:apt|apartment|unit|suite|ste|rm|room|fl|floor|bldg|building|lot|trlr|spc|space)\b
        \.?\s{0,2}\#?\s?[a-z0-9][a-z0-9-]{0,5}
    |\#\s?[a-z0-9-]{1,6}
)\b)"""
_NUMBER = r"[0-9]{1,6}(?:-[0-9]{1,4})?(?:\s?[a-d]\b|\s1/2)?"
_DIRECTION = r"(?:[ns]\.?\s?[ew]\.?|[nsew]\.?|north(?:east|west)?|south(?:east|west)?|east|west)"
_WORD = r"(?:[^\W\d_][\w.'\u2019-]{0,24}|[0-9]{1,3}(?:st|nd|rd|th))"
_SUFFIX = "|".join(sorted(_STRONG | _WEAK, key=len, reverse=True))
_STREET = compiled(
    rf"""(?P<number>{_NUMBER})\s{{1,2}}(?:{_DIRECTION}\s{{1,2}})?
    (?P<name>{_WORD}(?:\s{_WORD}){{0,3}}?)\s{{1,2}}
    (?:(?:{_SUFFIX})\b\s{{1,2}}){{0,2}}(?P<suffix>{_SUFFIX})\b\.?
    (?:\s{_DIRECTION}(?![\w.]))?(?P<unit>{_UNIT})?"""
)
_BROADWAY = compiled(rf"(?P<number>[0-9]{{1,6}})\s(?:{_DIRECTION}\s)?broadway\b(?P<unit>{_UNIT})?")
_POST = compiled(r"p\.?\s{0,2}o\.?\s{0,2}(?:box|drawer)\s?\#?:?\s?[0-9]{1,7}[a-z]?\b")
_ROUTE = compiled(
    r"(?:r\.?\s?r\.?|rural\s(?:route|rt)|hc|rte?|star\sroute)\s?\#?\s?[0-9]{1,4},?\s(?:box|bx)\s[0-9]{1,6}[a-z]?\b"
    r"|rural\s(?:route|rt\.?)\s?\#?\s?[0-9]{1,4}\b|psc\s?[0-9]{1,5},?\sbox\s[0-9]{1,6}\b"
)
_ROOM = compiled(
    r"""(?:room|rm)\b\.?\s{0,2}(?:no\b\.?|number|\#|:)?\s{0,2}
    (?P<v>[0-9]{3,4}[a-z]?(?:-[a-z0-9]{1,2})?|[0-9]{1,2}[-.][0-9]{2,4}[a-z]?|[a-z]-?[0-9]{2,4}[a-z]?)(?![\w.])(?!\s?(?:ml|mg|cc)\b)
    |bed\s?(?:no\b\.?|number|\#|:)\s{0,2}(?P<bed>[0-9]{1,4}[a-z]?)\b"""
)
_HIGHWAY = compiled(
    r"(?P<number>[0-9]{2,6}\s)?(?:u\.?s\.?\s|state\s|county\s|old\s|interstate\s|farm\sto\smarket\s)?"
    r"(?:highway|hwy|route|rte|road|rd|fm|county\sroad|cr|interstate|sr)\b\.?\s(?:[0-9]{1,4}[a-z]?|[nsew]\s[0-9]{1,4})\b"
)
_HIGHWAY_WORDS = listed("highway hwy route rte interstate fm county state us u old")
_NAMED_WORDS = listed("street avenue ave boulevard blvd road rd lane ln parkway pkwy drive terrace turnpike")
_CAPITAL = r"[^\W\d_a-z][\w.'\u2019-]{1,24}"
_BEFORE_NAMED = re.compile(rf"((?:[NSEW]\.? )?(?:{_CAPITAL}|[0-9]{{1,3}}(?:st|nd|rd|th))(?: {_CAPITAL})?) $")
_ZIP = r"[0-9]{5}(?:\s?-\s?[0-9]{4})?(?![0-9]|-[0-9])"
_THEN_ZIP = re.compile(rf"[.,]?\s{{1,4}}(?P<v>{_ZIP})")
_SAID_ZIP = compiled(
    rf"""(?:zip(?:\s?code)?|postal\s?code|postcode)\s{{0,2}}(?:is|of)?\s{{0,2}}[:\#|]?\s{{0,4}}
    (?P<v>{_ZIP}|[a-z]{{1,2}}[0-9][0-9a-z]?\s?[0-9][a-z]{{2}}\b|[a-z][0-9][a-z]\s?[0-9][a-z][0-9]\b)"""
)
_PLUS_FOUR = re.compile(r"[0-9]{5}-[0-9]{4}(?![0-9A-Za-z]|[-/.][0-9])")
_PART = r"[^\W\d_a-z][\w'\u2019.-]{0,24}"
_CITY = re.compile(
    rf"(?P<v>{_PART}(?: (?:de|del|la|of|the|du|{_PART})){{0,3}})(?P<joint>\s?,\s{{0,2}}|\s{{1,2}})$"
)
_THEN_CITY = re.compile(
    rf"\.?,(?: |\n)(?P<v>{_PART}(?: {_PART}){{0,2}})(?=[,.;)\n]|\s(?:[A-Z]{{2}}\b|[a-z0-9])|\s{{2}}|$)"
)
_NUMBERED = listed(
    "cardholder member patient registry subscriber hosp hospital group plan user employee study subject unit "
    "device visit encounter order policy medical record tax state national donor account provider case claim "
    "student staff badge payer insurance specimen person client guarantor document job trial participant"
)
"""what has an ID: not a town in Idaho"""
_CUES = listed("in from at of near to address residence lives resides living home residing city")
_AT = listed("at address lives resides living residence home residing mail mailing street located on")
_STOP = listed(
    "mg mcg ml cc units unit min mins minute minutes hour hours hr hrs mile miles block blocks day days "
    "week weeks month months year years yo percent pack packs degree degrees vessel view lead tablets tabs "
    "cm mm kg lb lbs feet foot inch inches times x of the a an and or with to for in on at by from per was "
    "is were has had as who no not chest point points french gauge"
)


@dataclass(frozen=True)
class Addresses:
    """Proposes parts of addresses."""

    name: str = "en.addresses"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at house numbers, states, and words that streets and boxes are named with."""
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            yield from self._street(text, starts[place])
        yield from self._matched(page, listed("p po box"), _POST, "street", LIKELY)
        yield from self._matched(page, listed("rr r rural hc rt rte star psc"), _ROUTE, "street", LIKELY)
        yield from self._matched(page, listed("room rm bed"), _ROOM, "room", PROBABLE)
        yield from self._highways(page)
        yield from self._named(page)
        yield from self._matched(page, listed("zip zipcode postal postcode"), _SAID_ZIP, "zip", SURE)
        for word in page.places.keys() & CODES:
            for place in page.places[word]:
                if text[starts[place] : starts[place] + 2].isupper():
                    yield from self._city(text, starts[place], starts[place] + 2, word)
        for word in page.places.keys() & NAMES.keys():
            for place in page.places[word]:
                for name in NAMES[word]:
                    end = starts[place] + len(name)
                    if text[starts[place] : end].lower() == name and text[starts[place]].isupper():
                        yield from self._city(text, starts[place], end, name)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.LOCATION, label, certainty, self.name)

    def _matched(
        self, page: Page, words: frozenset[str], form: re.Pattern[str], label: str, certainty: float
    ) -> Iterator[Span]:
        for word in page.places.keys() & words:
            for place in page.places[word]:
                found = form.match(page.text, page.tokens.starts[place])
                if found is not None:
                    yield self._span(*found.span(found.lastgroup or 0), label, certainty)

    def _street(self, text: str, start: int) -> Iterator[Span]:
        if start and (text[start - 1].isalnum() or text[start - 1] in "./-:$%"):
            return
        found = _STREET.match(text, start) or _BROADWAY.match(text, start)
        if found is None:
            plus = _PLUS_FOUR.match(text, start)
            if plus is not None:
                yield self._span(start, plus.end(), "zip", PROBABLE)
            return
        parts = found.groupdict()
        words = re.findall(r"[^\W_]+", (parts.get("name") or "Broadway"))
        if any(word.lower() in _STOP for word in words) or _broken(found):
            return
        certainty = self._of_street(text, found, words, (parts.get("suffix") or "broadway").lower())
        if certainty:
            end = found.end()
            while text[end - 1] in ". ,":
                end -= 1
            yield self._span(start, end, "street", certainty)
            city = _THEN_CITY.match(text, end)
            if city is not None and certainty > PROBABLE:
                first, last = city.span("v")
                if city["v"][-3:].isupper() and city["v"][-3:].strip().lower() in CODES:
                    last -= 3
                if first < last:
                    yield self._span(first, last, "city", 0.75)
                    after = _THEN_ZIP.match(text, last)
                    if after is not None:
                        yield self._span(*after.span("v"), "zip", 0.85)

    def _of_street(self, text: str, found: re.Match[str], words: list[str], suffix: str) -> float:
        start, end = found.span()
        capital = all(word[0].isupper() or word[0].isdigit() for word in words)
        before = words_before(text, start, 2)
        said = bool(before) and (
            before[0] in _AT or (text[max(0, start - 3) : start].rstrip().endswith(":") and before[0] in _AT)
        )
        town = re.match(r",?\s{1,2}[^\W\d_a-z][\w.' -]{1,30},?\s[A-Z]{2}\b", text[end : end + 45]) is not None
        if not capital:
            long = suffix in (
                "street",
                "avenue",
                "ave",
                "road",
                "lane",
                "drive",
                "blvd",
                "boulevard",
                "court",
                "parkway",
                "crescent",
                "terrace",
                "highway",
                "trail",
            )
            return (PROBABLE if said or town or found["unit"] else 0.55) if long and len(words) < 3 else 0.0
        if said or town or found["unit"]:
            return LIKELY if suffix in _STRONG or (said and town) else 0.85
        if suffix in _STRONG:
            return (
                0.85
                if suffix not in ("ct", "dr", "st", "pl", "way", "av", "str") or len(words[0]) > 2
                else 0.6
            )
        shouted = text[start:end].isupper()
        return 0.6 if len(found["number"]) > 2 and not shouted else 0.0

    def _highways(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _HIGHWAY_WORDS:
            for place in page.places[word]:
                start = starts[place]
                house = re.search(r"(?<![\w./-])[0-9]{2,6} $", text[max(0, start - 8) : start])
                begin = start - len(house.group()) if house is not None else start
                found = _HIGHWAY.match(text, begin)
                if found is not None and (text[start].isupper() or house is not None):
                    yield self._span(begin, found.end(), "street", LIKELY if house is not None else PROBABLE)

    def _named(self, page: Page) -> Iterator[Span]:
        """Propose streets without a number: Elm Street, 5th Ave."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _NAMED_WORDS:
            for place in page.places[word]:
                start = starts[place]
                if not text[start].isupper():
                    continue
                found = _BEFORE_NAMED.search(text, max(0, start - 60), start)
                if found is not None and not _STOP.intersection(found.group(1).lower().split()):
                    shouted = found.group(1).isupper()
                    yield self._span(
                        found.start(1), start + len(word), "street", DOUBTFUL if shouted else 0.65
                    )

    def _city(self, text: str, start: int, end: int, state: str) -> Iterator[Span]:
        """Propose the city before a state, and the ZIP after it."""
        if text[end : end + 1].isalnum() or (start and text[start - 1].isalnum()):
            return
        after = _THEN_ZIP.match(text, end)
        found = _CITY.search(text, max(0, start - 70), start)
        if after is not None and (found is None or found["v"].split()[-1].lower() not in _NUMBERED):
            yield self._span(*after.span("v"), "zip", LIKELY)
        if found is None:
            return
        city = found["v"]
        if state == "id" and "," not in found["joint"] and city.split()[-1].lower() in _NUMBERED:
            return
        cue = words_before(text, found.start(), 1)
        comma = "," in found["joint"]
        if after is not None:
            certainty = LIKELY
        elif comma and cue and cue[0] in _CUES:
            certainty = 0.85
        elif not comma or state in AMBIGUOUS_CODES:
            certainty = 0.0
        else:
            certainty = 0.6 if not city.isupper() else DOUBTFUL
        if certainty:
            yield self._span(*found.span("v"), "city", certainty)


def _broken(found: re.Match[str]) -> bool:
    """Say whether a line ends after the number, or twice: then it is no address that was wrapped.

    A long line that ends with "at 33" was.
    """
    shown = found.group()
    if shown.count("\n") > 1:
        return True
    if re.match(r"[0-9]+[a-zA-Z]?\s*\n", shown) is None:
        return False
    start = found.start()
    line = found.string[max(0, start - 40) : start]
    said = words_before(found.string, start, 1)
    return "\n" in line or len(line) < 40 or not said or said[0] not in _AT
