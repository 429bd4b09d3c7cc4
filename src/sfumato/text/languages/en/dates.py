"""Dates in English notes: full and partial ones, years, weekdays, seasons, holidays, and times beside dates.

What follows from its form alone is likely (``22-Jul-2013``); what other things share needs its context:
``7/21`` is a date after "on" or at the head of a line, ``3/10`` beside "pain" is not. Every proposal is read
again by ``text/dates.py``: what is no day of any calendar (``13/45``) is not proposed as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import read_date
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_after, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.calendar import CALENDAR, HOLIDAYS, MONTHS, WEEKDAYS
from sfumato.text.languages.en.date_context import dated, looks_like_measure, year_is_meant
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, Span

_MONTH = "(?:" + "|".join(
    sorted((spelt for names in MONTHS for spelt in names), key=len, reverse=True)
) + r")\b\.?"  # fmt: skip
_WEEKDAY = "(?:" + "|".join(
    sorted((spelt for names in WEEKDAYS for spelt in names), key=len, reverse=True)
) + r")\b\.?"  # fmt: skip
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\s?(?:st|nd|rd|th)\b|(?![0-9a-z]))"
_YEAR = r"(?:1[89]|20)[0-9]{2}(?![0-9])"
_SHORT_YEAR = r"['\u2019\u2018`][0-9]{2}(?![0-9])"
_TO = r"\s{0,2}(?:-|\u2013|\u2014|to|through|thru|and|&)\s{0,2}"
_STOP = r"(?![0-9a-z]|[-/.\u2013][0-9])"

_AT_NUMBER = (
    compiled(rf"{_YEAR}(?P<s>[-/.])(?:0?[1-9]|1[0-2])(?P=s)(?:[0-2]?[0-9]|3[01])(?![0-9])(?![-/.][0-9])"),
    compiled(rf"[0-9]{{1,2}}\s?(?P<s>[-/.])\s?[0-9]{{1,2}}\s?(?P=s)\s?(?:{_YEAR}|[0-9]{{2}}(?![0-9]))(?![-/.]?[0-9]|[a-z]|%)"),
    compiled(rf"{_DAY}(?:{_TO}{_DAY})?\s{{0,3}}(?:of\s{{1,3}})?[-/.]?\s{{0,3}}{_MONTH}(?:\s{{0,3}}[-/,.]?\s{{0,3}}(?:of\s{{1,2}})?(?:{_YEAR}|{_SHORT_YEAR})|[-/][0-9]{{2}}(?![0-9])|,?\s[0-9]{{2}}(?![0-9]|[-/.:%][0-9]|\s?[a-z%]))?"),
)  # fmt: skip
_RANGE = compiled(rf"(?P<first>[0-9]{{1,2}}/[0-9]{{1,2}}(?:/(?:{_YEAR}|[0-9]{{2}}))?){_TO}(?P<second>[0-9]{{1,2}}/[0-9]{{1,2}}(?:/(?:{_YEAR}|[0-9]{{2}}))?)(?![0-9/])")  # fmt: skip
_MONTH_YEAR = compiled(rf"(?:0?[1-9]|1[0-2])\s?[/-]\s?{_YEAR}{_STOP}")
_YEAR_MONTH = compiled(rf"{_YEAR}[-/](?:0[1-9]|1[0-2]){_STOP}")
_PARTIAL = compiled(rf"(?P<month>0?[1-9]|1[0-2])(?P<s>\s?/\s?|-)(?P<day>0?[1-9]|[12][0-9]|3[01]){_STOP}(?!\s?%)")
_COMPACT = compiled(r"(?:(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:19|20)[0-9]{2})(?![0-9a-z])")  # fmt: skip
_BARE_YEAR = compiled(r"(?:19|20)[0-9]{2}(?:s\b)?(?![0-9a-z]|[-/.,:][0-9]|\s?%)")
_SHORT = compiled(rf"{_SHORT_YEAR}(?![0-9a-z])")
_AT_MONTH = compiled(
    rf"""{_MONTH}(?:
        \s{{0,3}}[-/,]?\s{{0,3}}(?:the\s{{1,2}})?{_DAY}(?:{_TO}{_DAY})?(?P<year>\s{{0,3}}[-/,.]?\s{{0,3}}(?:of\s{{1,2}}|in\s{{1,2}})?(?:{_YEAR}|{_SHORT_YEAR})
            |[-/][0-9]{{2}}(?![0-9])|,?\s[0-9]{{2}}(?![0-9]|[-/.:%][0-9]|\s?[a-z%]))?
        |\s{{0,3}}[-/,]?\s{{0,3}}(?:of\s{{1,2}})?(?:{_YEAR}|{_SHORT_YEAR})
        |[-/][0-9]{{2}}(?![0-9])
    )"""
)
_WEEKDAY_THEN = compiled(rf"{_WEEKDAY},?\s{{1,3}}(?:the\s)?(?=[0-9]{{1,2}}[/-][0-9]|{_MONTH}\s[0-9]|[0-9]{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH})")  # fmt: skip
_SEASON = compiled(rf"(?:spring|summer|autumn|fall|winter)(?:time)?\s(?:of\s)?(?:{_YEAR}|{_SHORT_YEAR})")
_TIME = compiled(
    r"""(?P<joint>\s{0,2}(?:,|@|at|-|t|\s)?\s{0,2})
    (?P<time>[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?![0-9])(?:\s?[ap]\.?m\b\.?|z\b|[+-][0-9]{2}:?[0-9]{2})?
    |[0-2]?[0-9]\s?[ap]\.?m\b\.?|[0-2][0-9][0-5][0-9](?:\s?h(?:rs?|ours)?\b))"""
)
_THE_DAY = compiled(r"(?P<v>[0-9]{1,2}(?:st|nd|rd|th))(?=\s*(?:[.,;:)]|$)|\s(?:of\s(?:the|this|last|next)\smonth|at|with|for|in|when|he|she|they|and\sthe|after|before)\b)")  # fmt: skip
_BEFORE_THE_DAY = re.compile(r"\b(?:on|until|till|by|since|from|for|of|before|after)\sthe\s$", re.IGNORECASE)
_HOLIDAY = {
    first: compiled(
        "(?:" + "|".join(
            re.escape(name).replace(r"\ ", r"\s{1,2}")
            for name in sorted(HOLIDAYS, key=len, reverse=True)
            if re.split(r"\W", name)[0] == first
        ) + rf")(?![a-z])(?:,?\s(?:of\s|in\s)?(?:{_YEAR}|{_SHORT_YEAR}))?"
    )
    for first in {re.split(r"\W", name)[0] for name in HOLIDAYS}
}  # fmt: skip
_MONTHS = frozenset(spelt.lower() for names in MONTHS for spelt in names)
_WORDS_TOO = frozenset({"may", "march", "mar", "dec"})
"""spellings of months that lower-case are words of their own (dec: decreased)"""
_NAMES_TOO = frozenset({"april", "june", "august", "may", "march", "jan", "mar", "dec", "sep", "oct", "apr", "jun", "jul", "aug", "feb", "nov", "sept"})  # fmt: skip
_IN_MONTH = frozenset({"in", "since", "of", "last", "this", "next", "until", "till", "during", "early", "late", "mid", "past", "from", "through", "by", "before", "after", "between", "around"})  # fmt: skip
_FULL_WEEKDAYS = frozenset(names[0].lower() for names in WEEKDAYS)
_SHORT_WEEKDAYS = frozenset(spelt.lower() for names in WEEKDAYS for spelt in names[1:])
_SEASON_WORDS = frozenset({"spring", "summer", "autumn", "fall", "winter", "summertime", "wintertime"})
_SEASON_PREFIX = frozenset({"in", "since", "the", "during", "of", "early", "late", "last", "this", "until", "by", "from"})  # fmt: skip


@dataclass(frozen=True)
class Dates:
    """Proposes dates."""

    name: str = "en.dates"

    def find(self, page: Page) -> Iterator[Span]:
        """Propose dates at numbers, months, weekdays, seasons and holidays."""
        taken = 0
        starts = page.tokens.starts
        for place in page.numbers:
            if starts[place] >= taken:
                for span in self._at_number(page.text, starts[place]):
                    taken = max(taken, span.end)
                    yield span
        for word in page.places.keys() & _MONTHS:
            for place in page.places[word]:
                yield from self._at_month(page.text, starts[place], word)
        for word in page.places.keys() & (_FULL_WEEKDAYS | _SHORT_WEEKDAYS):
            for place in page.places[word]:
                yield from self._at_weekday(page.text, starts[place], word)
        for word in page.places.keys() & _SEASON_WORDS:
            for place in page.places[word]:
                yield from self._at_season(page.text, starts[place], word)
        for word in page.places.keys() & _HOLIDAY.keys():
            for place in page.places[word]:
                yield from self._at_holiday(page.text, starts[place], word)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.DATE, label, certainty, self.name)

    def _with_time(self, text: str, span: Span) -> Iterator[Span]:
        yield span
        time = _TIME.match(text, span.end)
        if time is not None and time["joint"]:
            yield self._span(*time.span("time"), "time", PROBABLE)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        if not begins_number(text, start):
            return
        ranged = _RANGE.match(text, start)
        if ranged is not None and all(read_date(ranged[part], CALENDAR) for part in ("first", "second")):
            full = ranged["second"].count("/") == 2
            if full or dated(text, start, ranged.end()):
                for part in ("first", "second"):
                    label = "full" if ranged[part].count("/") == 2 else "partial"
                    yield self._span(*ranged.span(part), label, LIKELY if full else PROBABLE)
                return
        for form in _AT_NUMBER:
            found = form.match(text, start)
            if found is not None and _end_trimmed(found) > start:
                end = _end_trimmed(found)
                parsed = read_date(text[start:end], CALENDAR)
                if parsed is not None and not looks_like_measure(text, start, end):
                    label = "full" if parsed.precision == "day" else "partial"
                    certainty = _of_form(text, start, end)
                    yield from self._with_time(text, self._span(start, end, label, certainty))
                    return
        yield from self._partial(text, start)

    def _partial(self, text: str, start: int) -> Iterator[Span]:
        """Propose what needs its context: 03/2011, 7/21, 20130721, 2015."""
        for form in (_MONTH_YEAR, _YEAR_MONTH):
            found = form.match(text, start)
            if found is not None:
                yield self._span(start, found.end(), "partial", LIKELY if "/" in found.group() else PROBABLE)
                return
        found = _PARTIAL.match(text, start)
        if found is not None and read_date(found.group(), CALENDAR) is not None:
            certainty = _of_partial(text, found)
            if certainty:
                yield from self._with_time(text, self._span(start, found.end(), "partial", certainty))
            return
        found = _COMPACT.match(text, start)
        if found is not None and read_date(found.group(), CALENDAR) is not None:
            sure = dated(text, start, found.end())
            yield self._span(start, found.end(), "full", LIKELY if sure else DOUBTFUL)
            return
        found = _BARE_YEAR.match(text, start)
        if found is not None:
            meant = year_is_meant(text, start, found.end())
            yield self._span(start, found.end(), "year", PROBABLE if meant else DOUBTFUL)
            return
        found = _SHORT.match(text, start - 1) if start else None
        if found is not None and year_is_meant(text, start - 1, found.end()):
            yield self._span(start - 1, found.end(), "year", PROBABLE)
            return
        found = _THE_DAY.match(text, start)
        if found is not None and _BEFORE_THE_DAY.search(text, max(0, start - 12), start):
            yield self._span(start, found.end(), "partial", PROBABLE)

    def _at_month(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _AT_MONTH.match(text, start)
        lower = text[start].islower()
        before = words_before(text, start, 1)
        if found is not None:
            end = _end_trimmed(found)
            parsed = read_date(text[start:end], CALENDAR)
            if parsed is None or looks_like_measure(text, start, end):
                return
            plain = lower and word in _WORDS_TOO and parsed.year is None
            if plain and (not before or before[0] not in _IN_MONTH | {"on"}) and parsed.precision != "year":
                return
            label = "full" if parsed.precision == "day" else "partial"
            yield from self._with_time(text, self._span(start, end, label, LIKELY))
            return
        end = start + len(word)
        if _follows_day(text, start) or text[end : end + 1].isalnum():
            return
        if word in _NAMES_TOO:
            if lower or not before or before[0] not in _IN_MONTH:
                return
            yield self._span(start, end, "partial", PROBABLE if word not in ("may", "mar") else 0.6)
        else:
            yield self._span(start, end, "partial", PROBABLE)

    def _at_weekday(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _WEEKDAY_THEN.match(text, start)
        end = start + len(word)
        if found is not None or word in _FULL_WEEKDAYS:
            yield self._span(start, end, "weekday", PROBABLE)
        elif text[start].isupper() and words_before(text, start, 1)[:1] == ["on"]:
            if not re.match(r"\.?\s*[:0-9]", text[end : end + 4]):
                yield self._span(start, end, "weekday", PROBABLE)

    def _at_season(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _SEASON.match(text, start)
        if found is None:
            return
        before = words_before(text, start, 1)
        if word == "fall" and "of" not in found.group().lower() and not _SEASON_PREFIX.intersection(before):
            return
        yield self._span(start, found.end(), "partial", LIKELY)

    def _at_holiday(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _HOLIDAY[word].match(text, start)
        if found is None or (text[start].islower() and " " in found.group()):
            return
        yield self._span(start, found.end(), "holiday", PROBABLE)


def _end_trimmed(found: re.Match[str]) -> int:
    """Leave a full stop after the last word outside."""
    end = found.end()
    while end > found.start() and found.string[end - 1] in "., -/":
        end -= 1
    return end


def _follows_day(text: str, start: int) -> bool:
    """Say whether a day stands before a month: it was proposed with it."""
    return re.search(r"[0-9](?:st|nd|rd|th)?(?:\sof)?[\s,./-]{1,3}$", text[max(0, start - 10) : start]) is not None


def _of_form(text: str, start: int, end: int) -> float:
    """Return how certain the form of a full date alone is: 10.5.12 may be a section, 12-5-30 a range."""
    shown = text[start:end]
    if re.fullmatch(r"[0-9]+([-.])[0-9]+\1[0-9]{2}", shown) is None or dated(text, start, end):
        return LIKELY
    return PROBABLE if "-" in shown else 0.6


_SCORES = frozenset({2, 3, 4, 5, 6, 8, 9, 10})


def _of_partial(text: str, found: re.Match[str]) -> float:
    """Return how certain it is that 7/21 or 7-21 is a date: 0 where it is a score, a pressure or a ratio."""
    start, end = found.span()
    if looks_like_measure(text, start, end):
        return 0.0
    if dated(text, start, end):
        return LIKELY if "/" in found["s"] else PROBABLE
    month, day = int(found["month"]), int(found["day"])
    if "/" not in found["s"] or " " in found["s"]:
        return 0.0
    if day in _SCORES and month <= day:
        return 0.0
    return 0.6 if day > 10 else 0.45
