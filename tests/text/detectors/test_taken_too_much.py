"""What reads like a name, a date or a number and is medicine, an amount or a blank stays; the others go."""

from __future__ import annotations

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.finder import Finder
from sfumato.text.finders import finder_of
from sfumato.text.note import Record
from sfumato.text.replace import Removal, Tags
from sfumato.text.replace.apply import applied


@pytest.fixture(scope="module")
def finder() -> Finder:
    return finder_of("en")


def _found(finder: Finder, text: str) -> list[str]:
    return [span.of(text) for span in finder.find(Record.of(text)).spans[0]]


@pytest.mark.parametrize(
    "text",
    [
        "NECK: Supple and symmetric.  No masses.",
        "Mother: Non-Hodgkin's lymphoma.",
        "Lamisil, Zuviro, Bactrim, and aspirin.",
        "The patient was prescribed Zuviro for her acne.",
        "She stopped her Allegra, but she is still sneezing.",
        "Family history reportedly significant for TIAs in his mother.",
        "Double-stranded DNA, RNP, Smith, Ro, La were negative.",
        "She attained a High School education and had been a clerk.",
        "His PSA is at 0.01.",
        "He is able to walk approximately a 1/2-mile a day.",
        "which she has had for the last 10-12 days.",
        "She was seen by Dr. X and Dr. Y at ABCD General Hospital.",
    ],
)
def test_medicine_amounts_and_placeholders_stay(finder: Finder, text: str) -> None:
    assert _found(finder, text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("RNP and Ro were ordered by Dr. Smith.", ["Smith"]),
        ("Seen on Monday. 91 years old.", ["Monday", "91"]),
        ("Dr. Y called about the results.", ["Y"]),
        ("Facility: Aldermoor Clinic\nHOSPITAL COURSE: uneventful.", ["Aldermoor Clinic"]),
        ("Patient:\nOttilie Quarrington\nSeen today.", ["Ottilie Quarrington"]),
    ],
)
def test_people_days_ages_and_places_beside_them_go(finder: Finder, text: str, kept: list[str]) -> None:
    assert _found(finder, text) == kept


@pytest.mark.parametrize("replacement", [Tags(), Removal()], ids=["tags", "removal"])
@pytest.mark.parametrize(
    "text",
    [
        "Facility: Aldermoor Clinic\n\nHOSPITAL COURSE: uneventful.",
        "From: a\nTo: Dr. Quarrington\nSent: 3/4/2021\nSubject: question",
        "Date | Seen by | Where | Note\n3/4/2021 | Quarrington | Ovid, NY | wt 81 kg\n",
        "Address: 12 Elm Street, Ovid, NY 14521\nHome phone: 607-555-0142\n",
        "Dictated by Ottilie Quarrington, M.D. on 3/4/2021\n",
        "Employer name: Wagner Ltd\nProvider: Quarrington MD   Claim #: 4711889\n",
    ],
)
def test_replacing_twice_gives_the_same_as_once(
    finder: Finder, text: str, replacement: Tags | Removal
) -> None:
    def once(note: str) -> str:
        changes = replacement.changes(finder.find(Record.of(note)), Secrets())[0]
        return applied(note, changes)[0]

    first = once(text)
    assert first != text
    assert once(first) == first
