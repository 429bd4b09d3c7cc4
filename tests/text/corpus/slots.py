"""What stands in the slots of templates: each slot has a kind, a label and a way to draw its text."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from sfumato.text.kinds import Kind
from tests.text.corpus.people import WORDS, Person, family, invented, person

TOWNS, STATES, STREETS, TREES = (WORDS[name] for name in ("towns", "states", "streets", "trees"))
MONTHS = [f"{dt.date(2000, month, 1):%B}" for month in range(1, 13)]


def _ordinal(day: int) -> str:
    ending = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


FORMATS: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{d.month}/{d.day}/{d.year}",
    lambda d: f"{d:%m/%d/%y}",
    lambda d: f"{d:%m/%d/%Y}",
    lambda d: d.isoformat(),
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{d.day:02d}-{MONTHS[d.month - 1][:3]}-{d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]} {d.day} {d.year}",
    lambda d: f"{d:%m.%d.%Y}",
    lambda d: f"{d:%d.%m.%y}",
    lambda d: f"{MONTHS[d.month - 1][:3]}. {d.day}, {d.year}",
    lambda d: f"{_ordinal(d.day)} of {MONTHS[d.month - 1]}, {d.year}",
    lambda d: f"{d.day:02d}{MONTHS[d.month - 1][:3].upper()}{d.year}",
    lambda d: f"{d:%m-%d-%Y}",
    lambda d: f"{d:%Y/%m/%d}",
)
PARTIAL: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"{MONTHS[d.month - 1]} {_ordinal(d.day)}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}",
    lambda d: f"{d.day} {MONTHS[d.month - 1][:3]}",
    lambda d: f"the {_ordinal(d.day)} of {MONTHS[d.month - 1]}".removeprefix("the "),
    lambda d: f"{d:%m/%Y}",
)


@dataclass
class Case:
    """One story: people, places and days that return in a note."""

    chance: random.Random
    patient: Person = field(init=False)
    doctor: Person = field(init=False)
    second: Person = field(init=False)
    nurse: Person = field(init=False)
    relative: Person = field(init=False)
    town: str = field(init=False)
    state: str = field(init=False)
    hospital: str = field(init=False)
    day: dt.date = field(init=False)
    age: int = field(init=False)

    def __post_init__(self) -> None:
        chance = self.chance
        self.patient, self.doctor, self.second, self.nurse, kin = (person(chance) for _ in range(5))
        self.relative = Person(kin.first, self.patient.last, kin.middle, kin.female)
        self.town = chance.choice(TOWNS) if chance.random() < 0.85 else f"{invented(chance)}ville"
        self.state = chance.choice(STATES)
        self.hospital = _hospital(chance, self.town)
        self.day = dt.date(1998, 1, 1) + dt.timedelta(days=chance.randrange(9800))
        self.age = chance.randrange(90, 105) if chance.random() < 0.3 else chance.randrange(1, 90)

    def digits(self, many: int) -> str:
        """Draw digits, the first of which is not 0."""
        return str(self.chance.randrange(10 ** (many - 1), 10**many))

    def letters(self, many: int) -> str:
        """Draw capital letters."""
        return "".join(self.chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(many))

    def later(self, most: int = 20) -> dt.date:
        """Return a day soon after that of the note."""
        return self.day + dt.timedelta(days=self.chance.randrange(1, most))

    def born(self) -> dt.date:
        """Return a birthday that fits the age."""
        return self.day - dt.timedelta(days=self.age * 365 + self.chance.randrange(20, 340))

    def written(self, day: dt.date) -> str:
        """Write a day in one of the many ways."""
        return self.chance.choice(FORMATS)(day)


def _hospital(chance: random.Random, town: str) -> str:
    name = family(chance)
    return chance.choice(
        (
            f"{town} General Hospital",
            f"{town} Community Medical Center",
            f"St. {chance.choice(('Luke', 'Brigid', 'Vincent', 'Anne'))}'s Hospital",
            f"{name} Memorial Hospital",
            f"{name} Cancer Institute",
            f"Children's Hospital of {town}",
            f"University of {town} Health",
            f"VA {town}",
            f"{town} Family Practice",
            f"{name} Surgical Associates",
            f"Our Lady of Mercy Infirmary, {town}",
            f"{town} Kidney Clinic",
        )
    )


def _employer(case: Case) -> str:
    one, two, three = (family(case.chance) for _ in range(3))
    return case.chance.choice(
        (
            f"{one}-{two}".replace(" ", ""),
            f"{one} Ltd",
            f"{one} Inc",
            f"{one}, {two} and {three}",
            f"{one} & Sons",
            f"{one} Trucking LLC",
            f"{case.town} Unified School District",
            f"Blue Heron {case.chance.choice(('Logistics', 'Bakery', 'Foundry'))}",
            f"{one} Group",
            f"{one} PLC",
        )
    )


def _street(case: Case) -> str:
    name = case.chance.choice(TREES) if case.chance.random() < 0.5 else family(case.chance)
    unit = case.chance.choice(
        ("", "", "", f" Apt {case.digits(2)}", f" #{case.digits(2)}", f", Unit {case.digits(1)}B")
    )
    return f"{case.digits(case.chance.choice((2, 3, 4, 5)))} {name} {case.chance.choice(STREETS)}{unit}"


def _phone(case: Case) -> str:
    area, middle, last = case.digits(3), case.digits(3), f"{case.chance.randrange(10**4):04d}"
    return case.chance.choice(
        (
            f"({area}) {middle}-{last}",
            f"{area}-{middle}-{last}",
            f"{area}.{middle}.{last}",
            f"+1 {area} {middle} {last}",
            f"1-{area}-{middle}-{last}",
            f"{area} {middle} {last}",
            f"{area}-{middle}-{last} ext. {case.digits(3)}",
            f"{area}-{middle}-{last} x{case.digits(4)}",
        )
    )


def _mrn(case: Case) -> str:
    return case.chance.choice(
        (
            case.digits(7),
            case.digits(8),
            f"{case.digits(3)}-{case.digits(2)}-{case.digits(2)}",
            f"MRN{case.digits(6)}",
            f"{case.letters(1)}{case.digits(7)}",
            f"{case.digits(2)}-{case.digits(5)}",
        )
    )


def _accession(case: Case) -> str:
    year = f"{case.day:%y}"
    return case.chance.choice(
        (
            f"S{year}-{case.digits(5)}",
            f"{case.letters(2)}-{year}-{case.digits(5)}",
            f"{case.letters(2)}{case.digits(8)}",
            f"{case.letters(1)}{year}:{case.digits(4)}",
        )
    )


def _mail(case: Case, who: Person) -> str:
    plain = "".join(letter for letter in who.full.lower() if letter.isascii() and letter.isalpha())
    house = case.chance.choice(("example.com", "mail.example.org", "clinic.example.net"))
    return f"{plain}{case.digits(2)}@{house}"


Slot = tuple[Kind | None, str, Callable[[Case], str]]

SLOTS: dict[str, Slot] = {
    "patient": (Kind.NAME, "patient", lambda c: c.patient.full),
    "patient_middle": (
        Kind.NAME,
        "patient",
        lambda c: f"{c.patient.first} {c.patient.middle}. {c.patient.last}",
    ),
    "patient_first": (Kind.NAME, "patient", lambda c: c.patient.first),
    "patient_last": (Kind.NAME, "patient", lambda c: c.patient.last),
    "patient_last_first": (
        Kind.NAME,
        "patient",
        lambda c: f"{c.patient.last}, {c.patient.first} {c.patient.middle}",
    ),
    "patient_upper": (
        Kind.NAME,
        "patient",
        lambda c: f"{c.patient.last}, {c.patient.first} {c.patient.middle}".upper(),
    ),
    "patient_upper_full": (Kind.NAME, "patient", lambda c: c.patient.full.upper()),
    "patient_lower": (Kind.NAME, "patient", lambda c: c.patient.full.lower()),
    "patient_first_lower": (Kind.NAME, "patient", lambda c: c.patient.first.lower()),
    "patient_initials": (Kind.NAME, "initials", lambda c: c.patient.initials),
    "doctor": (Kind.NAME, "doctor", lambda c: c.doctor.full),
    "doctor_first": (Kind.NAME, "doctor", lambda c: c.doctor.first),
    "patient_last_lower": (Kind.NAME, "patient", lambda c: c.patient.last.lower()),
    "doctor_last": (Kind.NAME, "doctor", lambda c: c.doctor.last),
    "doctor_last_lower": (Kind.NAME, "doctor", lambda c: c.doctor.last.lower()),
    "doctor_short": (Kind.NAME, "doctor", lambda c: f"{c.doctor.first[0]}. {c.doctor.last}"),
    "doctor_last_first": (Kind.NAME, "doctor", lambda c: f"{c.doctor.last}, {c.doctor.first}"),
    "doctor_initials": (Kind.NAME, "initials", lambda c: c.doctor.initials),
    "second": (Kind.NAME, "doctor", lambda c: c.second.full),
    "second_last": (Kind.NAME, "doctor", lambda c: c.second.last),
    "second_short": (Kind.NAME, "doctor", lambda c: f"{c.second.first[0]}. {c.second.last}"),
    "second_upper": (Kind.NAME, "doctor", lambda c: c.second.full.upper()),
    "nurse": (Kind.NAME, "doctor", lambda c: c.nurse.full),
    "nurse_first": (Kind.NAME, "doctor", lambda c: c.nurse.first),
    "nurse_initials": (Kind.NAME, "initials", lambda c: c.nurse.initials),
    "relative": (Kind.NAME, "relative", lambda c: c.relative.full),
    "relative_first": (Kind.NAME, "relative", lambda c: c.relative.first),
    "relative_first_lower": (Kind.NAME, "relative", lambda c: c.relative.first.lower()),
    "date": (Kind.DATE, "full", lambda c: c.written(c.day)),
    "later": (Kind.DATE, "full", lambda c: c.written(c.later())),
    "earlier": (Kind.DATE, "full", lambda c: c.written(c.day - dt.timedelta(c.chance.randrange(30, 900)))),
    "partial": (Kind.DATE, "partial", lambda c: c.chance.choice(PARTIAL)(c.later(200))),
    "short_date": (Kind.DATE, "partial", lambda c: f"{(d := c.later()).month}/{d.day}"),
    "dob": (Kind.DATE, "full", lambda c: c.written(c.born())),
    "age": (Kind.AGE, "", lambda c: str(c.age)),
    "street": (Kind.LOCATION, "street", _street),
    "town": (Kind.LOCATION, "city", lambda c: c.town),
    "other_town": (Kind.LOCATION, "city", lambda c: c.chance.choice(TOWNS)),
    "zip": (Kind.LOCATION, "zip", lambda c: c.digits(5)),
    "hospital": (Kind.LOCATION, "hospital", lambda c: c.hospital),
    "other_hospital": (Kind.LOCATION, "hospital", lambda c: _hospital(c.chance, c.chance.choice(TOWNS))),
    "employer": (Kind.LOCATION, "organisation", _employer),
    "phone": (Kind.PHONE, "phone", _phone),
    "local_phone": (Kind.PHONE, "phone", lambda c: f"{c.digits(3)}-{c.digits(4)}"),
    "fax": (Kind.PHONE, "fax", _phone),
    "pager": (Kind.ID, "pager", lambda c: c.digits(c.chance.choice((4, 5)))),
    "email": (Kind.EMAIL, "", lambda c: _mail(c, c.patient)),
    "doctor_email": (Kind.EMAIL, "", lambda c: _mail(c, c.doctor)),
    "url": (
        Kind.URL,
        "",
        lambda c: (
            c.chance.choice(("https://", "http://", "www."))
            + c.chance.choice(("portal.example.org", "records.example.com", "myhealth.example.net"))
            + f"/{c.chance.choice(('visit', 'r', 'patient'))}/{c.digits(6)}"
        ),
    ),
    "ip": (
        Kind.IP,
        "",
        lambda c: ".".join(str(c.chance.randrange(1, 255)) for _ in range(4)),
    ),
    "ssn": (Kind.SSN, "", lambda c: f"{c.digits(3)}-{c.digits(2)}-{c.digits(4)}"),
    "mrn": (Kind.ID, "mrn", _mrn),
    "accession": (Kind.ID, "accession", _accession),
    "account": (Kind.ID, "account", lambda c: c.digits(c.chance.choice((9, 10, 11)))),
    "plan": (Kind.ID, "plan", lambda c: f"{c.letters(3)}{c.digits(9)}"),
    "licence": (Kind.ID, "licence", lambda c: f"{c.letters(1)}{c.digits(7)}"),
    "device": (Kind.ID, "device", lambda c: f"{c.letters(3)}{c.digits(6)}{c.letters(1)}"),
    "vehicle": (Kind.ID, "vehicle", lambda c: f"{c.letters(3)} {c.digits(4)}"),
    "state": (None, "", lambda c: c.state),
    "sex": (None, "", lambda c: "woman" if c.patient.female else "man"),
    "he": (None, "", lambda c: "she" if c.patient.female else "he"),
    "He": (None, "", lambda c: "She" if c.patient.female else "He"),
    "his": (None, "", lambda c: "her" if c.patient.female else "his"),
    "title": (None, "", lambda c: "Ms." if c.patient.female else "Mr."),
    "kin": (None, "", lambda c: "Daughter" if c.relative.female else "Son"),
    "kin_low": (None, "", lambda c: "daughter" if c.relative.female else "son"),
    "time": (None, "", lambda c: f"{c.chance.randrange(24):02d}:{c.chance.randrange(60):02d}"),
    "clock": (None, "", lambda c: f"{c.chance.randrange(24):02d}{c.chance.randrange(60):02d}"),
}
