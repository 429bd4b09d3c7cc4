"""People of notes: their names in all the forms in which clinicians write them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sfumato.text.kinds import Kind
from sfumato.text.training.grammar import blocks
from sfumato.text.training.scribe import Scribe

_INVENTED = 0.4
"""share of names that are put together and stand in no list"""
_NAME = Kind.NAME
_CREDENTIALS = (
    *("MD",) * 8, *("M.D.",) * 5, *("DO", "D.O.", "MBBS", "MD, PhD", "M.D., Ph.D.", "MD, FACS", "PA-C", "NP"),
    *("FRCS", "MD, FACC", "MD, MPH", "DDS", "DPM", "PharmD", "PhD", "CNM", "FNP-C", "DMD", "PsyD", "CRNA"),
)  # fmt: skip
_NURSES = ("RN", "R.N.", "LPN", "BSN", "RN, BSN", "CNA", "RRT", "MSW", "LCSW", "PT", "OTR/L", "RD", "CCRN")
_NICKNAMES = (
    "Bob Bill Jim Peg Betty Chuck Dot Skip Buddy Bunny Mimi Kiki Nonna Tito Paco Lupe Chuy Sasha Misha Bibi"
    " Junior Red Ace Tex Mac Lulu Coco Trudy Hank Ozzie Gigi Toots Pip Babe Sonny Sissy Jojo Manny Fritz"
).split()
_RELATIVES = {
    True: "wife daughter mother sister granddaughter niece aunt daughter-in-law mother-in-law stepmother",
    False: "husband son father brother grandson nephew uncle son-in-law father-in-law stepson",
}


@dataclass(frozen=True, slots=True)
class People:
    """Names of one people, and what invented ones are put together from."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    family: tuple[str, ...]
    starts: tuple[str, ...]
    woman: tuple[str, ...]
    man: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a note."""

    given: str
    middle: str
    family: str
    female: bool
    nickname: str
    suffix: str
    role: str
    relation: str = ""

    @property
    def label(self) -> str:
        """The label of spans that name the person; all staff is ``doctor``."""
        return "doctor" if self.role == "nurse" else self.role


@cache
def peoples() -> tuple[People, ...]:
    """Read the lists; peoples that are met more often in English notes come more often."""
    text = (Path(__file__).parent / "data" / "names.txt").read_text(encoding="utf-8")
    often = {"anglo": 14, "hispanic": 4, "eponym": 2, "african": 2, "indian": 2, "chinese": 2, "slavic": 2}
    found: list[People] = []
    for name, lines in blocks(text, "@"):
        fields = dict(line.split(": ", 1) for line in lines if line)
        lists = {key: tuple(word.replace("_", " ") for word in value.split()) for key, value in fields.items()}
        found += [People(**lists)] * often.get(name, 1)
    return tuple(found)


def given_name(scribe: Scribe, people: People, female: bool) -> str:
    """Draw a given name, from the list or invented."""
    if scribe.chance(_INVENTED):
        return _capital(scribe.pick(people.starts) + scribe.pick(people.woman if female else people.man))
    return scribe.pick(people.women if female else people.men)


def family_name(scribe: Scribe, people: People) -> str:
    """Draw a family name, from the list, invented, or one of two with a hyphen."""
    if scribe.chance(_INVENTED):
        name = scribe.pick(people.starts) + scribe.pick(people.names)
    else:
        name = scribe.pick(people.family)
    if scribe.chance(0.05) and "-" not in name:
        name += scribe.pick("--- ") + scribe.pick(scribe.pick(peoples()).family)
    return name


def _capital(name: str) -> str:
    tail = name.split()[-1].split("-")[-1].split("'")[-1]
    return tail[:1].upper() + tail[1:]


def made_person(scribe: Scribe, role: str, kin: Person | None = None) -> Person:
    """Make somebody up; a relative bears the family name of the patient as often as not."""
    people = scribe.pick(peoples())
    female = scribe.chance(0.5)
    second = people if scribe.chance(0.85) else scribe.pick(peoples())
    family = kin.family if kin is not None and scribe.chance(0.55) else family_name(scribe, second)
    return Person(
        given_name(scribe, people, female),
        given_name(scribe, people, female),
        family,
        female,
        scribe.pick(_NICKNAMES) if scribe.chance(0.4) else "",
        scribe.pick(("Jr", "Jr", "Sr", "III", "II", "IV")) if not female and scribe.chance(0.05) else "",
        role,
        scribe.pick(_RELATIVES[female].split()) if kin is not None else "",
    )


def patient_of(scribe: Scribe) -> Person:
    """Return the patient of this note."""
    return scribe.recall("patient", lambda scribe: made_person(scribe, "patient"))


def relative_of(scribe: Scribe, key: str) -> Person:
    """Return a relative of the patient."""
    return scribe.recall(key, lambda scribe: made_person(scribe, "relative", patient_of(scribe)))


def _write(scribe: Scribe, name: str, label: str) -> None:
    scribe.mark(scribe.case(name) if scribe.case else name, _NAME, label)


def _full(scribe: Scribe, person: Person) -> str:
    draw = scribe.random()
    given, family = person.given, person.family
    if person.suffix:
        family += scribe.pick((" ", ", ")) + person.suffix
    if draw < 0.68:
        return f"{given} {family}"
    if draw < 0.80:
        return f"{given} {person.middle[0]}{scribe.pick(('. ', '. ', ' '))}{family}"
    if draw < 0.86:
        return f"{given} {person.middle} {family}"
    if draw < 0.92:
        return f"{given[0]}{scribe.pick(('. ', '.', ' '))}{family}"
    if draw < 0.95:
        return f"{given[0]}.{scribe.pick((' ', ''))}{person.middle[0]}. {family}"
    if person.nickname:
        return scribe.pick(('{} "{}" {}', "{} ({}) {}", "{} '{}' {}")).format(given, person.nickname, family)
    return f"{family.upper()} {given}"


def _listed(scribe: Scribe, person: Person) -> str:
    """Family name first, as registers have it."""
    given, family, initial = person.given, person.family, person.middle[0]
    if person.suffix:
        family += " " + person.suffix
    form = scribe.pick(_LISTED)
    return form.format(g=given, f=family, m=initial, G=given.upper(), F=family.upper(), s=person.middle)


_LISTED = (
    *("{f}, {g}",) * 5, *("{F}, {G}",) * 4, *("{f}, {g} {m}",) * 4, *("{F}, {G} {m}",) * 3, "{f},{g}", "{F},{G}",
    "{F},{G} {m}", "{f} {g}", "{F} {G}", "{f} {g} {m}", "{F}, {g}", "{f}, {g} {s}", "{F} {G} {m}", "{f}, {g} {m}",
)  # fmt: skip
_INITIALS = ("{}{}", "{}{}", "{}.{}.", "{}.{}", "{}{}{}", "{}. {}.")


def _initials(scribe: Scribe, person: Person) -> None:
    form = scribe.pick(_INITIALS)
    family = next((part for part in person.family.split() if part[0].isupper()), person.family)
    letters = (person.given[0], person.middle[0], family[0]) if form == "{}{}{}" else (person.given[0], family[0])
    text = form.format(*letters).upper() if scribe.chance(0.95) else form.format(*letters).lower()
    dot = text.endswith(".")
    scribe.mark(text[:-1] if dot else text, _NAME, "initials")
    if dot:
        scribe.say(".")


def _user(scribe: Scribe, person: Person) -> None:
    given, family = person.given.lower(), person.family.lower().replace(" ", "").replace("'", "")
    form = scribe.pick(("{0}{1}", "{0}{1}{2}", "{1}{0}", "{3}.{1}", "{0}_{1}", "{0}.{1}", "{1}{2}"))
    number = str(scribe.between(1, 99))
    scribe.mark(form.format(given[0], family[:9].strip("-"), number, given.strip("-")), _NAME, "user")


def title_of(person: Person, scribe: Scribe) -> str:
    """Return a title that goes before the family name of a patient or relative."""
    if person.female:
        return scribe.pick(("Ms. ", "Mrs. ", "Ms. ", "Mrs ", "Ms ", "Miss "))
    return scribe.pick(("Mr. ", "Mr. ", "Mr. ", "Mr ", "MR. "))


def _refer_to_patient(scribe: Scribe, person: Person, capital: bool) -> None:
    draw = scribe.random()
    if draw < 0.45:
        scribe.say(title_of(person, scribe))
        _write(scribe, person.family, person.label)
    elif draw < 0.65:
        _write(scribe, person.given, person.label)
    elif draw < 0.78:
        _write(scribe, _full(scribe, person), person.label)
    elif draw < 0.82 and person.nickname:
        _write(scribe, person.nickname, person.label)
    else:
        words = ("The patient", "Patient", "Pt") if capital else ("the patient", "patient", "pt", "the pt")
        scribe.say(scribe.pick(words))


def _refer_to_doctor(scribe: Scribe, person: Person) -> None:
    draw = scribe.random()
    if draw < 0.62:
        scribe.say(scribe.pick(("Dr. ", "Dr. ", "Dr. ", "Dr ", "Dr ", "Doctor ", "DR. ", "dr. ", "Drs. ", "Prof. ")))
        _write(scribe, person.family if scribe.chance(0.7) else _full(scribe, person), person.label)
    elif draw < 0.85:
        _sign(scribe, person, _CREDENTIALS)
    else:
        _write(scribe, _full(scribe, person), person.label)


def _refer_to_relative(scribe: Scribe, person: Person) -> None:
    word, pronoun = person.relation, "her" if patient_of(scribe).female else "his"
    form = scribe.pick(("{p} {w} {n}", "{p} {w}, {n},", "{w} {n}", "{p} {w} ({n})", "the {w}, {n},", "{w} - {n}"))
    before, _, after = form.partition("{n}")
    scribe.say(before.format(p=pronoun, w=word))
    _write(scribe, person.given if scribe.chance(0.5) else _full(scribe, person), person.label)
    scribe.say(after)


def _sign(scribe: Scribe, person: Person, credentials: tuple[str, ...]) -> None:
    name = _full(scribe, person)
    if scribe.chance(0.08):
        name = _listed(scribe, person)
    _write(scribe, name, person.label)
    scribe.say(scribe.pick((", ", ", ", ", ", " ", " - ", ",")) + scribe.pick(credentials))


def write_name(scribe: Scribe, person: Person, form: str) -> None:
    """Write somebody in a form: ``''`` in running text, ``hdr``, ``lf``, ``first``, ``last``, ``init``, …"""
    if form == "first":
        _write(scribe, person.given, person.label)
    elif form == "last":
        _write(scribe, person.family, person.label)
    elif form == "ref":
        if person.role == "patient":
            _refer_to_patient(scribe, person, capital=False)
        elif person.relation:
            _refer_to_relative(scribe, person)
        else:
            _refer_to_doctor(scribe, person)
    elif form == "Ref":
        _refer_to_patient(scribe, person, capital=True)
    elif form == "hdr":
        _write(scribe, _listed(scribe, person) if scribe.chance(0.6) else _full(scribe, person), person.label)
    elif form == "lf":
        _write(scribe, _listed(scribe, person), person.label)
    elif form == "sig":
        _sign(scribe, person, _NURSES if person.role == "nurse" else _CREDENTIALS)
    elif form == "init":
        _initials(scribe, person)
    elif form == "user":
        _user(scribe, person)
    elif form == "title":
        scribe.say(title_of(person, scribe).strip())
    elif form == "word":
        scribe.say(person.relation)
    elif form == "caps":
        scribe.mark(f"{person.given} {person.family}".upper(), _NAME, person.label)
    elif form == "low":
        scribe.mark(f"{person.given} {person.family}".lower(), _NAME, person.label)
    elif form == "any":
        _any(scribe, person)
    else:
        _write(scribe, _full(scribe, person), person.label)


def _any(scribe: Scribe, person: Person) -> None:
    """Some form by which staff are known: initials, a family name, a signature."""
    draw = scribe.random()
    if draw < 0.25:
        _initials(scribe, person)
    elif draw < 0.45:
        _write(scribe, person.family, person.label)
    elif draw < 0.6:
        _write(scribe, f"{person.given[0]}. {person.family}", person.label)
    elif draw < 0.8:
        _sign(scribe, person, _NURSES if person.role == "nurse" else _CREDENTIALS)
    else:
        _write(scribe, _full(scribe, person), person.label)
