"""The same terms on both sides: a release and an identified file rarely write values alike.

What is done, and said in a note whenever it is done:

- Numbers are compared as numbers: the text ``02142``, the whole number 2142 and 2142.0 are the same.
- Dates are compared as days: ``9/15/61``, ``09/15/1961``, ``15.9.1961``, ``15 Sep 1961`` and ``1961-09-15``.
  With slashes or dashes the order of day and month is the one that the column itself shows (a part beyond
  12 is a day); a column that does not show it follows the other side if that is written in the same way,
  and is else an error: it is never guessed. With dots the day comes first. Two-digit years lie in the
  hundred years up to the latest year that either side writes with four digits.
- Texts are compared as they are, and without case and outer spaces only if nothing agrees otherwise.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.core.errors import BadInput

_PARTS = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?")
_NAMED = re.compile(r"(\d{1,2})[-. ]+([A-Za-z]{3,9})[-., ]+(\d{4}|\d{2})")
_NAMED_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4}|\d{2})")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LAST_YEAR = 2030
"""of two-digit years where no year is written in full: both sides are then read alike, whatever it is"""


@dataclass(frozen=True)
class Terms:
    """Values of the identified file and labels of the release, brought to the same terms."""

    values: list[Any]
    labels: list[Any]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Spelt:
    """A date as written: year, the two other parts, and whether their order is open."""

    year: int
    first: int
    second: int
    digits: int
    open: bool
    """whether day and month may be meant either way; else ``first`` is the month"""
    iso: bool = False


def same_terms(
    column: str, values: Sequence[Any], labels: Sequence[Any], *, day_first: bool | None = None
) -> Terms:
    """Bring the distinct values of both sides to the same terms.

    >>> same_terms("born", ["9/15/61"], ["09/15/61", "1960", "1961-09-15", "*"]).values
    [datetime.date(1961, 9, 15)]
    """
    own, others = ([_spelt(value) for value in side] for side in (values, labels))
    if all(found is None or found.iso for found in (*own, *others)):
        return Terms(list(values), list(labels))
    present = [i for i, value in enumerate(values) if value is not None]
    dated = sum(own[i] is not None or isinstance(values[i], dt.date) for i in present)
    if 2 * dated < len(present) or not present:
        return Terms(list(values), list(labels))
    notes: list[str] = []
    orders = _orders(column, own, others, day_first, notes)
    last = max(
        (year for side, raw in ((own, values), (others, labels)) for year in _full_years(side, raw)),
        default=_LAST_YEAR,
    )
    if any(found is not None and found.digits <= 2 for found in (*own, *others)):
        notes.append(f"two-digit years of '{column}' are taken from {last - 99} to {last}")
    return Terms(
        [_day(value, found, orders[0], last) for value, found in zip(values, own, strict=True)],
        [_day(value, found, orders[1], last) for value, found in zip(labels, others, strict=True)],
        tuple(notes),
    )


def _spelt(value: Any) -> _Spelt | None:
    if not isinstance(value, str):
        return None
    text = value.strip()
    if found := _PARTS.fullmatch(text):
        a, mark, b, c = found[1], found[2], found[3], found[4]
        if len(a) == 4:
            iso = mark == "-" and len(text) == 10 and len(b) == len(c) == 2
            return _Spelt(int(a), int(b), int(c), 4, open=False, iso=iso) if len(c) <= 2 else None
        if len(a) > 2 or len(c) == 1 or len(c) == 3:
            return None
        if mark == ".":
            return _Spelt(int(c), int(b), int(a), len(c), open=False)
        return _Spelt(int(c), int(a), int(b), len(c), open=True)
    if found := _NAMED.fullmatch(text):
        day, name, year = found[1], found[2], found[3]
    elif found := _NAMED_FIRST.fullmatch(text):
        name, day, year = found[1], found[2], found[3]
    else:
        return None
    month = name[:3].lower()
    if month not in _MONTHS:
        return None
    return _Spelt(int(year), _MONTHS.index(month) + 1, int(day), len(year), open=False)


def _orders(
    column: str,
    own: Iterable[_Spelt | None],
    others: Iterable[_Spelt | None],
    day_first: bool | None,
    notes: list[str],
) -> tuple[bool, bool]:
    """Say for both sides whether the day comes first."""
    sides = [[found for found in side if found is not None and found.open] for side in (own, others)]
    if day_first is not None:
        return day_first, day_first
    shown = [_order(column, side) for side in sides]
    for i in (0, 1):
        if not sides[i] or shown[i] is not None:
            continue
        if not sides[1 - i] and any(found.first != found.second for found in sides[i]):
            raise BadInput(
                "no date of it shows whether day or month comes first",
                where=f"column '{column}'",
                remedy="write dates as 2024-02-29, or say 'day_first' true or false",
            )
        notes.append(f"day and month of '{column}' are taken in the same order on both sides")
        shown[i] = shown[1 - i] or False
    return bool(shown[0]), bool(shown[1])


def _order(column: str, side: Sequence[_Spelt]) -> bool | None:
    day_first = any(found.first > 12 for found in side)
    month_first = any(found.second > 12 for found in side)
    if day_first and month_first:
        raise BadInput(
            "some of its dates begin with the day and some with the month",
            where=f"column '{column}'",
            remedy="write dates as 2024-02-29",
        )
    return day_first if day_first or month_first else None


def _full_years(side: Sequence[_Spelt | None], raw: Sequence[Any]) -> Iterable[int]:
    for found, value in zip(side, raw, strict=True):
        if found is not None:
            if found.digits == 4:
                yield found.year
        elif isinstance(value, dt.date):
            yield value.year
        elif isinstance(value, str):
            yield from (int(year) for year in _YEAR.findall(value))


def _day(value: Any, found: _Spelt | None, day_first: bool, last: int) -> Any:
    """Return the day that was meant, or the value itself where it is no date."""
    if found is None:
        return value
    month, day = (found.second, found.first) if found.open and day_first else (found.first, found.second)
    year = found.year
    if found.digits <= 2:
        year += last - last % 100
        year -= 100 if year > last else 0
    try:
        return dt.date(year, month, day)
    except ValueError:
        return value
