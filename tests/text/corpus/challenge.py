"""Slots of the half ``challenge``: other people, places and numbers, in forms that the other halves lack."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from sfumato.text.kinds import Kind
from tests.text.corpus.people import DATA, Person, invented, sections
from tests.text.corpus.slots import FORMATS, MONTHS, PARTIAL, SLOTS, STATES, TREES, Case, Slot, _ordinal

WORDS = {
    name: body.replace("\n", " ").strip().split(", ")
    for name, body in sections(DATA / "challenge_words.txt").items()
}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SEASONS = ("winter", "spring", "summer", "fall")


def _month(day: dt.date) -> str:
    return MONTHS[day.month - 1]


MORE_FORMATS: tuple[Callable[[dt.date], str], ...] = (
    *FORMATS,
    lambda d: f"{_ordinal(d.day)} {_month(d)} {d.year}",
    lambda d: f"{_month(d)} {_ordinal(d.day)}, {d.year}",
    lambda d: f"{d.day}-{_month(d)[:3]}-{d:%y}",
    lambda d: f"{d.day} {_month(d)[:3]} {d.year}",
    lambda d: f"{d:%Y.%m.%d}",
    lambda d: f"{_month(d)[:3].upper()}-{d:%d-%Y}",
    lambda d: f"{d.month}-{d.day}-{d:%y}",
    lambda d: f"{d.day}/{_month(d)[:3]}/{d.year}",
)
MORE_PARTIAL: tuple[Callable[[dt.date], str], ...] = (
    *PARTIAL,
    lambda d: f"{d.day}-{_month(d)[:3]}",
    lambda d: f"{_month(d)[:3]}. {d.day}",
    lambda d: f"{d.month}-{d.day}",
)
MONTH_OR_SEASON: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{_month(d)} {d.year}",
    lambda d: f"{_month(d)} of {d.year}",
    lambda d: f"{_month(d)[:3]} '{d:%y}",
    lambda d: f"{_month(d)[:3]} {d.year}",
    lambda d: f"{d:%m/%Y}",
    lambda d: f"{SEASONS[d.month % 12 // 3]} {d.year}",
    _month,
)
WEEKDAYS: tuple[Callable[[dt.date], str], ...] = (
    lambda d: f"{DAYS[d.weekday()]}, {_month(d)} {d.day}, {d.year}",
    lambda d: f"{DAYS[d.weekday()][:3]} {d.month}/{d.day}",
    lambda d: f"{DAYS[d.weekday()][:3]} {d:%m/%d/%y}",
    lambda d: f"{DAYS[d.weekday()]} {d.day} {_month(d)}",
)
RANGES: tuple[Callable[[dt.date, dt.date], str], ...] = (
    lambda a, b: f"{a.month}/{a.day}-{b.month}/{b.day}",
    lambda a, b: f"{a.month}/{a.day} - {b.month}/{b.day}",
    lambda a, b: f"{a:%m/%d/%y}-{b:%m/%d/%y}",
    lambda a, b: f"{_month(a)} {a.day}-{a.day + 4}, {a.year}",
)


def family(chance: random.Random) -> str:
    """Draw a family name, one in two out of the ordinary."""
    draw = chance.random()
    if draw < 0.12:
        return chance.choice(WORDS["ambiguous families"])
    if draw < 0.20:
        return invented(chance)
    if draw < 0.28:
        return "-".join(chance.choice(WORDS["families"]).replace(" ", "") for _ in range(2))
    if draw < 0.35:
        return chance.choice(WORDS["particles"])
    if draw < 0.41:
        return " ".join(chance.choice(WORDS["families"]) for _ in range(2))
    return chance.choice(WORDS["families"])


def person(chance: random.Random) -> Person:
    """Draw a person; one given name in ten is a common word."""
    female = chance.random() < 0.5
    given = chance.choice(WORDS["women" if female else "men"])
    if chance.random() < 0.1:
        given = chance.choice(WORDS["ambiguous given"])
    return Person(given, family(chance), chance.choice("ABCDEFGHJKLMNPRSTVW"), female)


@dataclass
class ChallengeCase(Case):
    """One story, told with other words than those of the other halves."""

    third: Person = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        chance = self.chance
        self.patient, self.doctor, self.second, self.third, self.nurse, kin = (
            person(chance) for _ in range(6)
        )
        self.relative = Person(kin.first, self.patient.last, kin.middle, kin.female)
        self.town = chance.choice(WORDS["towns"])
        self.hospital = hospital(chance, self.town)

    def written(self, day: dt.date) -> str:
        """Write a day in one of still more ways."""
        return self.chance.choice(MORE_FORMATS)(day)


def hospital(chance: random.Random, town: str) -> str:
    """Draw a hospital or practice."""
    name, saint = family(chance), chance.choice(WORDS["saints"])
    return chance.choice(
        (
            f"VA {town}",
            f"{town} VAMC",
            f"St. {saint}'s",
            f"Saint {saint} Hospital",
            f"{town} General",
            f"{town} Regional Medical Center",
            f"Univ. of {town} Hospital",
            f"University Hospital {town}",
            f"{name} Clinic",
            f"{name} Rehabilitation Center",
            f"{name}-{family(chance)} Medical Group".replace(" -", "-"),
            f"{town} Urgent Care",
            f"Mercy {town}",
            f"{name} Children's Hospital",
            f"{town} Health System",
            f"{name} Memorial",
            f"{town} Eye and Ear Infirmary",
            f"Good Samaritan Hospital of {town}",
        )
    )


def employer(case: Case) -> str:
    """Draw somebody to work for."""
    chance = case.chance
    one, two, three = (family(chance) for _ in range(3))
    plain = [name for name in WORDS["families"] if " " not in name]
    brand = chance.choice(("Tri-County", "Palmetto", "Blue Ridge", "Ironwood", "Silver Creek", "Keystone"))
    trade = chance.choice(("Electric", "Poultry", "Roofing", "Freight", "Diner", "Credit Union", "Plumbing"))
    return chance.choice(
        (
            f"{one} and {two}",
            f"{one}, {two} and {three}",
            "-".join(chance.choice(plain) for _ in range(2)),
            f"{one} Group",
            f"{one} Inc",
            f"{one} PLC",
            f"{one} Ltd",
            f"{one} & Sons",
            f"{one} Bros. {trade}",
            f"{brand} {trade}",
            f"J&R {trade}",
            f"City of {chance.choice(WORDS['towns'])}",
            f"{chance.choice(WORDS['towns'])} Police Department",
        )
    )


def _street(case: Case) -> str:
    chance = case.chance
    name = chance.choice((*TREES, *WORDS["towns"])) if chance.random() < 0.4 else family(chance)
    if chance.random() < 0.3:
        name = chance.choice(WORDS["women"] + WORDS["men"])
    unit = chance.choice(
        ("", "", "", f" Apt {case.digits(2)}", f" Suite {case.digits(3)}", f" Apt. {case.digits(1)}C")
    )
    many = chance.choice((2, 3, 4, 5))
    return f"{case.digits(many)} {name} {chance.choice(WORDS['streets'])}{unit}"


def _any(*forms: Callable[[Case], str]) -> Callable[[Case], str]:
    return lambda case: case.chance.choice(forms)(case)


def _stranger(case: Case) -> Person:
    assert isinstance(case, ChallengeCase)
    return case.third


def _user(case: Case) -> str:
    plain = "".join(letter for letter in case.second.last.lower() if letter.isascii() and letter.isalpha())
    start = case.second.first[0].lower() if case.second.first[0].isascii() else "x"
    return case.chance.choice((f"{start}{plain}", f"{start}{plain}{case.digits(1)}", f"{plain}.{start}"))


def _hexes(case: Case, many: int, digits: int) -> str:
    return ":".join(f"{case.chance.randrange(16 ** (digits - 1), 16**digits):x}" for _ in range(many))


def _place(ending: str) -> Callable[[Case], str]:
    return lambda c: f"{c.chance.choice((family(c.chance), c.town))} {ending}"


_NAMES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "patient_lf": ("patient", lambda c: f"{c.patient.last}, {c.patient.first}"),
    "patient_lfu": ("patient", lambda c: f"{c.patient.last},{c.patient.first} {c.patient.middle}".upper()),
    "patient_lower_last_first": ("patient", lambda c: f"{c.patient.last}, {c.patient.first}".lower()),
    "patient_mi": ("patient", lambda c: c.patient.middle),
    "patient_nick": (
        "patient",
        lambda c: f'{c.patient.first} "{c.chance.choice(WORDS["nicknames"])}" {c.patient.last}',
    ),
    "nickname": ("patient", lambda c: c.chance.choice(WORDS["nicknames"])),
    "mononym": ("patient", lambda c: c.chance.choice(WORDS["mononyms"])),
    "patient_initials_dot": ("initials", lambda c: f"{c.patient.first[0]}.{c.patient.last[0].upper()}."),
    "nurse_initials_dot": ("initials", lambda c: f"{c.nurse.first[0]}.{c.nurse.last[0].upper()}."),
    "nurse_initials_lower": ("initials", lambda c: c.nurse.initials.lower()),
    "nurse_initial": ("initials", lambda c: c.nurse.last[0].upper()),
    "second_initials": ("initials", lambda c: c.second.initials),
    "second_first": ("doctor", lambda c: c.second.first),
    "doctor_double": ("doctor", lambda c: f"{c.doctor.first[0]}. {c.doctor.middle}. {c.doctor.last}"),
    "doctor_upper": ("doctor", lambda c: c.doctor.full.upper()),
    "third": ("doctor", lambda c: _stranger(c).full),
    "third_first": ("relative", lambda c: _stranger(c).first),
    "third_last": ("doctor", lambda c: _stranger(c).last),
    "third_short": ("doctor", lambda c: f"{_stranger(c).first[0]}. {_stranger(c).last}"),
    "relative_upper": ("relative", lambda c: c.relative.full.upper()),
    "user": ("user", _user),
}
_DATES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "partial": ("partial", lambda c: c.chance.choice(MORE_PARTIAL)(c.later(200))),
    "when": ("partial", lambda c: c.chance.choice(MONTH_OR_SEASON)(c.later(200))),
    "weekday_date": ("full", lambda c: c.chance.choice(WEEKDAYS)(c.later())),
    "date_range": (
        "full",
        lambda c: c.chance.choice(RANGES)(
            start := c.later().replace(day=c.chance.randrange(1, 24)), start + dt.timedelta(4)
        ),
    ),
    "date_upper": ("full", lambda c: f"{_month(c.day)[:3].upper()} {c.day:%d, %Y}"),
    "month_year": ("partial", lambda c: f"{_month(d := c.later())} {d.year}"),
    "compact_date": ("full", lambda c: f"{c.later():%Y%m%d}"),
    "iso_date": ("full", lambda c: c.day.isoformat()),
    "ordinal": ("partial", lambda c: _ordinal(c.day.day)),
}
_PLACES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "street": ("street", _street),
    "other_town": ("city", lambda c: c.chance.choice(WORDS["towns"])),
    "second_town": ("city", lambda c: c.chance.choice(WORDS["towns"])),
    "other_hospital": ("hospital", lambda c: hospital(c.chance, c.chance.choice(WORDS["towns"]))),
    "clinic": ("hospital", lambda c: c.chance.choice((family(c.chance), c.chance.choice(WORDS["towns"])))),
    "employer": ("organisation", employer),
    "employer_bare": ("organisation", lambda c: c.chance.choice((family(c.chance), invented(c.chance)))),
    "school": (
        "organisation",
        _any(_place("Elementary"), _place("Middle School"), _place("High School"), _place("Academy")),
    ),
    "church": ("organisation", lambda c: f"St. {c.chance.choice(WORDS['saints'])}'s"),
    "laboratory": ("organisation", _any(_place("Laboratories"), _place("Diagnostics"))),
    "pharmacy": ("organisation", _any(_place("Pharmacy"), _place("Drugs"))),
    "endodontist": ("organisation", _place("Endodontics")),
    "group_practice": ("hospital", _place("Pediatric Group")),
    "dialysis_unit": ("hospital", _place("Dialysis")),
    "prison": ("organisation", _any(_place("Correctional Facility"), _place("County Jail"))),
}
_NUMBERS: dict[str, tuple[str, Callable[[Case], str]]] = {
    "mbi": ("plan", lambda c: f"{c.digits(1)}{c.letters(2)}{c.digits(1)}-{c.letters(2)}{c.digits(1)}-MK72"),
    "nhs": ("national", lambda c: f"{c.digits(3)} {c.digits(3)} {c.digits(4)}"),
    "group": ("plan", _any(lambda c: c.digits(6), lambda c: f"{c.letters(2)}{c.digits(5)}")),
    "serial": (
        "device",
        _any(
            lambda c: f"{c.letters(3)}{c.digits(6)}{c.letters(1)}", lambda c: f"{c.digits(4)}-{c.digits(5)}"
        ),
    ),
    "unos": ("other", lambda c: f"{c.letters(4)}{c.digits(3)}"),
    "badge": ("other", _any(lambda c: c.digits(5), lambda c: f"{c.letters(2)}-{c.digits(5)}")),
    "rx": ("account", _any(lambda c: c.digits(7), lambda c: f"{c.digits(7)}-{c.digits(5)}")),
    "npi": ("licence", lambda c: f"1{c.digits(9)}"),
    "dea": ("licence", lambda c: f"{c.letters(2)}{c.digits(7)}"),
    "clia": ("licence", lambda c: f"{c.digits(2)}D{c.digits(7)}"),
    "drivers": ("licence", lambda c: f"{c.letters(1)}{c.digits(3)}-{c.digits(4)}-{c.digits(4)}"),
    "claim": ("account", _any(lambda c: f"CLM-{c.day.year}-{c.digits(6)}", lambda c: c.digits(8))),
    "study": ("other", _any(lambda c: f"{c.digits(4)}-{c.digits(3)}", lambda c: f"GAM-{c.digits(3)}-0045")),
    "din": ("other", lambda c: f"W{c.digits(4)} {c.day:%y} {c.digits(6)}"),
    "udi": ("device", lambda c: f"(01)00{c.digits(12)}(21){c.letters(1)}{c.digits(5)}"),
    "passport": ("other", lambda c: f"{c.letters(1)}{c.digits(8)}"),
    "doc": ("other", lambda c: f"{c.letters(1)}{c.digits(5)}"),
    "run": ("other", lambda c: f"{c.day:%y}-{c.digits(6)}"),
    "last_four": ("card", lambda c: c.digits(4)),
}
_PHONES: dict[str, tuple[str, Callable[[Case], str]]] = {
    "extension": ("phone", lambda c: c.digits(4)),
    "uk_phone": ("phone", lambda c: f"07{c.digits(3)} {c.digits(6)}"),
    "intl_phone": (
        "phone",
        _any(lambda c: f"+44 20 {c.digits(4)} {c.digits(4)}", lambda c: f"+49 30 {c.digits(7)}"),
    ),
}
CHALLENGE_SLOTS: dict[str, Slot] = {
    **SLOTS,
    **{name: (Kind.NAME, label, draw) for name, (label, draw) in _NAMES.items()},
    **{name: (Kind.DATE, label, draw) for name, (label, draw) in _DATES.items()},
    **{name: (Kind.LOCATION, label, draw) for name, (label, draw) in _PLACES.items()},
    **{name: (Kind.ID, label, draw) for name, (label, draw) in _NUMBERS.items()},
    **{name: (Kind.PHONE, label, draw) for name, (label, draw) in _PHONES.items()},
    "old": (Kind.AGE, "", lambda c: str(c.chance.randrange(90, 107))),
    "second_email": (
        Kind.EMAIL,
        "",
        lambda c: f"{_user(c)}@{c.chance.choice(('hosp.example.org', 'example.edu'))}",
    ),
    "ip6": (Kind.IP, "", lambda c: _hexes(c, 8, 4)),
    "mac": (Kind.IP, "", lambda c: _hexes(c, 6, 2)),
    "iso_clock": (None, "", lambda c: f"{c.chance.randrange(24):02d}:{c.chance.randrange(60):02d}:17"),
    "him": (None, "", lambda c: "her" if c.patient.female else "him"),
    "state": (None, "", lambda c: c.chance.choice(STATES)),
}
