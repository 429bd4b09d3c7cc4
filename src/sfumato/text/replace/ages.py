"""Ages: over 89 they are one group (45 CFR 164.514(b)(2)(i)(C)); up to 89 they may stay.

What counts is the number of years: "93-year-old", "93 y/o", "ninety-three"; 93 months are a child. An age
that cannot be read is taken to be over 89.
"""

from __future__ import annotations

import re

from sfumato.masking.reduce import OLDEST
from sfumato.text.dates import listed

_NUMBER = re.compile(r"\d+")
_DECADE_OF_LIFE = re.compile(r"(\d{1,2})(?:st|nd|rd|th) decade", re.IGNORECASE)
"""the tenth begins at 90"""
_YEARS = re.compile(r"\s*[-‐‑–]?\s*(?:y|a[ñn]os?\b)", re.IGNORECASE)
_YOUNG = re.compile(
    r"\s*[-‐‑–]?\s*(?:months?|mos?|m/o|weeks?|wks?|w/o|days?|d/o|hours?|hrs?|minutes?|mes(?:es)?|semanas?"
    r"|d[ií]as?|horas?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_TENS = {
    "ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
    "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90,
}  # fmt: skip
_ONES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
    "un": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
    "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciséis": 16,
    "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veintiuno": 21, "veintiún": 21, "veintidós": 22,
    "veintitrés": 23, "veinticuatro": 24, "veinticinco": 25, "veintiséis": 26, "veintisiete": 27,
    "veintiocho": 28, "veintinueve": 29,
}  # fmt: skip
_OLD = re.compile(
    r"(?:(?:one|a)[ -])?(?:ninety|hundred|noventa|cien(?:to)?)\b(?:[ -](?:and|y)\b)?"
    rf"(?:[ -](?:{'|'.join(_ONES)})\b)?",
    re.IGNORECASE,
)
_FIGURES = re.compile(r"\d+(?:['’]?s|st|nd|rd|th)(?![^\W_])|\d+", re.IGNORECASE)
"""a number with its ending: the "rd" of a 93rd birthday tells the last digit"""
_BESIDE = listed(
    "a about age aged almost at birthday de edad f female her his in is just m male man nearly now o of old "
    "over the their was who woman y year years yo yr yrs año años hombre mujer"
)
"""words beside an age that may stay; any other may be a part of it (ninety-first, early nineties)"""
_DECADES = {f"{word[:-1]}ies": value for word, value in _TENS.items() if word.endswith("ty")}


def age_of(text: str, after: str = "") -> int | None:
    """Return an age in whole years; ``after`` is what follows it in the note. None if it cannot be read.

    >>> age_of("93", "-year-old woman"), age_of("93", "-month-old"), age_of("ninety-three-year-old")
    (93, 7, 93)
    >>> age_of("in her nineties"), age_of("elderly") is None
    (90, True)
    """
    decade = _DECADE_OF_LIFE.match(text)
    if decade is not None:
        return 10 * int(decade[1]) - 10
    numbers = [match for match in _NUMBER.finditer(text) if len(match.group()) <= 3]
    if numbers:
        years = 0
        for match in numbers:
            following = text[match.end() :] + after
            value = int(match.group())
            if _YOUNG.match(following) and not _YEARS.match(following):
                value //= 12
            years = max(years, value)
        return years
    return _in_words(text)


def _in_words(text: str) -> int | None:
    value, seen = 0, False
    for match in _WORD.finditer(text.lower()):
        word = match.group()
        if word in ("hundred", "centenarian", "cien", "ciento", "centenario", "centenaria"):
            return 100
        if word in ("nonagenarian", "nonagenario", "nonagenaria"):
            return OLDEST
        for known in (_TENS, _ONES, _DECADES):
            if word in known:
                value, seen = value + known[word], True
    return value if seen else None


def with_age(text: str, shown: str) -> str:
    """Put what may be shown in the place of the number, and keep the words beside it that tell no age.

    >>> with_age("93-year-old", "90+"), with_age("Ninety-three year old", "90+"), with_age("nineties", "90+")
    ('90+-year-old', '90+ year old', '90+')
    >>> with_age("93rd", "90+"), with_age("ninety-first", "90+"), with_age("early 90s", "90+")
    ('90+', '90+', '90+')
    """
    numbers = list(_FIGURES.finditer(text)) or list(_OLD.finditer(text))
    if len(numbers) != 1:
        return shown
    place = numbers[0]
    before, after = text[: place.start()], text[place.end() :]
    if not _BESIDE.issuperset(_WORD.findall(f"{before} {after}".lower())):
        return shown
    return before + shown + after
