"""How Spanish writes dates: months, weekdays, seasons and holidays, day before month."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from sfumato.text.dates import Calendar, listed
from sfumato.text.languages.en.calendar import easter

Holiday = Callable[[int | None], tuple[int, int | None]]

MONTHS = (
    ("enero", "ene"), ("febrero", "feb"), ("marzo", "mar"), ("abril", "abr"), ("mayo", "may"),
    ("junio", "jun"), ("julio", "jul"), ("agosto", "ago"), ("septiembre", "sep", "sept", "setiembre"),
    ("octubre", "oct"), ("noviembre", "nov"), ("diciembre", "dic"),
)  # fmt: skip
WEEKDAYS = (
    ("lunes",), ("martes",), ("miércoles", "miercoles"), ("jueves",), ("viernes",), ("sábado", "sabado"),
    ("domingo",),
)  # fmt: skip
SEASONS = (("invierno",), ("primavera",), ("verano",), ("otoño",))


def ordinal(day: int) -> str:
    """Return what follows the number of a day: 1º."""
    return "º"


def _fixed(month: int, day: int) -> Holiday:
    return lambda _: (month, day)


def _from_easter(days: int) -> Holiday:
    def found(year: int | None) -> tuple[int, int | None]:
        if year is None:
            return 4, None
        day = easter(year) + timedelta(days=days)
        return day.month, day.day

    return found


HOLIDAYS: dict[str, Holiday] = {
    "navidad": _fixed(12, 25), "nochebuena": _fixed(12, 24), "nochevieja": _fixed(12, 31),
    "año nuevo": _fixed(1, 1), "día de reyes": _fixed(1, 6), "día de todos los santos": _fixed(11, 1),
    "semana santa": _from_easter(-3), "jueves santo": _from_easter(-3), "viernes santo": _from_easter(-2),
    "domingo de ramos": _from_easter(-7), "domingo de resurrección": _from_easter(0),
    "miércoles de ceniza": _from_easter(-46),
}  # fmt: skip
"""by name, the month and the day; some need the year"""

CALENDAR = Calendar(
    months=MONTHS,
    weekdays=WEEKDAYS,
    seasons=SEASONS,
    holidays=HOLIDAYS,
    between=listed(
        "de del el la los las al a y en día dia días dias mes meses año años principios mediados finales "
        "fecha h hs horas"
    ),
    ordinal=ordinal,
    ordinals=frozenset(("º", "°", "er", "ero", "ro")),
    day_first=True,
)
"""what ``text/dates.py`` needs"""
