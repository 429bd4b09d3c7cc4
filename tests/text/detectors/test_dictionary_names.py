"""Names by dictionaries and cues."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.compete import compete
from sfumato.text.languages.en.clinical import EnglishClinical
from sfumato.text.languages.en.names import EnglishNames
from sfumato.text.languages.en.organisations import EnglishOrganisations
from sfumato.text.languages.en.places import EnglishPlaces
from sfumato.text.page import Page

PIECES = [
    *(
        "Dr",
        ".",
        ",",
        ":",
        "'",
        "-",
        "Mr",
        "Anna",
        "Foley",
        "Ltd",
        "Hospital",
        "of",
        "St",
        "Jackson",
        "TX",
        "14521",
    ),
    *(
        "3",
        "/",
        "10",
        "mg",
        "x",
        "M",
        "and",
        "the",
        "pt",
        "by",
        "daughter",
        "\n",
        "É",
        "e\u0301",
        "smith",
        "Percocet",
    ),
]
DETECTORS = (EnglishNames(), EnglishPlaces(), EnglishOrganisations(), EnglishClinical())


def found(text: str) -> list[str]:
    page = Page(text)
    return [span.of(text) for span in compete(text, [span for each in DETECTORS for span in each.find(page)])]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I discussed it with Dr. Respighi.", ["Respighi"]),
        ("seen by dr smith this morning", ["smith"]),
        ("Mrs. Xyloquist was seen.", ["Xyloquist"]),
        ("Wanda Hand, MD", ["Wanda Hand"]),
        ("Reviewed by Oyelaran Adewale, M.D., today", ["Oyelaran Adewale"]),
        ("PATIENT: Parkitna, Michael P.", ["Parkitna, Michael P"]),
        ("Name: VÁSQUEZ-ROMERO, ANA L   DOB", ["VÁSQUEZ-ROMERO, ANA L"]),
        ("Her daughter Jeannine called.", ["Jeannine"]),
        ("His wife, Oluchi, drove him.", ["Oluchi"]),
        ("Son of Abdullah Al-Hashimi was there.", ["Abdullah Al-Hashimi"]),
        ("pt ramiro bùi resting", ["ramiro bùi"]),
        ("Seen by EW and M. Clark in triage", ["EW", "M. Clark"]),
        ("Drs. Okafor and Lindqvist agree.", ["Okafor", "Lindqvist"]),
        ("Dear Ms. O'Neil:", ["O'Neil"]),
        ("Michael van der Berg is a 60 year old man.", ["Michael van der Berg"]),
        ("Sincerely,\nPriya Raghunathan", ["Priya Raghunathan"]),
        ("Jeannine's son Tobias visited.", ["Jeannine", "Tobias"]),
    ],
)
def test_names_are_found(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_name_in_decomposed_letters_keeps_its_offsets() -> None:
    text = unicodedata.normalize("NFD", "Attending: Dr. Nguyễn saw him.")
    assert found(text) == [unicodedata.normalize("NFD", "Nguyễn")]


@pytest.mark.parametrize(
    "text",
    [
        "Patient may ambulate with a walker; will follow a low sodium diet.",
        "History of Hodgkin lymphoma and Parkinson's disease.",
        "A Swan-Ganz catheter was floated. A Jackson-Pratt drain was placed.",
        "Allergies: penicillin, sulfa, Bactrim.",
        "Past Medical History: Hypertension, Diabetes, Gout.",
        "Chief Complaint: Chest Pain. Review of Systems: Negative.",
        "Sputum grew Staphylococcus aureus; E. coli in urine.",
        "Emergency Department of the hospital. Medical Center policy.",
        "The wound was closed with 3-0 Vicryl and dressed with Steri-Strips.",
        "Started Lipitor 20 mg; Foley removed. Babinski negative.",
        "",
    ],
)
def test_medicine_and_plain_words_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Foley catheter in place, seen by Dr. Foley", ["Foley"]),
        ("Sonia Parkinson, MD, treats Parkinson's disease", ["Sonia Parkinson"]),
        ("Mr. Murphy had a positive Murphy sign", ["Murphy"]),
        ("Surgeon: Whipple\nProcedure: Whipple procedure", ["Whipple"]),
    ],
)
def test_a_title_beats_an_eponym_and_an_eponym_with_its_noun_beats_a_name(text: str, kept: list[str]) -> None:
    assert found(text) == kept
    assert text.index(kept[0]) >= 0


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("lives in Pawnee Rock with her son", ["Pawnee Rock"]),
        ("She moved to Zzyzxville last year", ["Zzyzxville"]),
        ("Transfer to Picheta Memorial Hospital planned", ["Picheta Memorial Hospital"]),
        ("at the University of Quuxford Medical Center today", ["University of Quuxford Medical Center"]),
        ("admitted to St. Luke's Hospital", ["St. Luke's Hospital"]),
        ("The patient works for Ryan-Powell and smokes", ["Ryan-Powell"]),
        ("Employer: Wagner Ltd", ["Wagner Ltd"]),
        ("Employer: Smith, Jones and Brown", ["Smith, Jones and Brown"]),
        ("He was seen at VA Phoenix yesterday", ["VA Phoenix"]),
    ],
)
def test_places_and_organisations_are_found(text: str, places: list[str]) -> None:
    assert found(text) == places


def test_a_city_before_a_state_is_found_and_the_state_is_labelled() -> None:
    text = "Address: Ovid NY 14521"
    spans = list(EnglishPlaces().find(Page(text)))
    assert [(span.of(text), span.label) for span in spans] == [("Ovid", "city"), ("NY", "state")]


@given(
    st.lists(st.sampled_from(PIECES), max_size=40),
    st.sampled_from(["", " "]),
)
def test_whatever_stands_together_spans_stay_inside_the_text(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    page = Page(text)
    for detector in DETECTORS:
        for span in detector.find(page):
            assert 0 <= span.start < span.end <= len(text)
            assert span.of(text) == span.of(text).strip()
            assert 0.0 < span.certainty < 1.0


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        "-",
        " ",
        "A a ",
        "Foley-",
        "1 x ",
        "Hospital ",
        "St. ",
        "M. ",
        "Anna, ",
        "van ",
        "3/",
        "Jo b. ",
    ],
)
def test_a_long_monotonous_note_takes_time_in_proportion_to_its_length(piece: str) -> None:
    """Steps of the interpreter are counted, not seconds: four times the text takes about four times more."""
    steps = [_steps(piece * count) for count in (400, 1600)]
    assert steps[1] <= 5 * steps[0] + 2000


def _steps(text: str) -> int:
    import sys

    counted = 0

    def count(frame: object, event: str, argument: object) -> object:
        nonlocal counted
        counted += 1
        return count

    page = Page(text)
    _ = page.tokens
    for detector in DETECTORS:
        list(detector.find(Page("warm up")))
    old = sys.gettrace()
    sys.settrace(count)  # type: ignore[arg-type]
    try:
        for detector in DETECTORS:
            list(detector.find(page))
    finally:
        sys.settrace(old)
    return counted
