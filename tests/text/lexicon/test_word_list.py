"""The lexicon: words are found however they are written, phrases respect the borders of words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.folding import bare, folded, parted
from sfumato.text.lexicon import Mark
from sfumato.text.page import Tokens, tokenise
from sfumato.text.surrogate_lists import load_surrogates
from sfumato.text.word_list import WordList, word_list
from sfumato.text.word_table import WordTable

NAMES = Mark.GIVEN_FEMALE | Mark.GIVEN_MALE | Mark.FAMILY


@pytest.mark.parametrize(
    "name",
    ["Nguyễn", "Bùi", "Kovács", "Okonkwo", "Hashimi", "Soylu", "Parkitna", "Ramachandran", "Ivanova",
    "Müller",
     "García", "Łukasz", "O'Neil", "Yılmaz", "Chen"],
)  # fmt: skip
def test_names_of_all_countries_are_known(name: str) -> None:
    parts = [part for part in tokenise(name).words if len(part) > 1]
    assert all(word_list("en").marks(part) & NAMES for part in parts)


@pytest.mark.parametrize(
    ("word", "mark"),
    [
        ("Percocet", Mark.DRUG), ("Lipitor", Mark.DRUG), ("vancomycin", Mark.DRUG),
        ("Foley", Mark.EPONYM), ("Hodgkin", Mark.EPONYM), ("Schmorl", Mark.EPONYM),
        ("nephrectomy", Mark.MEDICAL), ("WBC", Mark.MEDICAL), ("Chicago", Mark.CITY),
        ("TX", Mark.STATE), ("Hospital", Mark.ORGANISATION), ("daughter", Mark.RELATIVE),
        ("Lane", Mark.STREET), ("July", Mark.MONTH), ("patient", Mark.WORD_COMMON),
        ("walking", Mark.WORD_COMMON), ("carpenter", Mark.PROFESSION),
        ("Spanish", Mark.NATIONALITY), ("Germany", Mark.COUNTRY),
    ],
)  # fmt: skip
def test_words_are_known_for_what_they_are(word: str, mark: Mark) -> None:
    assert word_list("en").marks(word) & mark


@pytest.mark.parametrize("word", ["the", "of", "patient", "was", "she", "mg"])
def test_words_that_hold_a_sentence_together_are_no_names(word: str) -> None:
    assert not word_list("en").marks(word) & NAMES


def test_case_accents_and_their_composition_make_no_difference() -> None:
    lexicon = word_list("en")
    for name in ("Trần", "Gómez", "Şahin"):
        forms = {name, name.upper(), name.lower(), unicodedata.normalize("NFD", name), bare(folded(name))}
        assert len({lexicon.marks(form) for form in forms}) == 1


def test_an_unknown_word_has_no_marks() -> None:
    assert word_list("en").marks("zzxqv") == 0
    assert word_list("en").marks("z" * 100_000) == 0


@pytest.mark.parametrize("gap", [" ", "  ", "\n", "\r\n", "\t", " \n ", "\u00a0"])
def test_a_phrase_is_found_over_any_white_space(gap: str) -> None:
    found = word_list("en").phrases(tokenise(f"from Pawnee{gap}Rock today"))
    assert [(first, end) for first, end, marks in found if marks & Mark.CITY] == [(1, 3)]


def test_a_phrase_is_found_in_decomposed_letters() -> None:
    found = word_list("en").phrases(tokenise(unicodedata.normalize("NFD", "Guillain-Barré")))
    assert any((first, end) == (0, 3) and marks & Mark.EPONYM for first, end, marks in found)


def test_no_phrase_begins_or_ends_inside_a_word() -> None:
    assert not [one for one in word_list("en").phrases(tokenise("Anew Yorker")) if one[2] & Mark.CITY]


WORDS = st.sampled_from(["new", "york", "san", "jose", "-", "b", "á"])


@given(
    st.dictionaries(st.lists(WORDS, min_size=2, max_size=4).map(tuple), st.integers(1, 64), max_size=6),
    st.lists(WORDS, max_size=30),
)
def test_phrases_are_those_that_a_plain_search_finds(
    phrases: dict[tuple[str, ...], int], text: list[str]
) -> None:
    plain = {tuple(bare(word) for word in phrase): marks for phrase, marks in phrases.items()}
    lexicon = WordList.of({}, plain)
    tokens = Tokens(text, list(range(len(text))), list(range(1, len(text) + 1)))
    stripped = [bare(word) for word in text]
    expected = [
        (first, first + len(phrase), marks)
        for first in range(len(text))
        for phrase, marks in plain.items()
        if tuple(stripped[first : first + len(phrase)]) == phrase
    ]
    assert sorted(lexicon.phrases(tokens)) == sorted(expected)


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    for word in parted(text):
        assert bare(folded(word)) == word or not word.isascii()


def test_an_unknown_language_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(BadInput, match="no language"):
        word_list("xx")
    with pytest.raises(BadInput, match="no language"):
        load_surrogates("xx")


@pytest.mark.parametrize("language", ["en", "es"])
def test_surrogates_are_many_and_no_words_of_the_language(language: str) -> None:
    lists = load_surrogates(language)
    lexicon = word_list(language)
    assert min(len(lists.given_female), len(lists.given_male)) > 200
    assert len(lists.family) > 1000
    assert not set(lists.given_female) & set(lists.given_male)
    for name in (*lists.given_female, *lists.given_male, *lists.family):
        marks = lexicon.marks(name)
        assert marks & NAMES
        assert not marks & (Mark.DRUG | Mark.EPONYM | Mark.MEDICAL)
    assert all(city and state for city, state in lists.cities)


def test_spanish_tells_a_year_from_what_is_written_without_the_tilde() -> None:
    spanish = word_list("es")
    assert spanish.marks("García") & Mark.FAMILY
    assert spanish.marks("Zaragoza") & Mark.CITY
    assert spanish.marks("calle") & Mark.STREET
    assert spanish.marks("año") & Mark.WORD_COMMON


@given(st.dictionaries(st.text("abcé-", min_size=1, max_size=4), st.integers(1, 1 << 22), max_size=60))
def test_a_table_of_words_answers_as_a_dictionary_does(words: dict[str, int]) -> None:
    table = WordTable.of(words)
    asked = [*words, *(word + "a" for word in words), *(word[:-1] for word in words), "", "zz"]
    assert [table.get(word) for word in asked] == [words.get(word, 0) for word in asked]
    assert len(table) == len(words)
