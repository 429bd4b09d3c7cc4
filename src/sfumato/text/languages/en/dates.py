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
from sfumato.text.detectors.patterns.machinery import begins_number, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.calendar import CALENDAR
from sfumato.text.languages.en.date_context import dated, looks_like_measure, unit_follows, year_is_meant
from sfumato.text.languages.en.date_forms import (
    AT_MONTH,
    BARE_YEAR,
    BEFORE_THE_DAY,
    COMPACT,
    DAY_IN_WORDS,
    DAY_WORD_STARTS,
    FULL,
    FULL_WEEKDAYS,
    HOLIDAY,
    JOINED,
    MONTH_AND_YEAR,
    MONTH_CUES,
    MONTH_THEN_WORDS,
    MONTH_WORDS,
    NEEDS_CUE,
    PARTIAL,
    RANGE,
    SEASON,
    SEASON_WORDS,
    SHORT_YEAR,
    SPACED,
    THE_DAY,
    TIME,
    WEEKDAY_THEN_DATE,
    WEEKDAY_WORDS,
    WORDS_TOO,
)
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span


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
        for word in page.places.keys() & MONTH_WORDS:
            for place in page.places[word]:
                yield from self._at_month(page.text, starts[place], word)
        for word, places in page.places.items():
            if word[-1].isdecimal() and word[:-4] in MONTH_WORDS and word[-4:-2] in ("19", "20"):  # Jul2013
                for place in places:
                    yield self._span(starts[place], starts[place] + len(word), "partial", LIKELY)
        for word in page.places.keys() & WEEKDAY_WORDS:
            for place in page.places[word]:
                yield from self._at_weekday(page.text, starts[place], word)
        for word in page.places.keys() & SEASON_WORDS:
            for place in page.places[word]:
                yield from self._at_season(page.text, starts[place], word)
        for word in page.places.keys() & DAY_WORD_STARTS:
            for place in page.places[word]:
                found = DAY_IN_WORDS.match(page.text, starts[place])
                if found is not None:
                    yield self._span(starts[place], _end_trimmed(found), "partial", LIKELY)
        for word in page.places.keys() & HOLIDAY.keys():
            for place in page.places[word]:
                yield from self._at_holiday(page.text, starts[place], word)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.DATE, label, certainty, self.name)

    def _with_time(self, text: str, span: Span) -> Iterator[Span]:
        time = TIME.match(text, span.end)
        if time is not None and time["joint"] in ("T", "t"):
            yield self._span(span.start, time.end(), span.label, SURE)
            return
        yield span
        if time is not None and time["joint"]:
            yield self._span(*time.span("time"), "time", PROBABLE)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        if not begins_number(text, start):
            listed_too = _FULL_LISTED.match(text, start) if text[start - 1] == "," else None
            if listed_too is not None and read_date(listed_too.group(), CALENDAR) is not None:
                yield self._span(start, listed_too.end(), "full", LIKELY)
            return
        ranged = RANGE.match(text, start)
        if ranged is not None and all(read_date(ranged[part], CALENDAR) for part in ("first", "second")):
            full = ranged["second"].count("/") == 2
            if full or dated(text, start, ranged.end()):
                for part in ("first", "second"):
                    label = "full" if ranged[part].count("/") == 2 else "partial"
                    yield self._span(*ranged.span(part), label, LIKELY if full else PROBABLE)
                return
        for form in FULL:
            found = form.match(text, start)
            if found is not None and _end_trimmed(found) > start:
                end = _end_trimmed(found)
                parsed = read_date(text[start:end], CALENDAR)
                if _THEN_YEAR.match(text, end) and not _whole(text[start:end]):
                    continue
                if parsed is not None and (
                    _whole(text[start:end])
                    or not (
                        unit_follows(text, end)
                        if parsed.year is not None
                        else looks_like_measure(text, start, end)
                    )
                ):
                    label = "full" if parsed.precision == "day" else "partial"
                    certainty = _of_form(text, start, end)
                    yield from self._with_time(text, self._span(start, end, label, certainty))
                    return
        found = JOINED.match(text, start)
        if found is None:
            found = SPACED.match(text, start)
            if found is not None and not dated(text, start, found.end()):
                found = None
        if found is not None and read_date(found.group(), CALENDAR):
            yield self._span(start, found.end(), "full", LIKELY)
            return
        yield from self._partial(text, start)

    def _partial(self, text: str, start: int) -> Iterator[Span]:
        """Propose what needs its context: 03/2011, 7/21, 20130721, 2015."""
        for form in MONTH_AND_YEAR:
            found = form.match(text, start)
            if found is not None:
                yield self._span(start, found.end(), "partial", LIKELY if "/" in found.group() else PROBABLE)
                return
        found = PARTIAL.match(text, start)
        if found is not None and read_date(found.group(), CALENDAR) is not None:
            certainty = _of_partial(text, found)
            if certainty:
                yield from self._with_time(text, self._span(start, found.end(), "partial", certainty))
            return
        found = COMPACT.match(text, start)
        if found is not None and read_date(found.group(), CALENDAR) is not None:
            sure = dated(text, start, found.end())
            yield self._span(start, found.end(), "full", LIKELY if sure else DOUBTFUL)
            return
        found = BARE_YEAR.match(text, start)
        if found is not None:
            meant = year_is_meant(text, start, found.end())
            yield self._span(start, found.end(), "year", PROBABLE if meant else DOUBTFUL)
            return
        found = SHORT_YEAR.match(text, start - 1) if start else None
        if found is not None and year_is_meant(text, start - 1, found.end()):
            yield self._span(start - 1, found.end(), "year", PROBABLE)
            return
        found = THE_DAY.match(text, start)
        if found is not None and BEFORE_THE_DAY.search(text, max(0, start - 12), start):
            yield self._span(start, found.end(), "partial", PROBABLE)

    def _at_month(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = AT_MONTH.match(text, start)
        lower = text[start].islower()
        before = words_before(text, start, 1)
        in_words = None if lower else MONTH_THEN_WORDS.match(text, start)
        if in_words is not None:
            yield self._span(start, in_words.end(), "partial", LIKELY)
            return
        if found is not None:
            end = _end_trimmed(found)
            parsed = read_date(text[start:end], CALENDAR)
            if parsed is None or (not _whole(text[start:end]) and looks_like_measure(text, start, end)):
                return
            plain = lower and word in WORDS_TOO and parsed.year is None
            if plain and (not before or before[0] not in MONTH_CUES | {"on"}) and parsed.precision != "year":
                return
            label = "full" if parsed.precision == "day" else "partial"
            yield from self._with_time(text, self._span(start, end, label, LIKELY))
            return
        end = start + len(word)
        if _follows_day(text, start) or text[end : end + 1].isalnum():
            return
        if word in NEEDS_CUE:
            if lower or not before or before[0] not in MONTH_CUES:
                return
            yield self._span(start, end, "partial", PROBABLE if word not in ("may", "mar") else 0.6)
        else:
            yield self._span(start, end, "partial", PROBABLE)

    def _at_weekday(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = WEEKDAY_THEN_DATE.match(text, start)
        end = start + len(word)
        if (
            found is not None
            or word in FULL_WEEKDAYS
            or (text[start].isupper() and words_before(text, start, 1)[:1] == ["on"])
        ):
            yield self._span(start, end, "weekday", PROBABLE)

    def _at_season(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = SEASON.match(text, start)
        if found is None:
            return
        before = words_before(text, start, 1)
        if word == "fall" and "of" not in found.group().lower() and before[:1] in (["a"], ["no"], ["had"]):
            return
        yield self._span(start, found.end(), "partial", LIKELY)

    def _at_holiday(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = HOLIDAY[word].match(text, start)
        if found is None or (text[start].islower() and " " in found.group()):
            return
        yield self._span(start, found.end(), "holiday", PROBABLE)


_FULL_LISTED = re.compile(
    r"(?:[0-9]{1,2}([/.-])[0-9]{1,2}\1(?:(?:19|20)[0-9]{2}|[0-9]{2})|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2})(?=,|\s|$)"
)
"""a whole date in a list without blanks: ``Yang,9/9/2014,10/10/2014,77398``"""
_THEN_YEAR = re.compile(r"(?:\s[0-9]{1,2})?,\s(?:19|20)[0-9]{2}(?![0-9])")
"""a year that belongs to another day: ``Medic 12  Sep. 17, 2016``"""


def _whole(shown: str) -> bool:
    """Say whether a date holds its year in four digits: then no word beside it makes it a measure."""
    return re.search(r"(?<![0-9])(?:18|19|20)[0-9]{2}(?![0-9])", shown) is not None


def _end_trimmed(found: re.Match[str]) -> int:
    """Leave a full stop after the last word outside."""
    end = found.end()
    while end > found.start() and found.string[end - 1] in "., -/":
        end -= 1
    return end


def _follows_day(text: str, start: int) -> bool:
    """Say whether a day stands before a month: it was proposed with it."""
    return (
        re.search(r"[0-9](?:st|nd|rd|th)?(?:\sof)?[\s,./-]{1,3}$", text[max(0, start - 10) : start])
        is not None
    )


def _of_form(text: str, start: int, end: int) -> float:
    """Return how certain the form of a full date alone is: 10.5.12 may be a section, 12-5-30 a range."""
    shown = text[start:end]
    if re.fullmatch(r"[0-9]{1,2}([-.])[0-9]+\1[0-9]{2}", shown) is None or dated(text, start, end):
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
    if text[end : end + 1] == ")" and text[max(0, start - 2) : start] == ", " and day not in (5, 10):
        return 0.55
    if day in _SCORES and month <= day:
        return 0.0
    return 0.6 if day > 10 else 0.55
