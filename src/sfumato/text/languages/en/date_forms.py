"""The forms of dates in English notes, as regular expressions that are matched at a number or a word.

All quantifiers are bounded, and none stands inside another over the same characters: matching takes constant
time, whatever the text.
"""

from __future__ import annotations

import re

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import compiled
from sfumato.text.languages.en.calendar import DAY_WORDS, HOLIDAYS, MONTHS, WEEKDAYS


def _any_of(names: tuple[tuple[str, ...], ...]) -> str:
    spelt = sorted((spelling for spellings in names for spelling in spellings), key=len, reverse=True)
    return f"(?:{'|'.join(spelt)})\\b\\.?"


_MONTH, _WEEKDAY = _any_of(MONTHS), _any_of(WEEKDAYS)
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])(?:\s?(?:st|nd|rd|th)\b|(?![0-9a-z]))"
_YEAR = r"(?:1[89]|20)[0-9]{2}(?![0-9])"
_SHORT_YEAR = r"['\u2019\u2018`][0-9]{2}(?![0-9])"
_TO = r"\s{0,2}(?:-|\u2013|\u2014|to|through|thru|and|&)\s{0,2}"
_STOP = r"(?![0-9a-z]|[-/.\u2013][0-9])"
_THEN_YEAR = rf"""(?:
    \s{{0,3}}[-/,.]?\s{{0,3}}(?:(?:of|in)\s{{1,2}})?(?:{_YEAR}|{_SHORT_YEAR})
    |[-/][0-9]{{2}}(?![0-9])
    |,?\s[0-9]{{2}}(?![0-9]|[-/.:%][0-9]|\s?[a-z%])
)"""
_UNITS = "mg|mcg|ml|cc|units?|g|kg|y|yo|years?|mm|cm|am|pm|hrs?|hours?|days?|weeks?|months?|patients?|pts"
_NUMERIC = rf"[0-9]{{1,2}}/[0-9]{{1,2}}(?:/(?:{_YEAR}|[0-9]{{2}}))?"

FULL = (
    compiled(rf"{_YEAR}(?P<s>[-/.])(?:0?[1-9]|1[0-2])(?P=s)(?:[0-2]?[0-9]|3[01])(?![0-9])(?![-/.][0-9])"),
    compiled(rf"{_YEAR}[-\s]{_MONTH}[-\s]{_DAY}"),
    compiled(
        rf"""[0-9]{{1,2}}\s?(?P<s>[-/.])\s?[0-9]{{1,2}}\s?(?P=s)\s?
        (?:{_YEAR}|[0-9]{{2}}(?![0-9]))(?![-/.]?[0-9]|[a-z]|%)"""
    ),
    compiled(
        rf"""{_DAY}(?:{_TO}{_DAY})?(?:\sday)?\s{{0,3}}(?:of\s{{1,3}})?[-/.]?\s{{0,3}}{_MONTH}(?![a-z])
        (?:{_THEN_YEAR}|\s[0-9]{{2}}(?![0-9a-z]|[-/.:%][0-9]|\s?(?:{_UNITS})\b|\s?%))?"""
    ),
)
"""2013-07-21, 2013 Jul 21, 7/21/2013, 22nd of July 2013: at a number"""
JOINED = compiled(rf"[0-9]{{1,2}}(?:{'|'.join(sum(MONTHS, ()))})(?:{_YEAR}|[0-9]{{2}})(?![0-9a-z])")
"""21JUL2013"""
SPACED = compiled(rf"[0-9]{{1,2}}\s[0-9]{{1,2}}\s{_YEAR}{_STOP}")
"""07 21 2013, as forms print it: only beside a word that announces a date"""
RANGE = compiled(rf"(?P<first>{_NUMERIC}){_TO}(?P<second>{_NUMERIC})(?![0-9/])")
MONTH_AND_YEAR = (
    compiled(rf"(?:0?[1-9]|1[0-2])\s?[/-]\s?{_YEAR}{_STOP}"),
    compiled(rf"{_YEAR}[-/](?:0[1-9]|1[0-2]){_STOP}"),
)
PARTIAL = compiled(
    rf"(?P<month>0?[1-9]|1[0-2])(?P<s>\s?/\s?|-)(?P<day>0?[1-9]|[12][0-9]|3[01]){_STOP}(?!\s?%)"
)
COMPACT = compiled(
    r"""(?:(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])
    |(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:19|20)[0-9]{2})(?![0-9a-z])"""
)
BARE_YEAR = compiled(r"(?:19[0-9]|20[0-4])[0-9](?:s\b)?(?![0-9a-z]|[-/.,:][0-9]|\s?%)")
SHORT_YEAR = compiled(rf"{_SHORT_YEAR}(?![0-9a-z])")
AT_MONTH = compiled(
    rf"""{_MONTH}(?:
        \s{{0,3}}[-/,]?\s{{0,3}}(?:the\s{{1,2}})?{_DAY}(?:{_TO}{_DAY})?{_THEN_YEAR}?
        |\s{{0,3}}[-/,]?\s{{0,3}}(?:of\s{{1,2}})?(?:{_YEAR}|{_SHORT_YEAR})
        |[-/][0-9]{{2}}(?![0-9])
    )"""
)
WEEKDAY_THEN_DATE = compiled(
    rf"""{_WEEKDAY},?\s{{1,3}}(?:the\s)?
    (?=[0-9]{{1,2}}[/-][0-9]|{_MONTH}\s[0-9]|[0-9]{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH})"""
)
SEASON = compiled(rf"(?:spring|summer|autumn|fall|winter)(?:time)?\s(?:of\s)?(?:{_YEAR}|{_SHORT_YEAR})")
TIME = compiled(
    r"""(?P<joint>\s{0,2}(?:,|@|at|-|t|\s)?\s{0,2})
    (?P<time>[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?(?:[+-][0-9]{2}:?[0-9]{2})?)?(?![0-9])
        (?:\s?[ap]\.?m\b\.?|z\b)?
    |[0-2]?[0-9]\s?[ap]\.?m\b\.?|[0-2][0-9][0-5][0-9](?:\s?h(?:rs?|ours)?\b))"""
)
THE_DAY = compiled(
    r"""[0-9]{1,2}(?:st|nd|rd|th)(?=\s{0,2}(?:[.,;:)]|$)
    |\s(?:of\s(?:the|this|last|next)\smonth|at|with|for|in|when|he|she|they|and\sthe|after|before)\b)"""
)
_DAY_WORD = "(?:" + "|".join(re.escape(word) for word in sorted(DAY_WORDS, key=len, reverse=True)) + r")\b"
DAY_IN_WORDS = compiled(rf"{_DAY_WORD}(?:\sday)?\sof\s(?:{_MONTH}(?:,?\s(?:in\s)?{_YEAR})?)")
MONTH_THEN_WORDS = compiled(rf"{_MONTH}\s(?:the\s)?{_DAY_WORD}(?:,?\s{_YEAR})?")
"""the seventeenth of January, January the seventeenth"""
DAY_WORD_STARTS = frozenset(re.split(r"\W", word)[0] for word in DAY_WORDS)
BEFORE_THE_DAY = re.compile(r"\b(?:on|until|till|by|since|from|for|of|before|after)\sthe\s$", re.IGNORECASE)


def _holidays() -> dict[str, re.Pattern[str]]:
    """Return, by first word, one expression for the holidays that begin with it: the longest first."""
    made = {}
    for first in {re.split(r"\W", name)[0] for name in HOLIDAYS}:
        names = [name for name in HOLIDAYS if re.split(r"\W", name)[0] == first]
        spelt = "|".join(
            re.escape(name).replace(r"\ ", r"\s{1,2}") for name in sorted(names, key=len, reverse=True)
        )
        made[first] = compiled(rf"(?:{spelt})(?![a-z])(?:,?\s(?:of\s|in\s)?(?:{_YEAR}|{_SHORT_YEAR}))?")
    return made


HOLIDAY = _holidays()
MONTH_WORDS = frozenset(spelt.lower() for names in MONTHS for spelt in names)
WORDS_TOO = listed("may march mar dec")
"""spellings of months that lower-case are words of their own (dec: decreased)"""
NEEDS_CUE = listed("april june august may march jan mar dec sep oct apr jun jul aug feb nov sept")
"""months that alone may be a name, or an abbreviation of something else"""
MONTH_CUES = listed(
    "in since of last this next until till during early late mid past from through by before after between "
    "around"
)
FULL_WEEKDAYS = frozenset(names[0].lower() for names in WEEKDAYS) | listed("tues weds thurs thur")
"""weekdays that are no other word, also where they stand alone"""
WEEKDAY_WORDS = frozenset(spelt.lower() for names in WEEKDAYS for spelt in names)
SEASON_WORDS = listed("spring summer autumn fall winter summertime wintertime")
