"""Dates as people write them: read one, and write another day in the very same form.

Shifting a date in a text must keep how it was written (``Jan 17 2003`` → ``Aug 21 2003``, ``1/19/03`` →
``8/23/03``), or the form itself would tell which dates were touched. A written date is therefore cut into
pieces (day, month, year, weekday, what stands between them), and writing fills the same pieces anew. What a
language must say about its months, weekdays and order is a ``Calendar``; it lives in
``text/languages/<code>/calendar.py`` as ``CALENDAR``.
"""

from __future__ import annotations

import calendar as days_of
import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import cached_property

from sfumato.core.errors import BadInput
from sfumato.text.language import LANGUAGES, Language

PIVOT = 50
"""two-digit years below it are of this century, the others of the last"""


@dataclass(frozen=True)
class Calendar:
    """How one language writes dates."""

    months: tuple[tuple[str, ...], ...]
    """for each month its spellings: the full name first, then abbreviations"""
    weekdays: tuple[tuple[str, ...], ...]
    """the same for Monday to Sunday"""
    seasons: tuple[tuple[str, ...], ...] = ()
    """winter, spring, summer, autumn, each with its spellings"""
    holidays: Mapping[str, Callable[[int | None], tuple[int, int | None]]] = field(default_factory=dict)
    """by lower-case name: month and day, the day None where the year must be known and is not"""
    between: frozenset[str] = frozenset()
    """lower-case words that may stand inside a date and mean nothing (of, the, at)"""
    ordinal: Callable[[int], str] = lambda _: ""
    """what follows the number of a day that is written as an ordinal"""
    ordinals: frozenset[str] = frozenset()
    """all of these, lower-case"""
    day_words: frozenset[str] = frozenset()
    """days in words, lower-case (seventeenth), where one might be written before a month"""
    day_first: bool = True
    """whether 3/4/2001 is the third of April; a number above 12 is a day anyway"""

    @cached_property
    def named_days(self) -> tuple[str, ...]:
        """The names of holidays, the longest first."""
        return tuple(sorted(self.holidays, key=len, reverse=True))

    @cached_property
    def words(self) -> dict[str, tuple[str, int, int]]:
        """Every word, lower-case: what it is, which (from 1, weekdays from 0), and how it is spelt."""
        table = (("weekday", 0, self.weekdays), ("season", 1, self.seasons), ("month", 1, self.months))
        return {
            spelt.lower(): (what, which, style)
            for what, first, names in table
            for which, spellings in enumerate(names, first)
            for style, spelt in reversed(list(enumerate(spellings)))
        }


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a written date: what it is, as it was written, and how it is spelt or how wide it is."""

    what: str
    """day, last_day, month, year, weekday, season, holiday, ordinal, or text (copied)"""
    text: str = field(repr=False)
    style: int = 0


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """A date that was understood: what it says, and the form it was written in."""

    year: int | None = field(repr=False)
    month: int | None = field(repr=False)
    day: int | None = field(repr=False)
    pieces: tuple[Piece, ...]
    calendar: Calendar = field(repr=False)
    weekday: int | None = field(default=None, repr=False)
    """0 for Monday, where a weekday is written"""
    last_day: int | None = field(default=None, repr=False)
    """the day of the same month on which a range ends (``Jan 17-20, 2003``)"""

    @property
    def precision(self) -> str:
        """What is known: ``day``, ``month``, ``year``, ``day of a year`` (7/21), ``day of a month``, ..."""
        if self.year is None:
            if self.month is None:
                return "weekday" if self.day is None else "day of a month"
            return "month of a year" if self.day is None else "day of a year"
        if self.month is None:
            return "year"
        return "month" if self.day is None else "day"

    def standing_for(self, reference: date | None = None) -> date | None:
        """Return the day to be shifted: the date itself, or the middle of its month, season or year.

        What is not written (the year of 7/21) is taken so that the day is nearest to ``reference``, the day
        of the note; without a reference the answer is None. A weekday alone stands for any such day.
        """
        if self.precision == "weekday":
            return None if self.weekday is None else date(2001, 1, 1) + timedelta(days=self.weekday)
        if self.year is not None:
            if self.month is None:
                return date(self.year, 7, 2)
            return _day(self.year, self.month, 16 if self.day is None else self.day)
        if reference is None:
            return None
        if self.month is None:
            around = [reference + timedelta(days=distance) for distance in range(-61, 62)]
            near = [one for one in around if one.day == self.day]
        else:
            years = range(max(MINYEAR, reference.year - 4), min(MAXYEAR, reference.year + 4) + 1)
            tried = (_day(year, self.month, 16 if self.day is None else self.day) for year in years)
            near = [one for one in tried if one is not None]
        return min(near, key=lambda one: (abs((one - reference).days), one), default=None)


def listed(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


_PARTS = re.compile(
    r"(?P<time>(?<![0-9])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
    r"(?:\s?[AaPp]\.?[Mm]\b\.?|Z\b|\s?[+-][0-9]{2}:?[0-9]{2}(?![0-9]))?"
    r"|(?<![0-9/.-])[0-9]{1,2}\s?[AaPp]\.?[Mm]\b\.?"
    r"|(?<![0-9/.-])[0-9]{3,4}\s?(?:[Hh](?:rs?|ours)?)\b)"
    r"|(?P<number>[0-9]+)|(?P<word>[^\W\d_]+)|(?P<text>.)",
    re.DOTALL,
)


def calendar_of(language: str | Language | Calendar) -> Calendar:
    """Return the calendar of a language, given as its code."""
    if isinstance(language, Calendar):
        return language
    code = language if isinstance(language, str) else language.code
    if code not in LANGUAGES:
        raise BadInput(f"there is no language '{code}'", where="language")
    found = importlib.import_module(f"{LANGUAGES[code]}.calendar").CALENDAR
    assert isinstance(found, Calendar)
    return found


def read_date(text: str, language: str | Language | Calendar = "en") -> ParsedDate | None:
    """Understand one written date; None where it is none, or where a part of it is not understood.

    >>> read_date("Jan 17 2003").standing_for()
    datetime.date(2003, 1, 17)
    >>> read_date("7/21").precision, read_date("mild"), read_date("2/30/2003")
    ('day of a year', None, None)
    """
    calendar = calendar_of(language)
    pieces = _pieces(text, calendar)
    return _understood(pieces, calendar) if pieces else None


def write_date(parsed: ParsedDate, day: date) -> str:
    """Write another day in the form of a date that was read.

    >>> write_date(read_date("22nd of JULY, '98"), date(2001, 11, 3))
    "3rd of NOVEMBER, '01"
    >>> write_date(read_date("Jan 30-31, 2003"), date(2003, 8, 31))
    'Aug 31-Sep 1, 2003'
    """
    last = day
    if parsed.last_day is not None and parsed.day is not None:
        last = day + timedelta(days=parsed.last_day - parsed.day)
    month = next((one for one in parsed.pieces if one.what == "month" and one.style >= 0), None)
    kinds = [piece.what for piece in parsed.pieces]
    named_after = month is not None and "last_day" in kinds[: kinds.index("month")]
    written = []
    for place, piece in enumerate(parsed.pieces):
        of_last = kinds[place] == "last_day" or kinds[max(0, place - 1)] == "last_day"
        late = of_last or (named_after and piece.what == "month")
        shown = _written(piece, last if late else day, last, parsed.calendar)
        if month is not None and last.month != day.month:
            ends_day = piece.what in ("day", "ordinal") and kinds[place + 1 : place + 2] != ["ordinal"]
            if named_after and ends_day and not of_last:
                shown = f"{shown} {_spelt(parsed.calendar.months[day.month - 1], month)}"
            elif piece.what == "last_day" and not named_after:
                shown = f"{_spelt(parsed.calendar.months[last.month - 1], month)} {shown}"
        written.append(shown)
    return "".join(written)


def _pieces(text: str, calendar: Calendar) -> list[Piece] | None:
    """Cut a text into words, numbers and what stands between them; None at a word that no date holds."""
    lowered = " ".join(text.lower().split()) if text[:1].isalpha() else ""
    for name in calendar.named_days if lowered else ():
        if lowered == name or lowered.startswith((name + " ", name + ",")):
            cut = re.match(r"\s+".join(map(re.escape, name.split())), text, re.IGNORECASE)
            if cut is not None:
                rest = _pieces(text[cut.end() :], calendar)
                return None if rest is None else [Piece("holiday", cut.group()), *rest]
    pieces: list[Piece] = []
    for part in _PARTS.finditer(text):
        shown = part.group()
        if part.lastgroup == "number":
            pieces.append(Piece("number", shown))
        elif part.lastgroup != "word":
            if shown.isdecimal():  # a digit of another script is no text to be copied
                return None
            pieces.append(Piece("text", shown))
        else:
            lower = shown.lower()
            known = calendar.words.get(lower)
            if lower in calendar.ordinals and pieces and pieces[-1].what == "number":
                pieces.append(Piece("ordinal", shown))
            elif known is not None:
                pieces.append(Piece(known[0], shown, known[2]))
            elif lower in calendar.between:
                pieces.append(Piece("text", shown))
            else:
                return None
    return pieces


def _understood(pieces: list[Piece], calendar: Calendar) -> ParsedDate | None:
    found: dict[str, int | None] = {}
    for piece in pieces:
        if piece.what in ("month", "weekday", "season"):
            if piece.what in found:
                return None
            found[piece.what] = calendar.words[piece.text.lower()][1]
    if "season" in found:
        found["month"] = (1, 4, 7, 10)[(found["season"] or 1) - 1]
    compact = _compact(pieces)
    places = [place for place, piece in enumerate(compact) if piece.what == "number"]
    roles = _roles(compact, places, calendar, "month" in found or compact[0].what == "holiday")
    if roles is None:
        return None
    named = list(compact)
    for place, role in zip(places, roles, strict=True):
        shown = compact[place].text
        value = int(shown)
        if role == "year" and len(shown) == 2:
            value += 2000 if value < PIVOT else 1900
        found[role] = value
        named[place] = Piece(role, shown, -len(shown) if _padded(compact, places, roles, place) else -1)
    if named[0].what == "holiday":
        name = " ".join(named[0].text.lower().split())
        found["month"], found["day"] = calendar.holidays[name](found.get("year"))
    parsed = ParsedDate(
        found.get("year"), found.get("month"), found.get("day"), tuple(named), calendar,
        found.get("weekday"), found.get("last_day"),
    )  # fmt: skip
    return parsed if _possible(parsed) else None


def _compact(pieces: list[Piece]) -> list[Piece]:
    """Part 20130721 into year, month and day."""
    numbers = [piece for piece in pieces if piece.what == "number"]
    if len(numbers) != 1 or len(numbers[0].text) != 8:
        return pieces
    place, shown = pieces.index(numbers[0]), numbers[0].text
    widths = (4, 6) if shown[:2] in ("18", "19", "20") else (2, 4)
    parts = (shown[: widths[0]], shown[widths[0] : widths[1]], shown[widths[1] :])
    return [*pieces[:place], *(Piece("number", part) for part in parts), *pieces[place + 1 :]]


def _roles(pieces: list[Piece], places: list[int], calendar: Calendar, named: bool) -> tuple[str, ...] | None:
    """Say of each number whether it is day, month or year."""
    shown = [pieces[place].text for place in places]
    years = [
        len(text) == 4
        or (len(text) == 2 and pieces[max(0, place - 1)].text in ("'", "\u2019", "`", "\u2018"))
        for text, place in zip(shown, places, strict=True)
    ]
    if any(len(text) not in (1, 2, 4) for text in shown) or sum(years) > 1:
        return None
    values = [int(text) for text in shown]
    ordinal = [pieces[place + 1].what == "ordinal" for place in places if place + 1 < len(pieces)]
    match len(shown):
        case 0:
            return ()
        case 1:
            if years[0]:
                return ("year",)
            if len(shown[0]) == 2 and values[0] > 31:  # '98 whose apostrophe was left outside
                return ("year",)
            return ("day",) if named or any(ordinal) else None
        case 2 if named:
            if years[0] or years[1]:
                return ("year", "day") if years[0] else ("day", "year")
            if _ranged(pieces, places):
                return ("day", "last_day")
            return ("day", "year") if len(shown[1]) == 2 else None
        case 2:
            if years[0] or years[1]:
                return ("year", "month") if years[0] else ("month", "year")
            if len(shown[1]) == 2 and values[1] > 31:
                return ("month", "year")
            return _ordered(values, calendar)
        case 3 if named:
            whole = years[2] or (len(shown[2]) == 2 and not _ranged(pieces, places[1:]))
            return ("day", "last_day", "year") if whole and _ranged(pieces, places) else None
        case 3:
            if years[0]:
                return ("year", "month", "day") if values[1] <= 12 else ("year", "day", "month")
            if years[1] or len(shown[2]) == 1:
                return None
            return (*_ordered(values, calendar), "year")
    return None


def _ordered(values: list[int], calendar: Calendar) -> tuple[str, str]:
    first = calendar.day_first if max(values[:2]) <= 12 else values[0] > 12
    return ("day", "month") if first else ("month", "day")


def _ranged(pieces: list[Piece], places: list[int]) -> bool:
    """Say whether the first two numbers are joined by a dash or a word, as days of one month are."""
    joint = "".join(piece.text for piece in pieces[places[0] + 1 : places[1]] if piece.what != "ordinal")
    return joint.strip().lower() in (
        "-",
        "\u2013",
        "\u2014",
        "to",
        "and",
        "&",
        "through",
        "thru",
        "al",
        "y",
        "a",
    )


def _padded(pieces: list[Piece], places: list[int], roles: tuple[str, ...], place: int) -> bool:
    """Say whether a number is written at full width: 03, 10 beside 07, and after a year (2013-10-21)."""
    if roles[places.index(place)] == "year":
        return True
    others = [
        pieces[one].text
        for one, role in zip(places, roles, strict=True)
        if role in ("day", "month", "last_day")
    ]
    if any(len(text) == 1 for text in others):
        return False
    return any(text[0] == "0" for text in others) or (roles[0] == "year" and len(roles) > 1)


def _possible(parsed: ParsedDate) -> bool:
    if parsed.precision == "weekday":
        return parsed.weekday is not None
    year = 2000 if parsed.year is None else parsed.year
    if not MINYEAR <= year < MAXYEAR:
        return False
    for day in (parsed.day, parsed.last_day):
        if _day(year, 1 if parsed.month is None else parsed.month, 1 if day is None else day) is None:
            return False
    return parsed.last_day is None or (parsed.day is not None and parsed.last_day > parsed.day)


def _day(year: int, month: int, day: int) -> date | None:
    if 1 <= month <= 12 and 1 <= day <= days_of.monthrange(year, month)[1]:
        return date(year, month, day)
    return None


def _written(piece: Piece, day: date, last: date, calendar: Calendar) -> str:
    """Write one piece of a day; the year is that of the last day of a range."""
    match piece.what:
        case "day" | "last_day":
            return str(day.day).zfill(-piece.style)
        case "month" if piece.style < 0:
            return str(day.month).zfill(-piece.style)
        case "month":
            return _spelt(calendar.months[day.month - 1], piece)
        case "year":
            return f"{last.year % 100:02d}" if len(piece.text) == 2 else f"{last.year:04d}"
        case "weekday":
            return _spelt(calendar.weekdays[day.weekday()], piece)
        case "season":
            return _spelt(calendar.seasons[day.month % 12 // 3], piece)
        case "ordinal":
            return _cased(calendar.ordinal(day.day), piece.text)
        case "holiday":
            return f"{_cased(calendar.months[day.month - 1][0], piece.text)} {day.day}"
    return piece.text


def _spelt(spellings: tuple[str, ...], piece: Piece) -> str:
    return _cased(spellings[min(piece.style, len(spellings) - 1)], piece.text)


def _cased(word: str, like: str) -> str:
    """Write a word in the case of another."""
    if like.isupper():
        return word.upper()
    return word.lower() if like.islower() else word[:1].upper() + word[1:]
