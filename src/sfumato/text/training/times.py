"""Dates and ages of notes, in the spellings of clinicians."""

from __future__ import annotations

from datetime import date, timedelta

from sfumato.text.kinds import Kind
from sfumato.text.training.people import patient_of
from sfumato.text.training.scribe import Scribe

_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_FULL = (
    *("{m}/{d}/{Y}",) * 7, *("{mm}/{dd}/{Y}",) * 7, *("{m}/{d}/{y}",) * 6, *("{mm}/{dd}/{y}",) * 3,
    *("{Y}-{mm}-{dd}",) * 6, *("{B} {d}, {Y}",) * 6, *("{b} {d}, {Y}",) * 3, *("{b} {d} {Y}",) * 2,
    *("{d} {B} {Y}",) * 3, *("{d} {b} {Y}",) * 3, *("{dd}-{b}-{Y}",) * 3, "{d}-{b}-{y}", "{dd}-{BB}-{Y}",
    *("{mm}-{dd}-{Y}",) * 2, "{m}-{d}-{y}", *("{dd}.{mm}.{Y}",) * 2, "{d}.{m}.{y}", "{dd}/{mm}/{Y}",
    "{Y}/{mm}/{dd}", "{B} {o}, {Y}", "{o} {B} {Y}", "the {o} of {B}, {Y}", "{A}, {B} {d}, {Y}", "{a} {m}/{d}/{y}",
    "{dd}{BB}{Y}", "{BB} {dd}, {Y}", "{Y}{mm}{dd}", "{B} {d} {Y}", "{b}. {d}, {Y}", "{m}.{d}.{y}", "{A} {d} {B} {Y}",
    "{Y}.{mm}.{dd}", "{b}-{dd}-{Y}", "{b}/{dd}/{Y}", "{d}/{b}/{Y}", "{mm}/{dd}/{Y}", "{o} of {B} {Y}", "{Bu} {d}, {Y}",
)  # fmt: skip
_PARTIAL = (
    *("{m}/{d}",) * 6, *("{B} {Y}",) * 4, *("{B} {d}",) * 3, "{b} {d}", "{d} {B}", "{d} {b}", "{b} {Y}", "{m}/{Y}",
    "{mm}/{Y}", "{B} {o}", "the {o} of {B}", "{b} '{y}", "{A}, {B} {d}", "{mm}/{dd}", "{o} {B}", "{B} of {Y}", "{B}, {Y}",
    "{a} {m}/{d}", "{b}-{y}", "{d}-{b}", "{Y}-{mm}", "{B}",
)  # fmt: skip
_RANGES = (("{m}/{d}", "{m}/{d}/{Y}"), ("{m}/{d}/{y}", "{m}/{d}/{y}"), ("{b} {d}", "{b} {d}, {Y}"), ("{d} {b}", "{d} {b} {Y}"))
_HOLIDAYS = (
    "Christmas", "Thanksgiving", "Easter", "New Year's Eve", "Labor Day", "Memorial Day", "Halloween", "Diwali",
    "the Fourth of July", "Christmas Eve", "Mother's Day", "New Year's Day", "Valentine's Day", "Passover", "Eid",
)  # fmt: skip
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _spelt(day: date, form: str) -> str:
    month, weekday = _MONTHS[day.month - 1], _DAYS[day.weekday()]
    return form.format(
        m=day.month, d=day.day, Y=day.year, mm=f"{day.month:02d}", dd=f"{day.day:02d}", y=f"{day.year % 100:02d}",
        B=month, b=month[:3], BB=month[:3].upper(), Bu=month.upper(), A=weekday, a=weekday[:3], o=_ordinal(day.day),
    )  # fmt: skip


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
    """Write a date: of the stay, ``dob``, ``past``, ``next``, ``partial``, ``year``, ``range``, ``stamp``, …"""
    today = _today(scribe)
    if form == "dob":
        _put(scribe, birthday(scribe), _form(scribe), "full")
    elif form == "today":
        _put(scribe, today, _form(scribe), "full")
    elif form == "past":
        earlier = today - timedelta(int(scribe.random() ** 2 * 9000) + 8)
        draw = scribe.random()
        if draw < 0.6:
            _put(scribe, earlier, _form(scribe), "full")
        elif draw < 0.8:
            _put(scribe, earlier, scribe.pick(_PARTIAL), "partial")
        else:
            scribe.mark(str(earlier.year), Kind.DATE, "year")
    elif form == "next":
        _put(scribe, today + timedelta(scribe.between(2, 200)), _form(scribe), "full")
    elif form == "partial":
        _put(scribe, today - timedelta(scribe.between(-30, 60)), scribe.pick(_PARTIAL), "partial")
    elif form == "md":
        _put(scribe, today - timedelta(scribe.between(-5, 9)), "{m}/{d}", "partial")
    elif form == "year":
        scribe.mark(str(today.year - scribe.between(0, 45)), Kind.DATE, "year")
    elif form == "month":
        _put(scribe, today - timedelta(scribe.between(0, 3000)), scribe.pick(("{B} {Y}", "{B}", "{b} {Y}", "{m}/{Y}")), "partial")
    elif form == "range":
        _range(scribe, today)
    elif form == "stamp":
        _put(scribe, today, _form(scribe), "full")
        scribe.say(scribe.pick((" ", " at ", " @ ", "  ", ", ", " ")) + clock(scribe))
    elif form == "weekday":
        scribe.mark(scribe.pick(_DAYS), Kind.DATE, "weekday")
    elif form == "holiday":
        name = scribe.pick(_HOLIDAYS)
        if name.startswith("the "):
            scribe.say("the ")
            name = name[4:]
        scribe.mark(name, Kind.DATE, "holiday")
    else:
        _put(scribe, today + timedelta(scribe.between(-9, 5)), _form(scribe), "full")


def _range(scribe: Scribe, today: date) -> None:
    first, second = scribe.pick(_RANGES)
    start = today - timedelta(scribe.between(2, 400))
    _put(scribe, start, first, "full" if "{Y}" in first or "{y}" in first else "partial")
    scribe.say(scribe.pick((" - ", "-", " to ", " through ", " – ")))
    _put(scribe, start + timedelta(scribe.between(1, 20)), second, "full")


def clock(scribe: Scribe) -> str:
    """Return a time of day, which by itself identifies nobody."""
    hour, minute = scribe.between(0, 23), scribe.between(0, 59)
    form = scribe.pick(("{h:02d}:{m:02d}", "{h:02d}{m:02d}", "{t}:{m:02d} {p}", "{t}:{m:02d}{p}", "{h:02d}:{m:02d} hrs", "{h:02d}{m:02d}h"))
    return form.format(h=hour, m=minute, t=hour % 12 or 12, p=("am", "PM")[hour > 11])


def birthday(scribe: Scribe) -> date:
    """Return the day of birth of the patient."""
    return scribe.recall(
        "birthday", lambda scribe: _today(scribe) - timedelta(365 * age_of(scribe) + scribe.between(30, 300))
    )


def age_of(scribe: Scribe) -> int:
    """Return the age of the patient: over 89 in a good share of notes."""
    return scribe.recall(
        "age",
        lambda scribe: scribe.between(90, 104) if scribe.chance(0.3) else scribe.between(1, 16) if scribe.chance(0.12) else scribe.between(17, 89),
    )


def _in_words(age: int, hyphen: str) -> str:
    if age >= 100:
        rest = age - 100
        return "one hundred" + (f" {scribe_joiner(rest)}" if rest else "")
    if age < len(_ONES):
        return _ONES[age]
    if age < 20:
        return ("seventeen", "eighteen", "nineteen")[age - 17]
    tens = _TENS[age // 10 - 2]
    return tens + (hyphen + _ONES[age % 10] if age % 10 else "")


def scribe_joiner(rest: int) -> str:
    """Return what comes after one hundred in an age in words."""
    return "and " + _ONES[rest]


_OLD = (
    *(("{}-year-old", True),) * 9, *(("{} year old", True),) * 6, *(("{} yo", True),) * 4, *(("{}yo", True),) * 4,
    *(("{} y/o", True),) * 4, ("{}y/o", True), ("{} y.o.", True), ("{}-year old", True), ("{} yr old", True),
    ("{} yr-old", True), ("{}-yo", True), ("{}{S}", False), ("{}y{S}", False), ("{} {S}", False), ("{} y {s}", False),
)  # fmt: skip
_FIELD = ("{}", "{}", "{}", "{}", "{} y", "{} years", "{} yrs", "{}y", "{} Years", "{} yo", "{}Y", "{} y.o.")


def write_age(scribe: Scribe, form: str) -> None:
    """Write the age of the patient: before a noun, as a ``field``, or a bare ``num``; ``kin`` is somebody else's."""
    age = age_of(scribe) if form != "kin" else scribe.between(3, 99)
    female = patient_of(scribe).female
    sex = "woman female lady F".split() if female else "man male gentleman M".split()
    if form == "num" or form == "kin":
        scribe.mark(str(age), Kind.AGE, "")
        return
    if form == "field":
        before, _, after = scribe.pick(_FIELD).partition("{}")
    else:
        spelling, noun = scribe.pick(_OLD)
        if spelling == "{}-year-old" and scribe.chance(0.12):
            number = _in_words(age, scribe.pick("- "))
            scribe.mark(number, Kind.AGE, "")
            scribe.say(scribe.pick(("-year-old ", " year old ")) + scribe.pick(sex[:3]))
            return
        before, _, after = spelling.partition("{}")
        after = after.format(S=sex[3], s=sex[3].lower()) + (" " + scribe.pick(sex) if noun else "")
    scribe.say(before)
    scribe.mark(str(age), Kind.AGE, "")
    scribe.say(after)
