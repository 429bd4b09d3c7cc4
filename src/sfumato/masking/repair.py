"""Values that were damaged on their way: ZIP codes without their zero, ages as text, years of two digits.

Where a value can be meant in one way only it is mended, and the report says how many; where not, the run
stops and names the rows. A column is read so when the recipe says what it is (``kind``).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sfumato.core.domain import as_number

DATE_KINDS = ("date", "birth-date", "admission-date", "discharge-date", "death-date")
OPEN_AGE = "age-90"
"""how ages are read where the mask of this name puts those from 90 on into one group"""
_OLDEST_AGE = 130
_YEAR = r"(?:1[5-9]|20|21)\d{2}"
_DATE = re.compile(
    rf"(?:(?P<packed>\d{{8}})|(?P<alone>{_YEAR})|(?P<first>{_YEAR})[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?"
    rf"|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?P<last>{_YEAR})"
    rf"|(?:\d{{1,2}}\.?[ -])?[^\W\d_]{{3,9}}\.?[ -](?:\d{{1,2}},? )?(?P<named>{_YEAR}))"
    r"(?:[T ]\d{1,2}:\d{2}.*)?"
)
"""2024-02-29, 29.2.2024, 2/29/2024, 29 February 2024, Feb 29, 2024, 20240229, 2024, with a time or without"""
_AGE = re.compile(
    r"(\d{1,5})(?:\.\d+)?\s*(?:-|\s)*(y|yr|yrs|year|years|yo|y/o|y\.o\.|mo|mos|month|months|wk|wks|week|weeks"
    r"|day|days)\.?(?:[\s-]*old)?",
    re.IGNORECASE,
)
_WITHOUT_ZEROS = re.compile(r"501|544|[6-9]\d{2}")
"""00501 and 00544 in New York, 006 to 009 in Puerto Rico and the Virgin Islands"""
_PER_YEAR = {"y": 1, "m": 12, "w": 52, "d": 365}
_OLD = re.compile(
    r"(?:>|over|above)\s*89|(?:>=|≥)?\s*90\s*\+?|90\s*(?:or|and)\s*(?:older|over)", re.IGNORECASE
)


_BEYOND = re.compile(
    r"(?:>=|≥|at least|from|over|above|>)?\s*(\d{2,3})\s*"
    r"(?:\+|(?:years\s*)?(?:or|and)\s*(?:older|over|more|above))?"
    r"\s*(?:y|yr|yrs|years|yo)?(?:\s*old)?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\[?(\d{2,3})\s*(?:-|–|to|bis|a)\s*(\d{2,3})\]?\s*(?:y|yr|yrs|years)?", re.IGNORECASE)


@dataclass(frozen=True)
class Repair:
    """How values of a kind are mended, in words, and what is wrong with those that cannot be."""

    mend: Callable[[str], str | None]
    done: str
    wrong: str
    remedy: str


@dataclass(frozen=True)
class Mended:
    """The values as they are meant; the places of those that were mended and of those that cannot be."""

    values: list[str]
    changed: list[int]
    broken: list[int]


def mended(kind: str, values: Sequence[str]) -> Mended:
    """Mend the distinct values of a column.

    >>> mended("zip", ["2135", "02136", "x"])
    Mended(values=['02135', '02136', 'x'], changed=[0], broken=[2])
    """
    mend = _zip_by(values) if kind == "zip" else REPAIRS[kind].mend
    meant = [mend(value.strip()) for value in values]
    return Mended(
        [value if new is None else new for value, new in zip(values, meant, strict=True)],
        [i for i, (value, new) in enumerate(zip(values, meant, strict=True)) if new not in (None, value)],
        [i for i, new in enumerate(meant) if new is None],
    )


def year_of(text: str) -> int | None:
    """Read the year of a date, however its parts are ordered, if it is written with four digits.

    >>> year_of("15.9.1961"), year_of("19610915"), year_of("9/15/61")
    (1961, 1961, None)
    """
    written = _DATE.fullmatch(text.strip())
    if written is None:
        return None
    if written["packed"]:
        day = date_of(written["packed"])
        return None if day is None else day.year
    return int(next(written[group] for group in ("first", "last", "named", "alone") if written[group]))


def date_of(text: str) -> dt.datetime | None:
    """Read an ISO date or date-time, or None.

    >>> date_of("2024-02-29").day, date_of("29.2.2024")
    (29, None)
    """
    try:
        return dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _date(text: str) -> str | None:
    return None if year_of(text) is None else text


def _age(text: str) -> str | None:
    number = as_number(text)
    if number is not None:
        return text if 0 <= number <= _OLDEST_AGE else None
    if _OLD.fullmatch(text):
        return "90"
    written = _AGE.fullmatch(text)
    if written is None:
        return None
    years = int(written[1]) // _PER_YEAR[written[2][0].lower()]
    return str(years) if years <= _OLDEST_AGE else None


def _open_age(text: str) -> str | None:
    """Read an age where those from 90 on are one group: then 95+, >95, 90-94 and 1200 months all say 90."""
    years = _age(text)
    if years is not None:
        return years
    between, beyond = _RANGE.fullmatch(text), _BEYOND.fullmatch(text)
    first = between[1] if between and int(between[1]) <= int(between[2]) else beyond and beyond[1]
    return "90" if first and 90 <= int(first) <= _OLDEST_AGE else None


def _zip(text: str) -> str | None:
    """Give five digits: zeros that a spreadsheet dropped come back, what follows the fifth goes."""
    whole = re.fullmatch(r"(\d{5})(?:-?\d{4})?", text)
    if whole:
        return text
    if re.fullmatch(r"\d{3,4}(?:\.0)?", text) and int(text.split(".")[0]) >= 501:
        return text.split(".")[0].zfill(5)
    cut = re.fullmatch(r"(\d{5})\.0|(\d{4})-\d{4}|(\d{4})\d{4}", text)
    return (cut[1] or "0" + (cut[2] or cut[3])) if cut else None


def _zip_of_three(text: str) -> str | None:
    """Three digits in every row are three digits of a ZIP code already."""
    return text


def _zip_of_two_kinds(text: str) -> str | None:
    """Three digits in every row that may as well be whole codes without their zeros cannot be read."""
    return None


def _zip_by(values: Sequence[str]) -> Callable[[str], str | None]:
    """Choose how ZIP codes are read: by what all of them look like."""
    digits = [value.strip() for value in values]
    if not digits or not all(re.fullmatch(r"\d{3}", value) for value in digits):
        return _zip
    return _zip_of_two_kinds if all(_WITHOUT_ZEROS.fullmatch(value) for value in digits) else _zip_of_three


_DATES = Repair(
    _date,
    "",
    "no date with a year of four digits, and two digits do not tell the century",
    "write years with four digits, as in 1961-09-15",
)
REPAIRS: dict[str, Repair] = {
    "zip": Repair(
        _zip,
        "ZIP codes had lost their leading zeros and got them back",
        "no US ZIP codes",
        "write all five digits, or say 'kind: postcode' if they are of another country",
    ),
    "age": Repair(
        _age,
        "ages were written as text and became years",
        "no ages in years",
        "write ages as numbers of years",
    ),
    OPEN_AGE: Repair(
        _open_age,
        "ages were written as text and became years, or the group of 90 and older",
        "no ages in years",
        "write ages as numbers of years, or as a group from 90 on",
    ),
    **dict.fromkeys(DATE_KINDS, _DATES),
}
"""by kind of column"""
