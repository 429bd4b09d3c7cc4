"""Clues: what an adversary reads in a note, and what a table of people says, brought to one spelling.

A clue is a key such as ``("words", "whitfield")``, ``("day", "2003-01-17")``, ``("age", 57)``. Words and
numbers are compared without case, accents and punctuation; dates by the day that they mean, whatever their
form. It is a plain reading of its own, made for matching, and shares no search with what de-identifies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache, lru_cache

from sfumato.masking.reduce import OLDEST
from sfumato.masking.repair import date_of
from sfumato.text.dates import calendar_of, read_date
from sfumato.text.detectors.spelling import folded, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.look_alikes import Reading
from sfumato.text.note import Known

Clue = tuple[str, str | int]
BIRTH = "birth"
"""the label of a date on which somebody was born: it tells ages, and is no day of a stay"""
SHORTEST = 2
"""letters or digits of a value, below which it is everywhere"""
_WORD = re.compile(r"[^\W_]+")
_AGE = re.compile(
    r"(?<![\w.])(?P<years>\d{1,3})[\s-]{0,2}(?:years?|yrs?|yo|y/o|y\.o\.?|años)\b"
    r"|\b(?:aged?|edad)[:\s]{1,2}(?P<aged>\d{1,3})\b|(?<![\w.])(?P<sexed>\d{2})\s?[FM]\b",
    re.IGNORECASE,
)
_OLD = re.compile(r"\bover 89\b|\b90\+|\b90 or (?:over|older|more)\b", re.IGNORECASE)
_LUMPED = "90+"
_FEMALE = "she her hers herself female woman lady girl ms mrs miss mujer señora sra ella"
_MALE = "he his him himself male man gentleman boy mr hombre varón señor sr"
_SEXES = {"f": frozenset(_FEMALE.split()), "m": frozenset(_MALE.split())}
_SPELT_SEX = {
    **dict.fromkeys(("f", "female", "w", "woman", "mujer", "2"), "f"),
    **dict.fromkeys(("m", "male", "man", "hombre", "varon", "1"), "m"),
}


@dataclass(frozen=True)
class Sought:
    """The sequences of words that a table of people holds, by their first words."""

    firsts: dict[str, list[tuple[tuple[str, ...], Clue]]] = field(repr=False)

    @classmethod
    def of(cls, clues: Iterable[Clue]) -> Sought:
        """List what is looked for."""
        firsts: dict[str, list[tuple[tuple[str, ...], Clue]]] = {}
        for clue in clues:
            if clue[0] == "words":
                words = tuple(str(clue[1]).split())
                firsts.setdefault(words[0], []).append((words, clue))
        return cls(firsts)

    def found_in(self, text: str) -> Iterator[Clue]:
        """Return the sequences that stand in a text, whatever stands between their words."""
        words = [folded(word) for word in _WORD.findall(text)]
        for at, word in enumerate(words):
            for sequence, clue in self.firsts.get(word, ()):
                if len(sequence) == 1 or tuple(words[at : at + len(sequence)]) == sequence:
                    yield clue


def clues_in(text: str, sought: Sought, language: str = "en") -> set[Clue]:
    """Read a note: words that somebody of the table may be known by, days, years, ages, and the sex.

    >>> known = Sought.of(clues_of([Known(Kind.NAME, "Whitfield, Ada")]))
    >>> sorted(clues_in("Ada WHITFIELD, 57 y/o, seen on Jan 17, 2003.", known))
    [('age', 57), ('day', '2003-01-17'), ('words', 'ada'), ('words', 'whitfield')]
    """
    text = Reading.of(text).text
    found = set(sought.found_in(text))
    for match in _dates(language).finditer(text):
        found.update(_read(match.group(), language))
    for match in _AGE.finditer(text):
        found.add(("age", int(match[match.lastgroup or 0])))
    if _OLD.search(text):
        found.add(("age", _LUMPED))
    sex = sex_in(text)
    if sex is not None:
        found.add(("sex", sex))
    return found


def clues_of(known: Iterable[Known], language: str = "en") -> set[Clue]:
    """Return what could be read about a person in a note, if it stood there.

    >>> sorted(clues_of([Known(Kind.PHONE, "(615) 555-0142"), Known(Kind.DATE, "1950-03-02", BIRTH)]))[:2]
    [('day', '1950-03-02'), ('month', '1950-03')]
    """
    found: set[Clue] = set()
    births: list[date] = []
    stays: list[date] = []
    for one in known:
        if one.kind is Kind.DATE:
            day = day_of(one.value, language)
            if day is not None:
                (births if one.label == BIRTH else stays).append(day)
                found |= {
                    ("day", day.isoformat()),
                    ("month", day.isoformat()[:7]),
                    ("month-day", day.isoformat()[5:]),
                    ("year", day.year),
                }
        elif one.kind is Kind.AGE:
            for number in re.findall(r"\d{1,3}", one.value)[:1]:
                found |= {("age", int(number)), _aged(int(number))}
        elif one.kind is Kind.SEX:
            spelt = _SPELT_SEX.get(folded(one.value.strip()))
            found |= {("sex", spelt)} if spelt else set()
        elif one.kind is Kind.NAME:
            found |= {("words", folded(part)) for part in name_parts(one.value) if len(part) >= SHORTEST}
        else:
            found |= {("words", " ".join(words)) for words in _spellings(one.value)}
    for born in births:
        for day in stays:
            age = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
            if age >= 0:
                found |= {("age", age), _aged(age)}
    return found


def sex_in(text: str) -> str | None:
    """Return the sex that most of the words of a note speak of, None where they do not tell."""
    words = [word.lower() for word in _WORD.findall(text)]
    female, male = (sum(word in _SEXES[sex] for word in words) for sex in "fm")
    return None if female == male else "f" if female > male else "m"


def day_of(value: str, language: str = "en") -> date | None:
    """Return the day that a value of a table means."""
    read = date_of(value)
    if read is not None:
        return read.date()
    parsed = read_date(value.strip(), language) if value.strip() else None
    return parsed.standing_for() if parsed is not None and parsed.precision == "day" else None


def days_in(text: str, language: str = "en") -> list[date]:
    """Return the full dates that stand in a text, in their order; of two readings the usual one.

    >>> [str(day) for day in days_in("Jan 17, 2003 to 1/20/2003; 5/2 and 2004 are none.")]
    ['2003-01-17', '2003-01-20']
    """
    found = []
    for match in _dates(language).finditer(text):
        first = _read(match.group(), language)[:1]
        if first and first[0][0] == "day":
            found.append(date.fromisoformat(str(first[0][1])))
    return found


def _aged(age: int) -> Clue:
    return ("age", _LUMPED if age >= OLDEST else age)


def _spellings(value: str) -> Iterator[tuple[str, ...]]:
    """Return the ways in which a place, a number or an address is written: parted, joined, as usual."""
    words = tuple(folded(word) for word in _WORD.findall(value))
    joined = "".join(words)
    if len(joined) <= SHORTEST:
        return
    yield words
    if len(words) > 1 and any(word.isdecimal() for word in words):
        yield (joined,)
    if joined.isdecimal() and len(joined) in (9, 10):
        middle = 5 if len(joined) == 9 else 6
        yield joined[:3], joined[3:middle], joined[middle:]


@cache
def _dates(language: str) -> re.Pattern[str]:
    """Compile what may be a date: the usual forms in digits, with the name of a month, and bare years."""
    names = sorted({name for names in calendar_of(language).months for name in names}, key=len, reverse=True)
    month = rf"(?:{'|'.join(map(re.escape, names))})\b\.?"
    day = r"\d{1,2}(?:st|nd|rd|th)?"
    gap = r"(?:[ ,/.-]{1,2}|\s(?:of|de)\s)"
    return re.compile(
        rf"(?<![\w/])(?:\d{{1,4}}([-/.])\d{{1,2}}\1\d{{1,4}}(?![\w/])|{day}{gap}{month}{gap}\d{{2,4}}\b"
        rf"|{month}[ -]{day},?[ -]\d{{2,4}}\b|{month}[ ,-]{{1,2}}\d{{4}}\b|(?:19|20)\d{{6}}\b"
        rf"|\d{{1,2}}/\d{{1,2}}(?![\w/])|{month} {day}\b|(?:19|20)\d\d(?![\w/-]))",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1 << 16)
def _read(written: str, language: str) -> tuple[Clue, ...]:
    """Return what a written date may mean, the usual reading first."""
    parsed = read_date(written, language)
    if parsed is None:
        return ()
    if parsed.precision == "day":
        day = parsed.standing_for()
        if day is None:
            return ()
        clues: list[Clue] = [("day", day.isoformat())]
        numbers = re.findall(r"\d+", written)
        if len(numbers) == 3 and len(numbers[0]) <= 2 and day.day <= 12 and day.day != day.month:
            clues.append(("day", date(day.year, day.day, day.month).isoformat()))
        return tuple(clues)
    if parsed.precision == "month":
        return (("month", f"{parsed.year:04d}-{parsed.month:02d}"),)
    if parsed.precision == "day of a year":
        return (("month-day", f"{parsed.month:02d}-{parsed.day:02d}"),)
    return (("year", parsed.year),) if parsed.precision == "year" and parsed.year else ()
