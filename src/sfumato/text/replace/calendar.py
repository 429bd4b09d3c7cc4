"""The dates of a record: one shift for all of a person's notes, or the year, or nothing.

Every date d of a person becomes d + s, s ≠ 0 the person's secret number of days, written in the form it had
(``text/dates.py``): intervals are kept exactly. Two things must not happen beside it.

- *A true date stands beside its moved copy*: the difference is s, and with it all dates of the person are
  known. So if one date of a note was found and cannot be read or placed in a year, all dates of that note are
  reduced to the year; and if something that has the form of a date lies outside everything that was found,
  or a weekday stands right beside a date, those of the whole record are (``missed_dates.py``). A date that
  nobody recognises at all is the risk that is left.
- *A year tells an age over 89*: years up to ``TextPolicy.last_lumped_year`` are lumped, births and all else.

See Hripcsak et al., "Preserving temporal relations in clinical data while maintaining privacy", 2016.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache

from sfumato.masking.reduce import OLDEST
from sfumato.masking.shift import FIRST_YEAR, LAST_YEAR
from sfumato.text.dates import ParsedDate, read_date, write_date
from sfumato.text.kinds import Kind
from sfumato.text.look_alikes import plain
from sfumato.text.note import Found, Note
from sfumato.text.policy import TextPolicy
from sfumato.text.replace.ages import age_of
from sfumato.text.replace.missed_dates import looks_like_a_missed_date
from sfumato.text.replace.stays import stays
from sfumato.text.span import Span

KEPT = "kept"
SHIFTED = "shifted"
YEAR = "year"
LUMPED = "lumped"
HIDDEN = "left out"
FALLBACK = "fallback to the year"
"""a date of a note in which another date could not be read, so that none of them was moved"""

_BORN = re.compile(r"(?i)\b(?:d\.?o\.?b|born|birth|b\.d|nacid|nacimiento)[^\d;]{0,24}$")
_BEFORE = 40
_JOINT = re.compile(r"\s*[-‐‑–—]\s*|\s+(?:to|through|thru|until|till|and|al?|y|hasta)\s+", re.IGNORECASE)
_DECADE = re.compile(r"(?:the )?(?:(?:early|mid|late)[- ])?(?:1[5-9]|20|21)\d0['’]?s", re.IGNORECASE)
_PRECISE = ("day", "day of a year", "month", "month of a year")
"""what must not stand there as before: 12/14 does when it is moved by a year, June 2010 by a few days"""
_LONGEST = 100
_HOUR = re.compile(r"T[0-9]{1,2}")
_LUMPED = re.compile(r"[12][0-9]{3} or earlier\b")
_FOUR_DIGITS = re.compile(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Shown:
    """What may be shown in the place of something (None: nothing), and how it came about."""

    text: str | None = field(repr=False)
    how: str


@dataclass(frozen=True, slots=True)
class _Read:
    """One date of a note: where it stands, and what was understood: one day, or the two ends of a range."""

    place: int
    span: Span
    text: str = field(repr=False)
    days: tuple[ParsedDate, ...] = field(repr=False)
    """empty where it was not understood"""
    joint: str = field(default="", repr=False)
    """what stands between the two ends"""
    born: bool = False
    stays: bool = False
    """the hour that was cut off a time stamp, or a year that was lumped before"""

    @property
    def years(self) -> list[int]:
        """The years that are written."""
        return [day.year for day in self.days if day.year is not None]


@dataclass(frozen=True)
class RecordDates:
    """Settles the dates of one record under a policy. ``offset`` is asked only where dates are moved."""

    policy: TextPolicy
    offset: Callable[[], int] = field(repr=False)
    language: str = "en"

    def settle(self, found: Found) -> list[dict[int, Shown]]:
        """Return, for each note, what may be shown in the place of each of its dates."""
        notes = [self._read(note, spans) for note, spans in zip(found.record.notes, found.spans, strict=True)]
        notes = self._with_centuries(found, notes)
        missed = self.policy.dates == "shifted" and any(
            looks_like_a_missed_date(plain(note.text), spans, self.language)
            for note, spans in zip(found.record.notes, found.spans, strict=True)
        )
        return [
            self._settled(note, dates, missed) for note, dates in zip(found.record.notes, notes, strict=True)
        ]

    def _read(self, note: Note, spans: Sequence[Span]) -> list[_Read]:
        dates = []
        for place, span in enumerate(spans):
            text = span.of(note.text)
            if span.kind is not Kind.DATE or stays(self.policy, span, text, self.language):
                continue
            if says_something(text):
                days, joint = _reading(text, self.language)
                before = spans[place - 1] if place else None
                hour = before is not None and before.end == span.start and before.kind is Kind.DATE
                over = self._is_over(note.text, span, hour)
                dates.append(_Read(place, span, text, days, joint, _is_birth(note.text, span), over))
        return dates

    def _is_over(self, text: str, span: Span, hour: bool) -> bool:
        """Say whether it is the hour of a time stamp, behind its day, or a year that was lumped before."""
        if hour and _HOUR.fullmatch(text, span.start, span.end):
            return "DATE/time" in self.policy.kept
        if not _LUMPED.match(text, span.start) or span.end > span.start + len("1936 or earlier"):
            return False
        return int(text[span.start : span.start + 4]) <= self.policy.last_lumped_year

    def _with_centuries(self, found: Found, notes: list[list[_Read]]) -> list[list[_Read]]:
        """Give years of two digits their century: nothing lies in the future, and nobody is born after
        their own notes. Where an age over 89 stands in the record, a birth in '18 was in 1918.
        """
        this_year = self.policy.last_lumped_year + OLDEST
        seen = [
            int(note.written[:4]) for note in found.record.notes if note.written and _is_iso(note.written)
        ]
        seen += [
            year
            for dates in notes
            for one in dates
            if not one.born
            for year in one.years
            if year <= this_year + 1
        ]
        latest = max(seen, default=None)
        old = _has_old_age(found)

        def mended(one: _Read) -> _Read:
            short = [day for day in one.days if _has_short_year(day) and (day.year or 0) >= 2000]
            if not short:
                return one
            year = max(one.years)
            if year > this_year + 1 or (one.born and (old or (latest is not None and year > latest))):
                earlier = [_a_century_earlier(day) if day in short else day for day in one.days]
                mended_days = tuple(day for day in earlier if day is not None)
                return replace(one, days=mended_days if len(mended_days) == len(earlier) else ())
            return replace(one, days=()) if one.born and latest is None else one

        return [[mended(one) for one in dates] for dates in notes]

    def _settled(self, note: Note, dates: list[_Read], missed: bool) -> dict[int, Shown]:
        if self.policy.dates == "hidden":
            return {one.place: Shown(None, HIDDEN) for one in dates}
        if self.policy.dates == "year":
            return {one.place: self._year(one, YEAR) for one in dates}
        settled = None if missed else self._all_moved(note, dates)
        if settled is None:
            return {one.place: self._year(one, FALLBACK) for one in dates}
        return settled

    def _all_moved(self, note: Note, dates: list[_Read]) -> dict[int, Shown] | None:
        """Move all dates of a note; None if one of them was not understood or has no place in time."""
        written = date.fromisoformat(note.written[:10]) if note.written and _is_iso(note.written) else None
        known = [_first_known(one) for one in dates]
        visits = [day for one, day in zip(dates, known, strict=True) if day is not None and not one.born]
        near = next(iter(visits or filter(None, known)), None)
        settled = {}
        for one, day in zip(dates, known, strict=True):
            near = day if day is not None and not one.born else near
            if one.stays:
                settled[one.place] = Shown(one.text, KEPT)
                continue
            if not one.days:
                if _is_decade(one.text):
                    settled[one.place] = self._decade(one)
                    continue
                return None
            standing = [_standing(parsed, day or written or near) for parsed in one.days]
            moved = self._moved(one, [day for day in standing if day is not None])
            if moved is None:
                return None
            settled[one.place] = moved
        return settled

    def _moved(self, one: _Read, standing: list[date]) -> Shown | None:
        if len(standing) < len(one.days) or not all(FIRST_YEAR <= day.year <= LAST_YEAR for day in standing):
            return None
        shift = timedelta(days=self.offset())
        new = [day + shift for day in standing]
        last = self.policy.last_lumped_year
        if one.years and min(day.year for day in (*standing, *new)) <= last:
            return Shown(_lumped(last), LUMPED)
        written = one.joint.join(write_date(parsed, day) for parsed, day in zip(one.days, new, strict=True))
        if written == one.text and any(day.precision in _PRECISE for day in one.days):
            return None
        return Shown(written, SHIFTED)

    def _year(self, one: _Read, how: str) -> Shown:
        if one.stays:
            return Shown(one.text, KEPT)
        if not one.days and _is_decade(one.text):
            return self._decade(one)
        years = sorted(set(one.years if one.days else _only_year(one.text)))
        if not years or not all(FIRST_YEAR <= year <= LAST_YEAR for year in years):
            return Shown(None, HIDDEN if how == YEAR else FALLBACK)
        if years[0] <= self.policy.last_lumped_year:
            return Shown(_lumped(self.policy.last_lumped_year), LUMPED)
        shown = "-".join(map(str, years))
        return Shown(shown, KEPT if how == YEAR and one.text == shown else how)

    def _decade(self, one: _Read) -> Shown:
        """Keep ``1990s``, unless it tells of somebody over 89."""
        last = self.policy.last_lumped_year
        years = _only_year(one.text)
        return Shown(_lumped(last), LUMPED) if years and years[0] <= last else Shown(one.text, KEPT)


@lru_cache(maxsize=1 << 12)
def _reading(text: str, language: str) -> tuple[tuple[ParsedDate, ...], str]:
    """Read one date, or the two ends of a range and what stands between them."""
    if len(text) > _LONGEST:
        return (), ""
    alone = read_date(text, language)
    if alone is not None:
        return (alone,), ""
    for joint in _JOINT.finditer(text):
        first = read_date(text[: joint.start()], language)
        last = read_date(text[joint.end() :], language)
        if first is not None and last is not None:
            return (first, last), joint.group()
    return (), ""


def is_readable(text: str, language: str) -> bool:
    """Say whether a text is a date, or a decade."""
    return _is_decade(text) or bool(_reading(text, language)[0])


def says_something(text: str) -> bool:
    """Say whether there is a letter, a digit or a mark: a dash that was taken for a date says nothing.

    >>> says_something(" - "), says_something("7")
    (False, True)
    """
    return any(unicodedata.category(letter)[0] in "LNMC" and letter not in "\t\r\n" for letter in text)


def _first_known(one: _Read) -> date | None:
    """Return the day of a date that says its year."""
    days = (day.standing_for() for day in one.days if day.year is not None)
    return next((day for day in days if day is not None), None)


def _standing(parsed: ParsedDate, reference: date | None) -> date | None:
    """Return the day to be moved. The 14th of some month has none: the wrong month would be moved."""
    return None if parsed.precision == "day of a month" else parsed.standing_for(reference)


def _a_century_earlier(parsed: ParsedDate) -> ParsedDate | None:
    moved = replace(parsed, year=(parsed.year or 0) - 100)
    return moved if moved.standing_for() is not None else None


def _has_short_year(parsed: ParsedDate) -> bool:
    return any(piece.what == "year" and len(piece.text) == 2 for piece in parsed.pieces)


def _is_birth(text: str, span: Span) -> bool:
    return _BORN.search(text[max(0, span.start - _BEFORE) : span.start]) is not None


def _has_old_age(found: Found) -> bool:
    """Say whether an age over 89, or one that cannot be read, stands in a record."""
    for note, spans in zip(found.record.notes, found.spans, strict=True):
        for span in spans:
            if span.kind is Kind.AGE:
                age = age_of(span.of(note.text), note.text[span.end : span.end + 20])
                if age is None or age >= OLDEST:
                    return True
    return False


def _is_decade(text: str) -> bool:
    return _DECADE.fullmatch(text.strip()) is not None


def _only_year(text: str) -> list[int]:
    years = {int(match.group()) for match in _FOUR_DIGITS.finditer(text)}
    return [*years] if len(years) == 1 else []


def _lumped(last: int) -> str:
    return f"{last} or earlier"


def _is_iso(written: str) -> bool:
    try:
        date.fromisoformat(written[:10])
    except ValueError:
        return False
    return True
