"""Slots of the half ``unseen``: the mechanics of ``held`` with other people, places and forms of dates."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable

from sfumato.text.kinds import Kind
from tests.text.corpus.held import HELD_SLOTS, HeldCase
from tests.text.corpus.people import DATA, Person, sections
from tests.text.corpus.slots import MONTHS, Case, Slot

WORDS = {
    name: body.replace("\n", " ").strip().split(", ")
    for name, body in sections(DATA / "unseen_words.txt").items()
}


def _month(day: dt.date) -> str:
    return MONTHS[day.month - 1]


FORMATS: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{d.month}/{d.day}/{d.year}",
    lambda d: f"{d:%m/%d/%y}",
    lambda d: f"{d:%m/%d/%Y}",
    lambda d: d.isoformat(),
    lambda d: f"{_month(d)} {d.day}, {d.year}",
    lambda d: f"{d.day} {_month(d)} {d.year}",
    lambda d: f"{d.day:02d}-{_month(d)[:3]}-{d.year}",
    lambda d: f"{_month(d)[:3]} {d.day} {d.year}",
    lambda d: f"{_month(d)[:3]}{'' if d.month == 5 else '.'} {d.day}, {d.year}",
    lambda d: f"{d:%m.%d.%Y}",
    lambda d: f"{d:%m-%d-%Y}",
    lambda d: f"{d.day} {_month(d)[:3]} {d.year}",
)
SHORTER: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"{_month(d)} {d.year}",
)


def family(chance: random.Random) -> str:
    """Draw a family name: one in eight is a common word or an eponym, three in ten are American."""
    draw = chance.random()
    if draw < 0.125:
        return chance.choice(WORDS["ambiguous families"])
    return chance.choice(WORDS["us families" if draw < 0.425 else "families"])


def person(chance: random.Random) -> Person:
    """Draw a person; one given name in twelve is a common word."""
    female = chance.random() < 0.5
    given = chance.choice(WORDS["women" if female else "men"])
    if chance.random() < 1 / 12:
        given = chance.choice(WORDS["ambiguous given"])
    return Person(given, family(chance), chance.choice("ABCDEFGHJKLMNPRSTVW"), female)


def hospital(chance: random.Random, town: str) -> str:
    """Draw a hospital."""
    name = family(chance)
    return chance.choice(
        (
            f"{town} General Hospital",
            f"{town} Regional Health System",
            f"{town} Medical Center",
            f"{name} Memorial Hospital",
            f"{name} Rehabilitation Center",
            f"{name} Medical Center",
            f"Mercy {town} Clinic",
            f"VA {town}",
            f"St. {chance.choice(WORDS['saints'])} Hospital",
            f"University Hospital of {town}",
        )
    )


def employer(chance: random.Random) -> str:
    """Draw a company that is named after its founders."""
    one, two, three = chance.sample(WORDS["us families"], 3)
    return chance.choice(
        (
            f"{one}-{two}",
            f"{one}, {two} and {three}",
            f"{one} Ltd",
            f"{one} Inc",
            f"{one} PLC",
            f"{one} Group",
            f"{one} LLC",
            f"{one} and Sons",
        )
    )


class UnseenCase(HeldCase):
    """One story, told with the words of this half."""

    def __post_init__(self) -> None:
        super().__post_init__()
        chance = self.chance
        self.patient, self.doctor, self.second, self.nurse, kin = (person(chance) for _ in range(5))
        self.relative = Person(kin.first, self.patient.last, kin.middle, kin.female)
        self.town = chance.choice(WORDS["towns"])
        self.state = chance.choice(WORDS["states"])
        self.hospital = hospital(chance, self.town)

    def written(self, day: dt.date) -> str:
        """Write a day, one time in eight without its year or without its day."""
        return self.chance.choice(SHORTER if self.chance.random() < 0.125 else FORMATS)(day)


def _full(case: Case, day: dt.date) -> str:
    return case.chance.choice(FORMATS)(day)


def _street(case: Case) -> str:
    chance = case.chance
    first = chance.choice(WORDS["women"] + WORDS["men"])
    name = chance.choice((first, chance.choice(WORDS["us families"]), family(chance)))
    unit = chance.choice(
        ("", "", "", f" Apt {case.digits(2)}", f" Apt. {case.digits(3)}", f" Suite {case.digits(3)}")
    )
    return f"{case.digits(chance.choice((3, 4, 5)))} {name} {chance.choice(WORDS['streets'])}{unit}"


def _child_born(case: Case) -> dt.date:
    assert isinstance(case, HeldCase)
    return case.day - dt.timedelta(days=case.child * 365 + 75)


_OWN: dict[str, Slot] = {
    "mother_lower": (
        Kind.NAME,
        "patient",
        lambda c: f"{c.chance.choice(WORDS['women'])} {c.patient.last}".lower(),
    ),
    "partner": (Kind.NAME, "relative", lambda c: c.chance.choice(WORDS["men"])),
    "nurse_last": (Kind.NAME, "doctor", lambda c: c.nurse.last),
    "dob": (Kind.DATE, "full", lambda c: _full(c, c.born())),
    "child_dob": (Kind.DATE, "full", lambda c: _full(c, _child_born(c))),
    "street": (Kind.LOCATION, "street", _street),
    "other_town": (Kind.LOCATION, "city", lambda c: c.chance.choice(WORDS["towns"])),
    "other_hospital": (
        Kind.LOCATION,
        "hospital",
        lambda c: hospital(c.chance, c.chance.choice(WORDS["towns"])),
    ),
    "employer": (Kind.LOCATION, "organisation", lambda c: employer(c.chance)),
    "school": (
        Kind.LOCATION,
        "organisation",
        lambda c: c.chance.choice((f"{c.town} Middle School", f"{family(c.chance)} Elementary School")),
    ),
    "practice": (Kind.LOCATION, "hospital", lambda c: f"{c.town} Pediatrics"),
    "dialysis_unit": (Kind.LOCATION, "hospital", lambda c: f"{c.town} Dialysis"),
    "pharmacy": (
        Kind.LOCATION,
        "organisation",
        lambda c: c.chance.choice((f"{family(c.chance)} Pharmacy", f"{c.town} Pharmacy")),
    ),
    "nursing_home": (
        Kind.LOCATION,
        "organisation",
        lambda c: c.chance.choice((f"{family(c.chance)} Nursing Home", f"{c.town} Care Center")),
    ),
    "funeral_home": (Kind.LOCATION, "organisation", lambda c: f"{family(c.chance)} Funeral Home"),
    "job": (Kind.ID, "other", lambda c: c.digits(7)),
    "user": (Kind.ID, "other", lambda c: f"{c.letters(2).lower()}{c.digits(4)}"),
    "mother_age": (Kind.AGE, "", lambda c: str(c.chance.randrange(19, 44))),
    "him": (None, "", lambda c: "her" if c.patient.female else "him"),
    "nurse_title": (None, "", lambda c: "Ms." if c.nurse.female else "Mr."),
}
UNSEEN_SLOTS: dict[str, Slot] = {**HELD_SLOTS, **_OWN}
