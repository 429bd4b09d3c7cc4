"""Attacks on replaced names and places: letters that survive, and made-up values that are true elsewhere."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Note, Record
from sfumato.text.replace import Masks, Pseudonyms, Surrogates, Tags
from sfumato.text.replace.contract import Replacement
from sfumato.text.span import Span
from tests.growth import grows_with_the_length
from tests.oracles.text_replace import plain
from tests.text.replace.examples import marked, replaced

NAMES = (Tags(), Pseudonyms(), Surrogates())
SCRIPTS = ("प्रिया शर्मा", "مُحَمَّد", "נָתָן", "สมชาย วงศ์ใหญ่", "தமிழ்", "Нина Ивано́ва", "김민수", "王小明")


def letters(text: str) -> set[str]:
    return {letter for letter in text if unicodedata.category(letter)[0] in "LM" and not letter.isascii()}


@pytest.mark.parametrize("replacement", NAMES, ids=lambda replacement: replacement.name)
@pytest.mark.parametrize("name", SCRIPTS)
def test_no_letter_or_mark_of_any_script_survives(name: str, replacement: Replacement, key: Secrets) -> None:
    [after] = replaced(marked(f"|{{NAME {name}}}|"), replacement, key)
    assert letters(after).isdisjoint(letters(name))


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=("L", "M")), min_size=2, max_size=12))
def test_no_letter_of_whatever_name_survives(key: Secrets, name: str) -> None:
    text = f"|{name}|"
    found = Found(Record((Note(text),), "P"), ((Span(1, len(text) - 1, Kind.NAME),),))
    for replacement in NAMES:
        [[change]] = replacement.changes(found, key)
        assert letters(change.after).isdisjoint(letters(name))


@pytest.mark.parametrize("name", ["E. Jr.", "J. III", "Jr. E"])
def test_a_generation_beside_initials_is_left_out(name: str, key: Secrets) -> None:
    [after] = replaced(marked(f"|{{NAME {name}}}|"), Surrogates(), key)
    assert "Jr" not in after
    assert "III" not in after


def test_a_made_up_place_is_no_true_place_of_the_record(key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    lists = load_surrogates("en")
    cities = [city for city, _ in lists.cities][:120]
    found = marked(" ".join(f"{{LOCATION/city {city}}}" for city in cities))
    [made] = Surrogates().changes(found, key)
    true = {plain(city) for city in cities}
    assert true.isdisjoint(plain(change.after) for change in made)


def test_a_made_up_hospital_is_no_true_hospital_of_the_record(key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    hospitals = [f"{name} Hospital" for name in load_surrogates("en").hospitals[:-8]]
    found = marked(" ".join(f"{{LOCATION/hospital {name}}}" for name in hospitals))
    [made] = Surrogates().changes(found, key)
    stems = {plain(name).removesuffix(" hospital") for name in hospitals}
    assert not [
        change.after for change in made if any(plain(change.after).startswith(stem) for stem in stems)
    ]


@pytest.mark.parametrize("code", ["110001", "1100", "03601", "K1A 0B1", "370 64"])
def test_three_digits_stay_only_of_a_zip_code_of_five(code: str, key: Secrets) -> None:
    [after] = replaced(marked(f"{{LOCATION/zip {code}}}"), Surrogates(), key)
    assert after[:3] != code[:3]


@pytest.mark.parametrize("place", range(20))
def test_digits_of_an_address_do_not_survive(place: int, key: Secrets) -> None:
    found = marked(f"{{EMAIL ew{place % 10}@mail.example}} {{EMAIL zoe{1950 + place}@mail.example}}")
    first, second = replaced(found, Surrogates(), key)[0].split(" ")
    assert str(place % 10) not in first
    assert str(1950 + place) not in second


def test_pseudonymising_twice_gives_the_same_as_once(key: Secrets) -> None:
    [once] = replaced(marked("{NAME Whitfield}, MRN {ID 8572335}"), Pseudonyms(), key)
    name, number = once.split(", MRN ")
    prefix, code = name.split("-", 1)
    again = marked(f"{{NAME {prefix}}}-{{ID {code}}}, MRN {{ID {number}}}")
    assert replaced(again, Pseudonyms(), key) == [once]
    assert replaced(marked("{NAME NAME-ABERNATHYANDERSON}"), Pseudonyms(), key) != ["NAME-ABERNATHYANDERSON"]


def test_names_and_texts_do_not_show_in_what_is_printed_about_them(key: Secrets) -> None:
    from sfumato.text.dates import read_date
    from sfumato.text.models.contract import Handled
    from sfumato.text.replace.lore import NameLore
    from sfumato.text.replace.people import people

    found = marked("{NAME Eleanor Whitfield} on {DATE 1/17/2003}", person="Whitfield-1")
    [made] = Masks().changes(found, key)
    handled = Handled(found.record, ("Whitfield is here",), (made,))
    for thing in (
        found,
        found.record.notes[0],
        handled,
        people(found, NameLore("en")),
        read_date("1/17/2003"),
    ):
        assert "hitfield" not in repr(thing)
        assert "2003" not in repr(thing)


@pytest.mark.parametrize(
    "note",
    [
        "{LOCATION/state Troy}, {LOCATION/state Tennessee}",
        "{LOCATION/state Troy, Tennessee}",
        "{LOCATION/country Troy}, {LOCATION/country Nigeria}",
    ],
)
def test_what_is_called_a_state_stays_only_when_it_is_one(note: str, key: Secrets) -> None:
    for replacement in (*NAMES, Masks()):
        assert "Troy" not in replaced(marked(note), replacement, key)[0]


@pytest.mark.parametrize("place", ["TN", "Tennessee", "new jersey", "WEST VIRGINIA", "Puerto Rico"])
def test_states_stay(place: str, key: Secrets) -> None:
    assert replaced(marked(f"in {{LOCATION/state {place}}}"), Surrogates(), key) == [f"in {place}"]


@pytest.mark.parametrize("place", ["Nigeria", "USA", "Mexico", "United Kingdom"])
def test_countries_stay(place: str, key: Secrets) -> None:
    assert replaced(marked(f"in {{LOCATION/country {place}}}"), Surrogates(), key) == [f"in {place}"]


@pytest.mark.parametrize("filler", ["A a ", "M. D.", "J. ", "van ", "o'o", "1 2 "])
def test_a_name_as_long_as_a_book_takes_linear_time(filler: str, key: Secrets) -> None:
    def replace_it(text: str) -> None:
        found = Found(Record((Note(text + "Smith"),), "P"), ((Span(0, len(text) + 5, Kind.NAME),),))
        for replacement in NAMES:
            replacement.changes(found, key)

    assert grows_with_the_length(replace_it, filler, short=2_000)


def test_broken_letters_are_replaced_like_others(key: Secrets) -> None:
    found = marked("{NAME A\ud800b}, {ID \ud8001234}, {LOCATION/city \ud800x}, {URL \ud800.example}")
    for replacement in NAMES:
        assert "1234" not in replaced(found, replacement, key)[0]
