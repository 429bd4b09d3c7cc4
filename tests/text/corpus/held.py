"""Slots of the half ``held``: its own people, places and numbers, as hard as ordinary notes and no harder."""

from __future__ import annotations

import datetime as dt
import random
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from sfumato.text.kinds import Kind
from tests.text.corpus.people import DATA, Person, sections
from tests.text.corpus.slots import MONTHS, SLOTS, Case, Slot

WORDS = {
    name: body.replace("\n", " ").strip().split(", ")
    for name, body in sections(DATA / "held_words.txt").items()
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
    lambda d: f"{_month(d)[:3]} {d.day}, {d.year}",
    lambda d: f"{d:%m.%d.%Y}",
    lambda d: f"{d:%m-%d-%Y}",
    lambda d: f"{d.month}/{d.day}/{d:%y}",
)
WITHOUT_YEAR_OR_DAY: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{d.month}/{d.day}",
    lambda d: f"{_month(d)} {d.year}",
    lambda d: f"{_month(d)} {d.day}",
)


def family(chance: random.Random) -> str:
    """Draw a family name: one in eight is a common word or an eponym, one in four is American."""
    draw = chance.random()
    if draw < 0.125:
        return chance.choice(WORDS["ambiguous families"])
    return chance.choice(WORDS["us families" if draw < 0.375 else "families"])


def person(chance: random.Random) -> Person:
    """Draw a person; one given name in ten is a common word."""
    female = chance.random() < 0.5
    given = chance.choice(WORDS["women" if female else "men"])
    if chance.random() < 0.1:
        given = chance.choice(WORDS["ambiguous given"])
    return Person(given, family(chance), chance.choice("ABCDEFGHJKLMNPRSTVW"), female)


def hospital(chance: random.Random, town: str) -> str:
    """Draw a hospital or practice."""
    name, saint = family(chance), chance.choice(WORDS["saints"])
    return chance.choice(
        (
            f"{town} Regional Medical Center",
            f"{town} General Hospital",
            f"{town} Community Hospital",
            f"{name} Memorial Hospital",
            f"{name} Clinic",
            f"{name} Heart Institute",
            f"St. {saint} Hospital",
            f"St. {saint}'s Medical Center",
            f"VA {town}",
            f"Mercy {town} Hospital",
            f"University of {town} Medical Center",
            f"{name} Rehabilitation Hospital",
            f"{town} Health System",
        )
    )


def employer(chance: random.Random) -> str:
    """Draw a company of the sort that is named after its founders."""
    one, two, three = chance.sample(WORDS["us families"], 3)
    return chance.choice(
        (
            f"{one}-{two}",
            f"{one}, {two} and {three}",
            f"{one} Ltd",
            f"{one} Inc",
            f"{one} PLC",
            f"{one} LLC",
            f"{one} Group",
            f"{one} and Sons",
        )
    )


@dataclass
class HeldCase(Case):
    """One story, told with the words of this half."""

    child: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        chance = self.chance
        self.patient, self.doctor, self.second, self.nurse, kin = (person(chance) for _ in range(5))
        self.relative = Person(kin.first, self.patient.last, kin.middle, kin.female)
        self.town = chance.choice(WORDS["towns"])
        self.state = chance.choice(WORDS["states"])
        self.hospital = hospital(chance, self.town)
        self.age = chance.randrange(90, 106) if chance.random() < 0.25 else chance.randrange(19, 90)
        self.child = chance.randrange(2, 16)

    def written(self, day: dt.date) -> str:
        """Write a day, one time in eight without its year or without its day."""
        forms = WITHOUT_YEAR_OR_DAY if self.chance.random() < 0.125 else FORMATS
        return self.chance.choice(forms)(day)


def _full(case: Case, day: dt.date) -> str:
    return case.chance.choice(FORMATS)(day)


def _child_born(case: Case) -> dt.date:
    assert isinstance(case, HeldCase)
    return case.day - dt.timedelta(days=case.child * 365 + 40)


def _child_age(case: Case) -> str:
    assert isinstance(case, HeldCase)
    return str(case.child)


def _street(case: Case) -> str:
    chance = case.chance
    name = chance.choice((family(chance), chance.choice(WORDS["women"] + WORDS["men"])))
    unit = chance.choice(
        ("", "", "", f" Apt {case.digits(2)}", f" Apt. {case.digits(3)}", f" Suite {case.digits(3)}")
    )
    return f"{case.digits(chance.choice((3, 4, 5)))} {name} {chance.choice(WORDS['streets'])}{unit}"


def _phone(case: Case) -> str:
    area, middle = (str(case.chance.randrange(200, 990)) for _ in range(2))
    last = f"{case.chance.randrange(10**4):04d}"
    return case.chance.choice(
        (
            f"({area}) {middle}-{last}",
            f"{area}-{middle}-{last}",
            f"{area}.{middle}.{last}",
            f"+1 {area} {middle} {last}",
            f"{middle}-{last}",
            f"({area}){middle}-{last}",
            f"{area}-{middle}-{last} x{case.digits(3)}",
            f"001-{area}-{middle}-{last}",
        )
    )


def _any(*forms: Callable[[Case], str]) -> Callable[[Case], str]:
    return lambda case: case.chance.choice(forms)(case)


def _plain(name: str) -> str:
    spelt = unicodedata.normalize("NFKD", name.lower().replace("ł", "l").replace("ı", "i").replace("ß", "ss"))
    return "".join(letter for letter in spelt if letter.isascii() and letter.isalpha())


def _mail(case: Case, who: Person) -> str:
    first, last = _plain(who.first), _plain(who.last)
    user = case.chance.choice(
        (f"{first}.{last}", f"{first[0]}{last}{case.digits(2)}", f"{last}{case.digits(3)}")
    )
    return f"{user}@{case.chance.choice(('example.com', 'example.net', 'med.example.org'))}"


def _url(case: Case) -> str:
    house = case.chance.choice(
        ("http://chart.example.org", "https://ehr.example.com", "https://myhealth.example.net")
    )
    return f"{house}/{case.chance.choice(('pt', 'enc', 'view'))}/{case.digits(7)}"


_NAMES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "mother_lower": ("patient", lambda c: f"{c.chance.choice(WORDS['women'])} {c.patient.last}".lower()),
    "second_initials": ("initials", lambda c: c.second.initials),
    "second_first": ("doctor", lambda c: c.second.first),
    "nurse_short": ("doctor", lambda c: f"{c.nurse.first[0]}. {c.nurse.last}"),
    "nurse_first_initial": ("doctor", lambda c: f"{c.nurse.first} {c.nurse.last[0].upper()}"),
}
_DATES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "dob": ("full", lambda c: _full(c, c.born())),
    "child_dob": ("full", lambda c: _full(c, _child_born(c))),
    "month_year": (
        "partial",
        lambda c: f"{_month(d := c.day - dt.timedelta(c.chance.randrange(90, 700)))} {d.year}",
    ),
}
_PLACES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "street": ("street", _street),
    "doctor_street": ("street", _street),
    "other_town": ("city", lambda c: c.chance.choice(WORDS["towns"])),
    "other_hospital": ("hospital", lambda c: hospital(c.chance, c.chance.choice(WORDS["towns"]))),
    "employer": ("organisation", lambda c: employer(c.chance)),
    "school": (
        "organisation",
        _any(lambda c: f"{c.town} Elementary School", lambda c: f"{family(c.chance)} Academy"),
    ),
    "pharmacy": ("organisation", _any(lambda c: f"{family(c.chance)} Pharmacy", lambda c: f"{c.town} Drug")),
    "nursing_home": (
        "organisation",
        _any(lambda c: f"{family(c.chance)} Nursing Home", lambda c: f"{c.town} Manor"),
    ),
    "funeral_home": ("organisation", lambda c: f"{family(c.chance)} Funeral Home"),
}
_NUMBERS: dict[str, tuple[str, Callable[[Case], str]]] = {
    "mrn": (
        "mrn",
        _any(
            lambda c: c.digits(7),
            lambda c: c.digits(8),
            lambda c: f"{c.digits(3)}-{c.digits(2)}-{c.digits(2)}",
            lambda c: f"{c.digits(2)}-{c.digits(2)}-{c.digits(3)}",
            lambda c: f"MRN{c.digits(6)}",
        ),
    ),
    "accession": (
        "accession",
        _any(
            lambda c: f"{c.letters(2)}-{c.day:%y}-{c.digits(5)}",
            lambda c: f"{c.letters(1)}{c.day:%y}-{c.digits(5)}",
            lambda c: c.digits(9),
        ),
    ),
    "licence": ("licence", _any(lambda c: f"{c.letters(2)}{c.digits(6)}", lambda c: c.digits(6))),
    "medicare": (
        "plan",
        lambda c: (
            f"{c.digits(1)}{c.letters(2)}{c.digits(1)}-{c.letters(2)}{c.digits(1)}-{c.letters(2)}{c.digits(2)}"
        ),
    ),
    "serial": (
        "device",
        _any(lambda c: f"{c.letters(3)}{c.digits(6)}", lambda c: f"{c.letters(2)}-{c.digits(7)}"),
    ),
    "rx": ("account", lambda c: c.digits(7)),
    "dea": ("licence", lambda c: f"{c.letters(2)}{c.digits(7)}"),
    "group": ("plan", _any(lambda c: c.digits(6), lambda c: f"{c.letters(2)}{c.digits(4)}")),
    "npi": ("licence", lambda c: f"1{c.digits(9)}"),
    "claim": ("account", _any(lambda c: f"{c.day.year}-{c.digits(5)}", lambda c: f"PA{c.digits(8)}")),
    "badge": ("other", lambda c: c.digits(5)),
}
HELD_SLOTS: dict[str, Slot] = {
    **SLOTS,
    **{name: (Kind.NAME, label, draw) for name, (label, draw) in _NAMES.items()},
    **{name: (Kind.DATE, label, draw) for name, (label, draw) in _DATES.items()},
    **{name: (Kind.LOCATION, label, draw) for name, (label, draw) in _PLACES.items()},
    **{name: (Kind.ID, label, draw) for name, (label, draw) in _NUMBERS.items()},
    "phone": (Kind.PHONE, "phone", _phone),
    "fax": (Kind.PHONE, "fax", _phone),
    "local_phone": (Kind.PHONE, "phone", lambda c: f"{c.chance.randrange(200, 990)}-{c.digits(4)}"),
    "extension": (Kind.PHONE, "phone", lambda c: c.digits(4)),
    "ssn": (Kind.SSN, "", lambda c: f"{c.chance.randrange(101, 660)}-{c.digits(2)}-{c.digits(4)}"),
    "email": (Kind.EMAIL, "", lambda c: _mail(c, c.patient)),
    "doctor_email": (Kind.EMAIL, "", lambda c: _mail(c, c.doctor)),
    "url": (Kind.URL, "", _url),
    "child_age": (Kind.AGE, "", _child_age),
    "His": (None, "", lambda c: "Her" if c.patient.female else "His"),
    "sex_letter": (None, "", lambda c: "F" if c.patient.female else "M"),
    "Kin": (None, "", lambda c: "Daughter" if c.relative.female else "Son"),
    "spouse": (None, "", lambda c: "wife" if c.relative.female else "husband"),
    "Spouse": (None, "", lambda c: "Wife" if c.relative.female else "Husband"),
    "sibling": (None, "", lambda c: "sister" if c.relative.female else "brother"),
    "parent": (None, "", lambda c: "mother" if c.relative.female else "father"),
}
