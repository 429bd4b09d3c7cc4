"""Say less, truthfully: the year of a date, three digits of a ZIP code, 90 or older.

The reductions of HIPAA's Safe Harbor (45 CFR 164.514(b)(2)(i)(B) and (C)). What is left is true, and
still a quasi-identifier: somebody may be alone with a year, a sex and three digits.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from sfumato.core.domain import as_number
from sfumato.masking.contract import Secrets
from sfumato.masking.repair import year_of
from sfumato.masking.zip3 import zip3

OLDEST = 90
"""ages from here on are one group"""


@dataclass(frozen=True)
class Year:
    """Keep the year of a date.

    A date of 90 years ago, whatever happened then, shows that somebody is 90 or older. With ``oldest:
    grouped`` such years are one group, as those of births are; ``this_year`` and ``written`` are as there.

    >>> Year().labels(["2024-02-29", "9/15/1961"], Secrets())
    ['2024', '1961']
    >>> Year("grouped", this_year=2026).labels(["1937-01-01", "1931-03-02"], Secrets())
    ['1937', '1936 or earlier']
    """

    oldest: Literal["kept", "grouped"] = "kept"
    this_year: int | None = None
    written: Literal["words", "number"] = "words"
    name: ClassVar[str] = "year"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        if self.last_year is None:
            return "reduced to the year"
        return f"reduced to the year, those up to {self.last_year} in one group (aged 90 or older)"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Read the year of every date."""
        return _years(values, self.last_year, self.written)

    @property
    def last_year(self) -> int | None:
        """The latest year that shows an age of 90 or more; None where such years stay."""
        return None if self.oldest == "kept" else _last_year(self.this_year)


@dataclass(frozen=True)
class BirthYear:
    """Keep the year of a birth, but for people who are or will be 90 this year: they share one group.

    ``this_year`` is the year of the release, from which ages are counted; the year of today if not given.
    ``written`` says how the group is written: as words, or as its latest year, which a hierarchy can go on
    with.

    >>> BirthYear(this_year=2026).labels(["1937-05-01", "1936-05-01", "1920-01-01"], Secrets())
    ['1937', '1936 or earlier', '1936 or earlier']
    """

    this_year: int | None = None
    written: Literal["words", "number"] = "words"
    name: ClassVar[str] = "birth-year"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        return f"reduced to the year, births up to {self.last_year} in one group (aged 90 or older)"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Read the year of every birth."""
        return _years(values, self.last_year, self.written)

    @property
    def last_year(self) -> int:
        """The latest year of birth of the oldest."""
        return _last_year(self.this_year)


def _last_year(this_year: int | None) -> int:
    return (dt.date.today().year if this_year is None else this_year) - OLDEST


def _years(values: Sequence[str], last: int | None, written: str) -> list[str | None]:
    """Return the year of each date, those up to the last year of the oldest in one group."""
    old = str(last) if written == "number" else f"{last} or earlier"
    years = (year_of(value) for value in values)
    return [
        None if year is None else old if last is not None and year <= last else f"{year:04}" for year in years
    ]


def last_year_of(mask: object) -> int | None:
    """Return the latest year that a mask puts into the group of the oldest, or None where it has none."""
    return mask.last_year if isinstance(mask, Year | BirthYear) else None


@dataclass(frozen=True)
class Age90:
    """Ages over 89 are one group. ``written`` says how: as ``90+``, or as the number 90.

    >>> Age90().labels(["38", "89", "90", "104"], Secrets())
    ['38', '89', '90+', '90+']
    """

    written: Literal["words", "number"] = "words"
    name: ClassVar[str] = "age-90"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        return "ages over 89 are one group, 90+"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Put the old into one group."""
        ages = [(value, as_number(value)) for value in values]
        return [None if age is None else self._old() if age >= OLDEST else value for value, age in ages]

    def _old(self) -> str:
        return "90" if self.written == "number" else "90+"


@dataclass(frozen=True)
class Zip3:
    """Keep three digits of a US ZIP code, or 000 where at most 20,000 people share them."""

    name: ClassVar[str] = "zip3"
    keeps_apart: ClassVar[bool] = False
    repeats: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    partial: ClassVar[bool] = False

    def describe(self) -> str:
        """Say in words what is done."""
        return "reduced to three digits, 000 where at most 20,000 people share them (2020 Census)"

    def labels(self, values: Sequence[str], secrets: Secrets) -> list[str | None]:
        """Cut every code."""
        return [zip3(value) for value in values]
