"""People of notes: their names in all the forms in which clinicians write them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sfumato.text.kinds import Kind
from sfumato.text.surrogate_lists import load_surrogates
from sfumato.text.training.grammar import blocks
from sfumato.text.training.lists import listed
from sfumato.text.training.scribe import Scribe

_INVENTED = 0.4
"""share of names that are put together and stand in no list"""
_COMMON = 12
"""how often people bear common names of the surrogate lists, beside about fifty of all others"""
_NAME = Kind.NAME
_CREDENTIALS = listed("credentials")
_NURSES = listed("credentials of nurses")
_TITLES = listed("titles of doctors")
_NICKNAMES = listed("nicknames")
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
        lists = {
            key: tuple(word.replace("_", " ") for word in value.split()) for key, value in fields.items()
        }
        found += [People(**lists)] * often.get(name, 1)
    common, first = load_surrogates("en"), found[0]
    usual = replace(first, women=common.given_female, men=common.given_male, family=common.family)
    return (*found, *(usual,) * _COMMON)


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


_LISTED = listed("names in registers")
_INITIALS = listed("initials")


def _initials(scribe: Scribe, person: Person) -> None:
    form = scribe.pick(_INITIALS)
    family = next((part for part in person.family.split() if part[0].isupper()), person.family)
    letters = (
        (person.given[0], person.middle[0], family[0]) if form == "{}{}{}" else (person.given[0], family[0])
    )
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
        scribe.say(scribe.pick(_TITLES) + " ")
        _write(scribe, person.family if scribe.chance(0.7) else _full(scribe, person), person.label)
    elif draw < 0.85:
        _sign(scribe, person)
    else:
        _write(scribe, _full(scribe, person), person.label)


def _refer_to_relative(scribe: Scribe, person: Person) -> None:
    word, pronoun = person.relation, "her" if patient_of(scribe).female else "his"
    form = scribe.pick(
        ("{p} {w} {n}", "{p} {w}, {n},", "{w} {n}", "{p} {w} ({n})", "the {w}, {n},", "{w} - {n}")
    )
    before, _, after = form.partition("{n}")
    scribe.say(before.format(p=pronoun, w=word))
    _write(scribe, person.given if scribe.chance(0.5) else _full(scribe, person), person.label)
    scribe.say(after)


def _sign(scribe: Scribe, person: Person) -> None:
    credentials = _NURSES if person.role == "nurse" else _CREDENTIALS
    name = _full(scribe, person)
    if scribe.chance(0.08):
        name = _listed(scribe, person)
    _write(scribe, name, person.label)
    scribe.say(scribe.pick((", ", ", ", ", ", " ", " - ", ",")) + scribe.pick(credentials))


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
        _sign(scribe, person)
    else:
        _write(scribe, _full(scribe, person), person.label)


def _listed_or_full(scribe: Scribe, person: Person) -> None:
    _write(scribe, _listed(scribe, person) if scribe.chance(0.6) else _full(scribe, person), person.label)


def _refer(scribe: Scribe, person: Person) -> None:
    if person.role == "patient":
        _refer_to_patient(scribe, person, capital=False)
    elif person.relation:
        _refer_to_relative(scribe, person)
    else:
        _refer_to_doctor(scribe, person)


_FORMS: dict[str, Callable[[Scribe, Person], None]] = {
    "": lambda scribe, person: _write(scribe, _full(scribe, person), person.label),
    "first": lambda scribe, person: _write(scribe, person.given, person.label),
    "last": lambda scribe, person: _write(scribe, person.family, person.label),
    "ref": _refer,
    "Ref": lambda scribe, person: _refer_to_patient(scribe, person, capital=True),
    "hdr": _listed_or_full,
    "lf": lambda scribe, person: _write(scribe, _listed(scribe, person), person.label),
    "sig": lambda scribe, person: _sign(scribe, person),
    "init": _initials,
    "user": _user,
    "any": _any,
    "caps": lambda scribe, person: _both(scribe, person, str.upper),
    "low": lambda scribe, person: _both(scribe, person, str.lower),
    "title": lambda scribe, person: scribe.say(title_of(person, scribe).strip()),
    "word": lambda scribe, person: scribe.say(person.relation),
}


def _both(scribe: Scribe, person: Person, case: Callable[[str], str]) -> None:
    scribe.mark(case(f"{person.given} {person.family}"), _NAME, person.label)


def write_name(scribe: Scribe, person: Person, form: str) -> None:
    """Write somebody: in running text, in a header (``hdr``), signing (``sig``), by initials (``init``), …"""
    _FORMS[form](scribe, person)
