"""True dates beside moved ones: whatever has the form of a date and lies outside everything that was found.

A true date d beside its moved copy d + s gives s away, and with it all dates of a person; a true weekday
beside a moved date gives s modulo 7. Before dates are moved, a note is therefore searched once more, and more
suspiciously than detectors may be: numbers of eight digits that could be days, days without a year, days in
words, and weekdays right beside a date. What a span covers in part counts, too (seventeenth of **January**).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sfumato.text.dates import calendar_of, read_date
from sfumato.text.kinds import Kind
from sfumato.text.span import Span

_BESIDE = 16
"""characters on either side of a date in which a weekday is looked for"""


def looks_like_a_missed_date(text: str, spans: Sequence[Span], language: str = "en") -> bool:
    """Say whether something that has the form of a date lies outside all spans, or a weekday beside one.

    >>> looks_like_a_missed_date("seen 1/19/03, BP 128/74", []), looks_like_a_missed_date("BP 128/74", [])
    (True, False)
    """
    return (
        any(_is_missed(text, spans, form, language) for form in _forms(language))
        or _is_missed(text, spans, _in_words(language), language, in_words=True)
        or _weekday_beside(text, spans, language)
    )


def _is_missed(
    text: str, spans: Sequence[Span], form: re.Pattern[str] | None, language: str, *, in_words: bool = False
) -> bool:
    """Say whether a form stands in a text of which spans leave a digit over, or a word."""
    place = 0
    for match in form.finditer(text) if form is not None else ():
        while place < len(spans) and spans[place].end <= match.start():
            place += 1
        left = _uncovered(text, match.start(), match.end(), spans, place)
        told = left if in_words else "".join(filter(str.isdigit, left))
        if any(map(str.isalnum, told)) and (in_words or _is_a_day(match.group(), language)):
            return True
    return False


def _uncovered(text: str, start: int, end: int, spans: Sequence[Span], place: int) -> str:
    """Return what spans leave over of a piece of text; ``place`` is the first that may touch it."""
    left = []
    while place < len(spans) and spans[place].start < end:
        left.append(text[start : spans[place].start])
        start = max(start, spans[place].end)
        place += 1
    left.append(text[start:end])
    return "".join(left)


def _is_a_day(shown: str, language: str) -> bool:
    return read_date(shown[:8] if shown.isdecimal() else shown, language) is not None


@lru_cache(maxsize=8)
def _forms(language: str) -> tuple[re.Pattern[str], ...]:
    """Return the forms of dates with a year in any case, and of days of a month as months are spelt."""
    calendar = calendar_of(language)
    spellings = {word for month in calendar.months for word in month}
    month = _any_of(spellings)
    of = rf"(?:{_any_of(calendar.ordinals)})?" if calendar.ordinals else ""
    full = re.compile(
        r"(?<![\w/.-])(?:\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([/.-])\d{1,2}\2\d{1,2}"
        rf"|\d{{1,2}}([ -]?)(?:{month})\3(?:\d{{4}}|\d{{2}})|(?:{month})\.? \d{{1,2}},? \d{{4}}"
        rf"|\d{{4}}[ -](?:{month})[ -]\d{{1,2}}|(?:0?[1-9]|1[0-2])[/-](?:19|20)\d\d"
        r"|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?"
        r")(?![\w/-])",
        re.IGNORECASE,
    )
    written = _any_of(spellings | {word.upper() for word in spellings})
    partial = re.compile(
        rf"(?<![\w/.-])(?:(?:{written})\.? \d{{1,2}}{of}|\d{{1,2}}{of}(?: (?:of|de))?[ -](?:{written})"
        r"(?!\w|\.?,? \d))(?![\w/%-]|\.\d)"
    )
    return full, partial


@lru_cache(maxsize=8)
def _in_words(language: str) -> re.Pattern[str] | None:
    """Return the form of days that are written in words, where a language has such a list."""
    calendar = calendar_of(language)
    if not calendar.day_words:
        return None
    month, day = _any_of(word for names in calendar.months for word in names), _any_of(calendar.day_words)
    return re.compile(
        rf"\b(?:{day})\b(?=(?: day)? (?:of|de) (?:{month})\b)|\b(?:{month}) (?:the )?(?:{day})\b",
        re.IGNORECASE,
    )


@lru_cache(maxsize=8)
def _weekdays(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = _any_of(word for names in calendar_of(language).weekdays for word in names)
    return (
        re.compile(rf"\b(?:{names})\b[\s,.(]{{0,4}}$", re.IGNORECASE),
        re.compile(rf"\s?[,(]\s?(?:{names})\b", re.IGNORECASE),
    )


def _weekday_beside(text: str, spans: Sequence[Span], language: str) -> bool:
    """Say whether a weekday that was not found stands right before or behind a date."""
    before, behind = _weekdays(language)
    for place, span in enumerate(spans):
        if span.kind is Kind.DATE:
            first = spans[place - 1].end if place else 0
            last = spans[place + 1].start if place + 1 < len(spans) else len(text)
            if before.search(text[max(first, span.start - _BESIDE) : span.start]) or behind.match(
                text[span.end : min(last, span.end + _BESIDE)]
            ):
                return True
    return False


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))
