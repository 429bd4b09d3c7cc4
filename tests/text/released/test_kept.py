"""What a policy keeps is decided word by word, on the final span: no name stays beside a word that may."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking.contract import Secrets
from sfumato.text.finders import LanguageFinding
from sfumato.text.kinds import Kind
from sfumato.text.methods.deidentify import Deidentify
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.policy import SAFE_HARBOR
from sfumato.text.replace import REPLACEMENTS, Masks, Tags
from sfumato.text.replace.apply import applied
from sfumato.text.scrub import handler_for
from sfumato.text.span import THRESHOLD, Span
from tests.text.released.sentences import Sentence, sentences
from tests.text.replace.examples import marked

HANDLERS = {code: handler_for(Deidentify(), LanguageFinding(code)) for code in ("en", "es")}
EPONYMS = ("Wolfram",)
"""names that a syndrome bears: beside nothing that says so, medicine may win the competition"""


def released(sentence: Sentence) -> list[str]:
    """Return the words of a name that a detector proposed, or that are part of what was found, and stay."""
    handler = HANDLERS[sentence.language]
    [changes] = handler.handle(Record.of(sentence.text))[0].changes
    gone = {
        at
        for change in changes
        if change.after != change.span.of(sentence.text)
        for at in range(change.span.start, change.span.end)
    }
    page = Page(sentence.text)
    proposed = {
        at
        for span in (
            *(span for detector in handler.finder.detectors for span in detector.find(page)),
            *(change.span for change in changes),
        )
        if span.kind is not Kind.CLINICAL and span.certainty >= THRESHOLD
        for at in range(span.start, span.end)
    }
    stay = []
    for start, end in sentence.words():
        letters = {at for at in range(start, end) if sentence.text[at].isalnum()}
        word = sentence.text[start:end]
        shown = any(word in change.after for change in changes if change.span.kind is Kind.NAME)
        if (letters & proposed - gone or shown) and word not in EPONYMS:
            stay.append(word)
    return stay


def test_no_proposed_name_is_released_beside_a_relative_a_profession_or_a_state() -> None:
    assert [one.text for one in sentences(960) if released(one)] == []


@pytest.mark.slow
def test_no_proposed_name_is_released_in_ten_thousand_sentences() -> None:
    assert [one.text for one in sentences(10_000, seed=19) if released(one)] == []


def test_a_spanish_relative_stays_and_the_name_behind_goes() -> None:
    assert (
        sf.scrub("Acudió con su hijo Evric Calvan.", language="es") == "Acudió con su hijo **NAME[BBB AAA]."
    )
    assert sf.scrub("Acudió con su hermano mayor.", language="es") == "Acudió con su hermano mayor."


KEPT = {
    ("es", Kind.OTHER, "kinship"): ("hijo", "abuela materna", "hermano gemelo", "padres", "2 sobrinos"),
    ("es", Kind.PROFESSION, ""): ("enfermera", "ama de casa", "carpintero"),
    ("en", Kind.PROFESSION, ""): ("nurse", "retired teacher", "Engineer"),
    ("es", Kind.SEX, ""): ("varón", "Mujer", "H"),
    ("en", Kind.SEX, ""): ("male", "F", "woman"),
    ("en", Kind.DATE, "time"): ("14:30", "9 am", "noon"),
    ("en", Kind.AGE, ""): ("72", "72-year-old", "seventy-two", "6 months"),
    ("es", Kind.AGE, ""): ("72 años", "un año y medio", "18 meses"),
}
STRANGERS = ("Evric", "Okonkwo", "evric", "Rosa", "Grace", "Quillon", "4711234", "Jürgen", "Ångström")


def written(code: str, kind: Kind, label: str, text: str, replacement: type) -> str:
    found = Found(Record.of(text, person="P"), ((Span(0, len(text), kind, label),),))
    return applied(text, replacement(language=code).changes(found, Secrets())[0])[0]


@pytest.mark.parametrize("case", KEPT, ids=str)
def test_words_that_are_what_the_label_says_stay(case: tuple[str, Kind, str]) -> None:
    for text in KEPT[case]:
        assert written(*case, text, Tags) == text


KEYLESS = [kind for kind in REPLACEMENTS.values() if not kind().needs_key]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(KEPT, key=str)),
    st.data(),
    st.lists(st.sampled_from(STRANGERS), min_size=1, max_size=3),
    st.sampled_from(KEYLESS),
)
def test_no_stranger_stays_wherever_it_stands_in_what_is_kept(
    case: tuple[str, Kind, str], data: st.DataObject, strangers: list[str], replacement: type
) -> None:
    words = data.draw(st.sampled_from(KEPT[case])).split(" ")
    for stranger in strangers:
        words.insert(data.draw(st.integers(0, len(words))), stranger)
    after = written(*case, " ".join(words), replacement)
    assert not [stranger for stranger in strangers if stranger in after]


@pytest.mark.parametrize("age", ["95", "noventa y cinco", "101", "cien"])
def test_an_age_over_89_does_not_stay_beside_a_relative(age: str) -> None:
    after = written("es", Kind.OTHER, "kinship", f"abuela materna de {age} años", Tags)
    assert after == "abuela materna de **AGE[over 89] años"


STATES = ("Michigan", "New York", "North Carolina", "Georgia", "Washington", "Virginia", "West Virginia")
INSTITUTIONS = (
    "University of {}", "{} General Hospital", "State University of {}", "Mayo Clinic {}", "Bank of {}",
    "Kaiser Permanente of {}", "Children's Hospital of {}", "Medical College of {}", "Cancer Centers of {}",
)  # fmt: skip
COUNTRIES = ("México", "Costa Rica", "Chile", "Argentina", "Israel")
SPANISH = ("Hospital General de {}", "Clínica {}", "Universidad de {}", "Laboratorios {}", "Banco de {}")


@pytest.mark.parametrize(("form", "state"), [*itertools.product(INSTITUTIONS, STATES)])
def test_no_half_of_an_institution_stays(form: str, state: str) -> None:
    after = sf.scrub(f"She was transferred from {form.format(state)} last week.")
    left = [word for word in form.format(state).split() if word != "of" and word in after]
    assert not left


@pytest.mark.parametrize(("form", "country"), [*itertools.product(SPANISH, COUNTRIES)])
def test_no_half_of_a_spanish_institution_stays(form: str, country: str) -> None:
    after = sf.scrub(f"Fue trasladada desde {form.format(country)} ayer.", language="es")
    assert not [word for word in form.format(country).split() if word != "de" and word in after]


TOWNS = (
    "She moved to New York.", "Lives in New York with a friend.", "Flew in from Washington.", "New York, NY",
    "Lives in New\u00a0York.",
)  # fmt: skip
NAMED_STATES = (
    "in upstate {LOCATION/state New York}", "the state of {LOCATION/state New York}",
    "{LOCATION/city Buffalo}, {LOCATION/state New York}", "{LOCATION/state New York} {LOCATION/zip 14201}",
    "{LOCATION/state New Jersey} and {LOCATION/state New York}", "in {LOCATION/state Washington} State",
    "moved to {LOCATION/country Georgia}", "{LOCATION/state Virginia} or {LOCATION/state Ohio}",
    "Country: {LOCATION/country Israel}",
)  # fmt: skip


@pytest.mark.parametrize("text", TOWNS)
def test_a_state_that_is_called_as_a_town_counts_as_the_town(text: str) -> None:
    assert not [name for name in ("New York", "Washington", "York") if name in sf.scrub(text)]


@pytest.mark.parametrize("note", NAMED_STATES)
def test_it_stays_where_something_says_that_the_state_is_meant(note: str) -> None:
    found = marked(note)
    [changes] = Tags().changes(found, Secrets())
    assert all(change.after == change.span.of(found.record.notes[0].text) for change in changes
               if change.span.label in ("state", "country"))  # fmt: skip
    assert any(change.span.label in ("state", "country") for change in changes)


@pytest.mark.parametrize("text", ["Jordan {}, a cook", "Georgia {} called", "Israel {} llamó"])
def test_a_country_that_is_half_of_a_name_goes_with_it(text: str) -> None:
    said = text.format("Vermeulen")
    first = said.index("Vermeulen")
    spans = (Span(0, first - 1, Kind.LOCATION, "country"), Span(first, first + 9, Kind.NAME))
    [changes] = Masks().changes(Found(Record.of(said), (spans,)), Secrets())
    assert applied(said, changes)[0].startswith("**** ****")


def test_a_policy_that_keeps_years_still_lumps_those_of_people_over_89() -> None:
    policy = dataclasses.replace(SAFE_HARBOR, kept=SAFE_HARBOR.kept | {"DATE/year"}, this_year=2026)
    text = "1931 2004 2004x"
    spans = (Span(0, 4, Kind.DATE, "year"), Span(5, 9, Kind.DATE, "year"), Span(10, 15, Kind.DATE, "year"))
    [changes] = Tags(policy=policy).changes(Found(Record.of(text), (spans,)), Secrets())
    assert [change.after for change in changes][:2] == ["**DATE[1936 or earlier]", "2004"]
    assert "x" not in changes[2].after
