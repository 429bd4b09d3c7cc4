"""All slots of the grammars by name: those that identify, and those that only agree with the note."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.text.training.grammar import Slot
from sfumato.text.training.numbers import NUMBERS
from sfumato.text.training.people import Person, made_person, patient_of, relative_of, write_name
from sfumato.text.training.places import write_address, write_city, write_hospital, write_place
from sfumato.text.training.scribe import Scribe
from sfumato.text.training.times import clock, write_age, write_date
from sfumato.text.training.words import write_drug, write_eponym


def _patient(scribe: Scribe, form: str) -> None:
    write_name(scribe, patient_of(scribe), form)


def _staff(key: str, role: str) -> Slot:
    def make(scribe: Scribe) -> Person:
        return made_person(scribe, role)

    def write(scribe: Scribe, form: str) -> None:
        write_name(scribe, scribe.recall(key, make) if key else make(scribe), form)

    return write


def _relative(key: str) -> Slot:
    def write(scribe: Scribe, form: str) -> None:
        write_name(scribe, relative_of(scribe, key), form)

    return write


def _agreeing(woman: str, man: str) -> Slot:
    """Write a word that agrees with the sex of the patient."""

    def write(scribe: Scribe, form: str) -> None:
        scribe.say(woman if patient_of(scribe).female else man)

    return write


def _sex(scribe: Scribe, form: str) -> None:
    words = (
        ("F", "Female", "female", "F", "FEMALE")
        if patient_of(scribe).female
        else ("M", "Male", "male", "M", "MALE")
    )
    scribe.say(scribe.pick(words))


def _said(text: Callable[[Scribe], str]) -> Slot:
    def write(scribe: Scribe, form: str) -> None:
        scribe.say(text(scribe))

    return write


IDENTIFYING: dict[str, Slot] = {
    "patient": _patient,
    "dr": _staff("", "doctor"),
    "dr1": _staff("dr1", "doctor"),
    "dr2": _staff("dr2", "doctor"),
    "dr3": _staff("dr3", "doctor"),
    "nurse": _staff("", "nurse"),
    "nurse1": _staff("nurse1", "nurse"),
    "nurse2": _staff("nurse2", "nurse"),
    "rel": _relative("rel1"),
    "rel2": _relative("rel2"),
    "date": write_date,
    "age": write_age,
    "address": write_address,
    "city": write_city,
    "place": write_place,
    "hosp": write_hospital,
    **NUMBERS,
}
"""slots that write what points at a person"""

AGREEING: dict[str, Slot] = {
    "he": _agreeing("she", "he"),
    "He": _agreeing("She", "He"),
    "his": _agreeing("her", "his"),
    "His": _agreeing("Her", "His"),
    "him": _agreeing("her", "him"),
    "man": _agreeing("woman", "man"),
    "sex": _sex,
    "sep": _said(lambda scribe: scribe.separator),
    "gap": _said(lambda scribe: scribe.gap),
    "clock": _said(clock),
    "eponymous": write_eponym,
    "newdrug": write_drug,
    "nl": _said(lambda scribe: "\n"),
}
"""slots that identify nobody"""

SLOTS: dict[str, Slot] = {**IDENTIFYING, **AGREEING}
