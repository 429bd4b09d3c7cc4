"""How English writes dates: months, weekdays, seasons and holidays, month before day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from sfumato.text.dates import Calendar, listed

Holiday = Callable[[int | None], tuple[int, int | None]]

MONTHS = (
    ("January", "Jan"), ("February", "Feb"), ("March", "Mar"), ("April", "Apr"), ("May",), ("June", "Jun"),
    ("July", "Jul"), ("August", "Aug"), ("September", "Sep", "Sept"), ("October", "Oct"),
    ("November", "Nov"), ("December", "Dec"),
)  # fmt: skip
WEEKDAYS = (
    ("Monday", "Mon"), ("Tuesday", "Tue", "Tues"), ("Wednesday", "Wed", "Weds"),
    ("Thursday", "Thu", "Thurs", "Thur"), ("Friday", "Fri"), ("Saturday", "Sat"), ("Sunday", "Sun"),
)  # fmt: skip
SEASONS = (("winter",), ("spring",), ("summer",), ("autumn", "fall"))


def ordinal(day: int) -> str:
    """Return what follows the number of a day.

    >>> [f"{day}{ordinal(day)}" for day in (1, 2, 3, 4, 11, 12, 13, 21, 31)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '31st']
    """
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def easter(year: int) -> date:
    """Return Easter Sunday (Butcher's Ecclesiastical Calendar, 1876).

    >>> easter(2020), easter(2024)
    (datetime.date(2020, 4, 12), datetime.date(2024, 3, 31))
    """
    golden, (century, rest) = year % 19, divmod(year, 100)
    leaps, left = divmod(century, 4)
    moon = (19 * golden + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * left + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _fixed(month: int, day: int) -> Holiday:
    return lambda _: (month, day)


def _weekday_of(month: int, weekday: int, which: int) -> Holiday:
    """Return the holiday on the first (1), second, ... or last (-1) such weekday of a month."""

    def found(year: int | None) -> tuple[int, int | None]:
        if year is None:
            return month, None
        if which > 0:
            first = date(year, month, 1)
            return month, 1 + (weekday - first.weekday()) % 7 + 7 * (which - 1)
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return month, last.day - (last.weekday() - weekday) % 7

    return found


def _from_easter(days: int) -> Holiday:
    def found(year: int | None) -> tuple[int, int | None]:
        if year is None:
            return 4, None
        day = easter(year) + timedelta(days=days)
        return day.month, day.day

    return found


def _unplaced(_: int | None) -> tuple[int, int | None]:
    """Return no month of any year: a feast by the moon tells a time, and its day is not computed here."""
    return 0, None


_CHRISTMAS, _NEW_YEAR, _JULY = _fixed(12, 25), _fixed(1, 1), _fixed(7, 4)
HOLIDAYS: dict[str, Holiday] = {
    "christmas": _CHRISTMAS, "christmas day": _CHRISTMAS, "xmas": _CHRISTMAS,
    "christmas eve": _fixed(12, 24), "boxing day": _fixed(12, 26),
    "new year's": _NEW_YEAR, "new years": _NEW_YEAR, "new year\u2019s": _NEW_YEAR,
    "new year's day": _NEW_YEAR, "new years day": _NEW_YEAR, "new year's eve": _fixed(12, 31),
    "new years eve": _fixed(12, 31), "new year\u2019s day": _NEW_YEAR, "new year\u2019s eve": _fixed(12, 31),
    "kwanzaa": _fixed(12, 26), "hanukkah": _unplaced, "chanukah": _unplaced, "passover": _unplaced,
    "rosh hashanah": _unplaced, "yom kippur": _unplaced, "sukkot": _unplaced, "ramadan": _unplaced,
    "eid al-fitr": _unplaced, "eid al-adha": _unplaced, "diwali": _unplaced, "mardi gras": _unplaced,
    "lunar new year": _unplaced, "chinese new year": _unplaced,
    "valentine's day": _fixed(2, 14), "valentines day": _fixed(2, 14), "st. patrick's day": _fixed(3, 17),
    "st patrick's day": _fixed(3, 17), "cinco de mayo": _fixed(5, 5), "juneteenth": _fixed(6, 19),
    "independence day": _JULY, "fourth of july": _JULY, "halloween": _fixed(10, 31),
    "veterans day": _fixed(11, 11), "veteran's day": _fixed(11, 11),
    "thanksgiving": _weekday_of(11, 3, 4), "thanksgiving day": _weekday_of(11, 3, 4),
    "labor day": _weekday_of(9, 0, 1), "memorial day": _weekday_of(5, 0, -1),
    "mother's day": _weekday_of(5, 6, 2), "mothers day": _weekday_of(5, 6, 2),
    "father's day": _weekday_of(6, 6, 3), "fathers day": _weekday_of(6, 6, 3),
    "martin luther king day": _weekday_of(1, 0, 3), "mlk day": _weekday_of(1, 0, 3),
    "presidents day": _weekday_of(2, 0, 3), "presidents' day": _weekday_of(2, 0, 3),
    "columbus day": _weekday_of(10, 0, 2),
    "easter": _from_easter(0), "easter sunday": _from_easter(0), "good friday": _from_easter(-2),
    "easter monday": _from_easter(1), "palm sunday": _from_easter(-7), "ash wednesday": _from_easter(-46),
}  # fmt: skip
"""by name, the month and the day; some need the year"""

_FIRST = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
DAY_WORDS = listed(
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
    "twentieth thirtieth thirty-first"
).union(_FIRST, ("thirty first",), (f"twenty{joint}{word}" for joint in "- " for word in _FIRST))
"""the days of a month in words"""

CALENDAR = Calendar(
    months=MONTHS,
    weekdays=WEEKDAYS,
    seasons=SEASONS,
    holidays=HOLIDAYS,
    between=listed(
        "of day the on in at to and through thru t early late mid hrs hours hr h est edt cst cdt mst mdt pst "
        "pdt utc gmt z am pm"
    ),
    ordinal=ordinal,
    ordinals=frozenset(("st", "nd", "rd", "th")),
    day_words=DAY_WORDS,
    day_first=False,
)
"""what ``text/dates.py`` needs"""
