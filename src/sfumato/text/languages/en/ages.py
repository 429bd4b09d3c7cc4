"""Ages in English notes: the number alone is the span (``93`` of ``93-year-old``), so the rest can stay.

Every age is proposed; which of them identify (over 89 under Safe Harbor, 45 CFR 164.514(b)(2)(i)(C)) is for
the policy to say. The label is ``age`` for years, else the unit (``months`` of a ``6-month-old``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.old_ages import old_ages
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, Span

_UNITS = {
    **dict.fromkeys(("zero", "oh"), 0), "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_DECADES = {tens[:-1] + "ies": value for tens, value in _TENS.items()}
_PEOPLE = {
    "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70,
    "octogenarian": 80, "nonagenarian": 90, "centenarian": 100,
    "supercentenarian": 110,
}  # fmt: skip

_NUMBER = r"(?:1[0-3][0-9]|[1-9]?[0-9])"
_SPELT = (
    r"(?:(?:(?:one|a)[\s-]hundred(?:[\s-](?:and[\s-])?(?:" + "|".join({**_TENS, **_UNITS}) + r"))?"
    r"|(?:" + "|".join(_TENS) + r")(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:" + "|".join(sorted(_UNITS, key=len, reverse=True)) + r")))"
)  # fmt: skip
_UNIT = r"(?P<unit>years?|yrs?|months?|mos?|weeks?|wks?|days?|hours?|hrs?)"
_OLD = rf"""(?:
    [\s-]{{0,2}}{_UNIT}\.?[\s-]{{0,2}}(?:old\b|of\s{{1,2}}age\b)
    |[\s-]{{0,2}}(?:y(?:ea)?rs?\.?\s?/?\s?o\b|y\s?[/.\\]\s?o(?:\.?[mf])?\b|y\.?o\.?[mf]?\b|y[mf]\b|(?P<months>m\s?[/.]\s?o\b|m\.o\b))
    |[\s-]{{0,2}}y(?:ea)?r?s?\.?[\s-]{{1,2}}(?:old|young|male|female|man|woman|boy|girl|gentleman|lady|m|f)\b
    |[\s-]{{0,2}}yrs?\.?(?=,\s)|y(?=[\s,;.])
)"""
_AT_NUMBER = compiled(rf"(?P<v>{_NUMBER})(?![0-9]|[.,/:][0-9]){_OLD}")
_TWO_AGES = compiled(rf"(?P<v>{_NUMBER})(?=(?:\s?(?:-|to|or|and|,)\s?{_NUMBER}){{1,4}}{_OLD})")
_SEX_AFTER = compiled(
    rf"(?P<v>{_NUMBER})\s?/?\s?(?:[mf]|male|female)\b(?![-.'\u2019/][a-z0-9]|\s?(?:catheter|foley|temp|fever|tube|sheath))"
)
_SAYS_PATIENT = compiled(
    r"\s?,?\s?(?:with|w/|who|c/o|presents?|presenting|h/o|hx|s/p|admitted|pt\b|patient|here|found|status|in\b|from|brought|"
    r"transferred|seen|s\b|w\b|p/w|referred|is\b|was\b|has\b|had\b|complain|[\n|]|$)"
)
_SPELT_AGE = compiled(rf"(?P<v>{_SPELT}){_OLD}")
_AFTER_WORD = compiled(
    rf"(?:aged?|ages)\b(?:\s?/\s?(?:sex|gender))?(?:\s{{1,2}}of)?\s{{0,2}}[:=|]?\s{{0,3}}(?:is\s|was\s|about\s|approximately\s|~\s?)?"
    rf"(?P<list>(?:{_NUMBER}|{_SPELT})(?:(?:\s?,\s?|\s?,?\s(?:and|or|to)\s|\s?[-\u2013&]\s?)(?:{_NUMBER}|{_SPELT}))*)"
    rf"(?![0-9a-z]|[.,/:][0-9]|\s?%)"
)
_TURNED = compiled(
    rf"(?:turned|turning|turns|died\sat|deceased\sat|passed\saway\sat|dead\sat)\s(?:the\sage\sof\s|age\s)?(?P<v>{_NUMBER}|{_SPELT})\b(?![.,/:][0-9]|\s?(?:%|degrees|times|mg|on\sthe|am\b|pm\b|a\.m|p\.m|over|into|hours?|hrs?))"
)
_PART = r"(?:early|mid|middle|late|upper|lower)[\s-](?:to[\s-](?:mid|late)[\s-])?"
_DECADE = compiled(
    rf"(?:in|into|of)\s(?:his|her|their|the\spatient's)\s(?:{_PART}(?!9|1[01]0|ninet))?"
    rf"(?P<v>(?:{_PART})?(?:(?:1[01]|[1-9])0'?s|" + "|".join(_DECADES) + r"))\b"
)
"""of the nineties the word before is part of it: "early" narrows down what is lumped"""
_SAID = compiled(
    r"(?:is|was|now|turning)\s(?:now\s|about\s|almost\s|nearly\s)?(?P<v>1[01][0-9]|[2-9][0-9])"
    r"(?=\s?[,;]\s|\.\s|\.?\s*$|\s(?:and|with|who|but|lives|living|actively|still|today|now)\s)"
)
_PERSONS = listed("he she who patient pt mother father husband wife son daughter brother sister grandmother "
                  "grandfather aunt uncle mrs mr ms spouse parent client resident vet veteran member "
                  "gentleman lady man woman mom dad grandma grandpa sibling twin decedent")  # fmt: skip
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|MR|MRS|MS)\.?\s(?:[^\W\d_a-z][\w'\u2019-]*\s){1,3}$")
_LIVED = compiled(
    rf"lived\s(?:to\s|until\s)(?:be\s|about\s|the\sage\sof\s|age\s)?(?P<v>{_NUMBER}|{_SPELT})\b"
    r"(?![.,/:][0-9]|\s?(?:%|days|weeks|months|miles|hours))"
)
_OF_KIN = re.compile(
    r"\b(?i:mother|father|husband|wife|spouse|son|daughter|brother|sister|grandmother|grandfather|aunt|uncle|"
    r"patient|client|resident|mom|dad|partner|neighbou?r|re)\b:?,?\s(?:[^\W\d_][\w'\u2019.-]*\s){0,3}"
    r"[^\W\d_a-z][\w'\u2019-]*,\s$"
)
_TWO_NAMES = re.compile(r"(?:^|[\n:.;(]\s?)(?:[^\W\d_a-z][\w'\u2019-]*,?\s){1,3}[^\W\d_a-z][\w'\u2019-]*,\s$")
_CALLED = re.compile(r"[^\W\d_a-z][^\W\d_]+,\s$")
_OLD_ENOUGH = re.compile(r"(?:9[0-9]|1[01][0-9])(?![0-9])")
_AT_AGE = compiled(r"at\s(?P<v>9[0-9]|1[01][0-9]),\s(?:the\spatient|he|she|mr|mrs|ms|this|pt)\b")
_OLDEST = compiled(r"(?P<v>9[0-9]|1[01][0-9])(?=\s?[,.;)]\s|\s?[,.;)]?$|\s?\n)")
_AFTER_BIRTH = re.compile(r"(?:dob|birth|born)\b.{4,24}\($", re.IGNORECASE)
_BIRTHDAY = compiled(rf"(?P<v>{_NUMBER}(?:st|nd|rd|th))\sbirthday")
_BRACKETED = compiled(rf"(?P<v>{_NUMBER})(?=\s?(?:y(?:ears?|rs?|\.?o\.?)?)?\s?\))")
_NAMED_BEFORE = re.compile(r"\b(?:Mr|Mrs|Ms|Miss)\.?\s[^\W\d_a-z][\w'\u2019-]+,\s$")
_ASIDE = compiled(
    rf"(?P<v>{_NUMBER})(?=,\s(?:is|was|who|has|had|of|a|an|presented|lives|came|feels|reports|states|denies|says|seen|here|with)\b)"
)
_SPELT_FIRST = frozenset({*_TENS, *_UNITS, "a"})
_WORDS = {
    "lived": _LIVED,
    "at": _AT_AGE,
    **dict.fromkeys(("age", "aged", "ages"), _AFTER_WORD),
    **dict.fromkeys(("turned", "turning", "turns", "died", "deceased", "passed", "dead"), _TURNED),
    **dict.fromkeys(("in", "into", "of"), _DECADE),
}
_EACH = re.compile(rf"{_NUMBER}|{_SPELT}", re.IGNORECASE)
_TEMPERATURE = listed("t temp temperature tmax tm febrile fever at to of f")
_SIZES = listed("size foley catheter tube x")


@dataclass(frozen=True)
class Ages:
    """Proposes ages."""

    name: str = "en.ages"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose ages at numbers, and at words that announce them."""
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            start = starts[place]
            if begins_number(text, start) or text[start - 1 : start] in ("-", ":", ",", "/"):
                yield from self._at_number(text, start)
        for word in page.places.keys() & _WORDS.keys():
            for place in page.places[word]:
                found = _WORDS[word].match(text, starts[place])
                if found is not None and _WORDS[word] is _AFTER_WORD:
                    for each in _EACH.finditer(text, *found.span("list")):
                        yield self._span(*each.span(), "age", LIKELY)
                elif found is not None:
                    yield self._span(*found.span("v"), "age", PROBABLE)
        for place in (*page.places.get("is", ()), *page.places.get("was", ())):
            person = place and page.tokens.words[place - 1].lower() in _PERSONS
            if person or _TITLED.search(text, max(0, starts[place] - 50), starts[place]):
                found = _SAID.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "age", 0.6)
        for word in page.places.keys() & _SPELT_FIRST:
            for place in page.places[word]:
                found = _SPELT_AGE.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), _label(found), LIKELY)
        for word in page.places.keys() & _PEOPLE.keys():
            for place in page.places[word]:
                yield self._span(starts[place], starts[place] + len(word), "age", PROBABLE)
        for start, end, certainty in old_ages(page):
            yield self._span(start, end, "age", certainty)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.AGE, label, certainty, self.name)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        found = _AT_NUMBER.match(text, start) or _TWO_AGES.match(text, start)
        if found is not None:
            yield self._span(*found.span("v"), _label(found), LIKELY)
            return
        found = _SEX_AFTER.match(text, start)
        if found is not None:
            words = words_before(text, start, 1)
            after = text[found.end() : found.end() + 14]
            if words and (words[0] in _TEMPERATURE or words[0] in _SIZES) and words[0] != "of":
                return
            opens = (
                not words
                or text[start - 1 : start] in ("(", "[")
                or words[0] in ("a", "an", "age", "sex", "this", "is", "pt", "patient", "y")
            )
            if opens or _SAYS_PATIENT.match(after) or _joined(found):
                yield self._span(*found.span("v"), "age", LIKELY if opens else PROBABLE)
            return
        if text[start - 1 : start] == "(" and _AFTER_BIRTH.search(text, max(0, start - 40), start):
            found = _BRACKETED.match(text, start)
            if found is not None:
                yield self._span(*found.span("v"), "age", PROBABLE)
                return
        named = _NAMED_BEFORE.search(text, max(0, start - 30), start)
        if named or (_OLD_ENOUGH.match(text, start) and _CALLED.search(text, max(0, start - 30), start)):
            found = _ASIDE.match(text, start)
            if found is not None:
                yield self._span(*found.span("v"), "age", 0.6)
                return
        found = _OLDEST.match(text, start)
        before = text[max(0, start - 70) : start]
        if found is not None and (_OF_KIN.search(before) or _TWO_NAMES.search(before)):
            yield self._span(*found.span("v"), "age", 0.6)
            return
        found = _BIRTHDAY.match(text, start)
        if found is not None:
            yield self._span(*found.span("v"), "age", PROBABLE)


def _joined(found: re.Match[str]) -> bool:
    """Say whether it is written as in 84F, and too high for a tube or too low for a temperature."""
    shown, value = found.group(), int(found["v"])
    return (
        shown[-1] in "MF"
        and shown[-2].isdecimal()
        and value > 30
        and not (shown[-1] == "F" and 94 < value < 108)
    )


def _label(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if parts.get("months"):
        return "months"
    unit = (parts.get("unit") or "y").lower()
    return {"y": "age", "m": "months", "w": "weeks", "d": "days", "h": "hours"}[unit[0]]


def age_value(text: str) -> int | None:
    """Return the age that a span says, in figures or in words; None where it is not understood.

    >>> [age_value(text) for text in ("93", "ninety-three", "nineties", "90s", "one hundred and two", "old")]
    [93, 93, 90, 90, 102, None]
    """
    digits = re.search(r"[0-9]{1,3}(?![0-9])", text)
    if digits is not None:
        return int(digits.group())
    words = re.findall(r"[a-z]+", text.lower())
    total = 0
    understood = False
    for word in words:
        value = {**_UNITS, **_TENS, **_DECADES, **_PEOPLE}.get(word)
        if word == "hundred":
            total, understood = max(total, 1) * 100, True
        elif value is not None:
            total, understood = total + value, True
        elif word not in ("and", "a"):
            return total if understood else None
    return total if understood else None
