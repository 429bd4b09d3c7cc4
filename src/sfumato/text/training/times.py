"""Dates and ages of notes, in the spellings of clinicians."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from sfumato.text.kinds import Kind
from sfumato.text.training.lists import listed
from sfumato.text.training.people import patient_of
from sfumato.text.training.scribe import Scribe

_MONTHS = listed("months")
_DAYS = listed("weekdays")
_CLOCKS = listed("clocks")
_OLD = listed("ages before nouns")
_FIELD = listed("ages in fields")
_FEMALE = ("F", "woman", "female", "lady")
_MALE = ("M", "man", "male", "gentleman")
_FULL = listed("full dates")
_PARTIAL = listed("partial dates")
_RANGES = (
    ("{m}/{d}", "{m}/{d}/{Y}"),
    ("{m}/{d}/{y}", "{m}/{d}/{y}"),
    ("{b} {d}", "{b} {d}, {Y}"),
    ("{d} {b}", "{d} {b} {Y}"),
)
_HOLIDAYS = listed("holidays")
_ONES = listed("ones")
_TENS = listed("tens")


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _spelt(day: date, form: str) -> str:
    month, weekday = _MONTHS[day.month - 1], _DAYS[day.weekday()]
    short = month[:3]
    return form.format(
        m=day.month,
        d=day.day,
        Y=day.year,
        mm=f"{day.month:02d}",
        dd=f"{day.day:02d}",
        y=f"{day.year % 100:02d}",
        o=_ordinal(day.day),
        B=month,
        b=short,
        BB=short.upper(),
        Bu=month.upper(),
        A=weekday,
        a=weekday[:3],
    )


def _today(scribe: Scribe) -> date:
    return scribe.recall("today", lambda scribe: date(1988, 1, 1) + timedelta(scribe.between(0, 14_600)))


def _form(scribe: Scribe) -> str:
    """Most dates of a note are written alike."""
    usual = scribe.recall("date form", lambda scribe: scribe.pick(_FULL))
    return usual if scribe.chance(0.7) else scribe.pick(_FULL)


def _put(scribe: Scribe, day: date, form: str, label: str) -> None:
    text = _spelt(day, form)
    if text.startswith("the "):
        scribe.say("the ")
        text = text[4:]
    scribe.mark(text, Kind.DATE, label)


def write_date(scribe: Scribe, form: str) -> None:
    """Write a date: of the stay, or ``dob``, ``past``, ``next``, ``partial``, ``year``, ``range``, …"""
    _DATES[form](scribe, _today(scribe))


def _stay(scribe: Scribe, today: date) -> None:
    _put(scribe, today + timedelta(scribe.between(-9, 5)), _form(scribe), "full")


def _past(scribe: Scribe, today: date) -> None:
    earlier = today - timedelta(int(scribe.random() ** 2 * 9000) + 8)
    draw = scribe.random()
    if draw < 0.6:
        _put(scribe, earlier, _form(scribe), "full")
    elif draw < 0.8:
        _put(scribe, earlier, scribe.pick(_PARTIAL), "partial")
    else:
        scribe.mark(str(earlier.year), Kind.DATE, "year")


def _stamp(scribe: Scribe, today: date) -> None:
    _put(scribe, today, _form(scribe), "full")
    scribe.say(scribe.pick((" ", " at ", " @ ", "  ", ", ", " ")) + clock(scribe))


def _holiday(scribe: Scribe, today: date) -> None:
    name = scribe.pick(_HOLIDAYS)
    if name.startswith("the "):
        scribe.say("the ")
        name = name[4:]
    scribe.mark(name, Kind.DATE, "holiday")


def _partial(forms: tuple[str, ...], least: int, most: int) -> Callable[[Scribe, date], None]:
    """Write a date without its year or day, some days before the note was written."""

    def write(scribe: Scribe, today: date) -> None:
        _put(scribe, today - timedelta(scribe.between(least, most)), scribe.pick(forms), "partial")

    return write


def _range(scribe: Scribe, today: date) -> None:
    first, second = scribe.pick(_RANGES)
    start = today - timedelta(scribe.between(2, 400))
    _put(scribe, start, first, "full" if "{Y}" in first or "{y}" in first else "partial")
    scribe.say(scribe.pick((" - ", "-", " to ", " through ", " – ")))
    _put(scribe, start + timedelta(scribe.between(1, 20)), second, "full")


_DATES: dict[str, Callable[[Scribe, date], None]] = {
    "": _stay,
    "dob": lambda scribe, today: _put(scribe, birthday(scribe), _form(scribe), "full"),
    "today": lambda scribe, today: _put(scribe, today, _form(scribe), "full"),
    "past": _past,
    "next": lambda scribe, today: _put(
        scribe, today + timedelta(scribe.between(2, 200)), _form(scribe), "full"
    ),
    "partial": _partial(_PARTIAL, -30, 60),
    "md": _partial(("{m}/{d}",), -5, 9),
    "month": _partial(("{B} {Y}", "{B}", "{b} {Y}", "{m}/{Y}"), 0, 3000),
    "year": lambda scribe, today: scribe.mark(str(today.year - scribe.between(0, 45)), Kind.DATE, "year"),
    "range": _range,
    "stamp": _stamp,
    "weekday": lambda scribe, today: scribe.mark(scribe.pick(_DAYS), Kind.DATE, "weekday"),
    "holiday": _holiday,
}


def clock(scribe: Scribe) -> str:
    """Return a time of day, which by itself identifies nobody."""
    hour, minute = scribe.between(0, 23), scribe.between(0, 59)
    form = scribe.pick(_CLOCKS)
    return form.format(h=hour, m=minute, t=hour % 12 or 12, p=("am", "PM")[hour > 11])


def birthday(scribe: Scribe) -> date:
    """Return the day of birth of the patient."""
    return scribe.recall(
        "birthday", lambda scribe: _today(scribe) - timedelta(365 * age_of(scribe) + scribe.between(30, 300))
    )


def age_of(scribe: Scribe) -> int:
    """Return the age of the patient: over 89 in a good share of notes."""
    return scribe.recall("age", _drawn_age)


def _drawn_age(scribe: Scribe) -> int:
    draw = scribe.random()
    if draw < 0.3:
        return scribe.between(90, 104)
    return scribe.between(1, 16) if draw < 0.4 else scribe.between(17, 89)


def _in_words(age: int, hyphen: str) -> str:
    if age >= 100:
        return "one hundred" + (f" and {_ONES[age - 100]}" if age > 100 else "")
    if age < len(_ONES):
        return _ONES[age]
    if age < 20:
        return ("seventeen", "eighteen", "nineteen")[age - 17]
    tens = _TENS[age // 10 - 2]
    return tens + (hyphen + _ONES[age % 10] if age % 10 else "")


def write_age(scribe: Scribe, form: str) -> None:
    """Write the age of the patient: before a noun, as a ``field``, bare (``num``); or of ``kin``."""
    age = str(scribe.between(3, 99) if form == "kin" else age_of(scribe))
    letter, *nouns = _FEMALE if patient_of(scribe).female else _MALE
    if form in ("num", "kin"):
        spelling = "{}"
    elif form == "field":
        spelling = scribe.pick(_FIELD)
    else:
        spelling = scribe.pick(_OLD)
        if spelling == "{}-year-old {n}" and scribe.chance(0.12):
            age = _in_words(int(age), scribe.pick("- "))
    before, _, after = spelling.partition("{}")
    scribe.say(before)
    scribe.mark(age, Kind.AGE, "")
    scribe.say(after.format(n=scribe.pick((letter, *nouns)), S=letter, s=letter.lower()))
