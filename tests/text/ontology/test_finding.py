"""Sensitive terms in texts, the senses they are taken in, and the words that replace them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.kinds import Kind
from sfumato.text.ontology import MEDICAL, Senses, TermIndex, from_pairs, wordnet
from sfumato.text.ontology.wording import article, fitted, plural, singulars
from sfumato.text.span import Span

NOUNS = wordnet()


def found(index: TermIndex, text: str, taken: tuple[Span, ...] = ()) -> list[str]:
    return [text[mention.start : mention.end] for mention in index.find(text, taken)]


@pytest.fixture(scope="module")
def illness() -> TermIndex:
    return TermIndex.of(Senses(NOUNS), subtrees=["ill health", "mental disorder", "symptom", "drug"])


def test_the_longest_term_is_found(illness: TermIndex) -> None:
    assert found(illness, "liver cancer, cancer of the liver, pulmonary tuberculosis.") == [
        "liver cancer",
        "cancer of the liver",
        "pulmonary tuberculosis",
    ]


def test_plurals_capitals_line_ends_and_apostrophes_make_no_difference(illness: TermIndex) -> None:
    text = "LIVER\r\n CANCERS, Pneumonias, Crohn’s disease; neuroses"
    assert found(illness, text) == ["LIVER\r\n CANCERS", "Pneumonias", "Crohn’s disease", "neuroses"]


def test_the_name_of_a_part_is_not_itself_sensitive() -> None:
    index = TermIndex.of(Senses(NOUNS), subtrees=["disease"])
    assert found(index, "a disease such as tuberculosis") == ["tuberculosis"]


def test_nothing_is_found_inside_a_longer_word_or_a_taken_span(illness: TermIndex) -> None:
    assert found(illness, "cancerous, precancer, tuberculosis2") == []
    text = "liver cancer and cancer"
    assert found(illness, text, (Span(0, 5, Kind.NAME),)) == ["cancer", "cancer"]
    assert found(illness, text, (Span(6, 12, Kind.NAME),)) == ["cancer"]
    assert found(illness, text, (Span(0, 12, Kind.NAME), Span(17, 20, Kind.NAME))) == []


def test_short_terms_of_capitals_need_their_capitals(illness: TermIndex) -> None:
    assert found(illness, "Ms Vole has TB, no MI. x 2, mi") == ["TB", "MI"]


def test_capitals_tell_a_country_from_a_bird() -> None:
    index = TermIndex.of(Senses(NOUNS), subtrees=["country"])
    assert found(index, "He ate turkey in Turkey") == ["Turkey"]
    assert found(index, "born in france") == ["france"]


def test_what_is_sensitive_once_is_so_in_the_whole_record() -> None:
    index = TermIndex.of(Senses(NOUNS), subtrees=["country"])
    ate, flew = index.find_all(["He ate turkey", "He flew to Turkey"], [(), ()])
    assert [(mention.start, mention.end) for mention in ate] == [(7, 13)]
    assert ate[0].sense == flew[0].sense


def test_a_synonym_of_a_listed_term_is_found_in_that_sense() -> None:
    index = TermIndex.of(Senses(NOUNS), terms=["marijuana"])
    assert found(index, "cannabis, Ganja and marihuana on the grass") == ["cannabis", "Ganja", "marihuana"]


def test_a_term_that_is_not_known_is_refused_by_its_place_and_not_by_its_name() -> None:
    with pytest.raises(BadInput, match="term 2: a sensitive term is not known to WordNet") as caught:
        TermIndex.of(Senses(NOUNS), terms=["cancer", "Zzyzx fever"])
    assert "Zzyzx" not in str(caught.value)
    with pytest.raises(BadInput, match="part 1 of the ontology"):
        TermIndex.of(Senses(NOUNS), subtrees=["Zzyzx"])


def test_spans_that_somebody_marked_are_terms() -> None:
    index = TermIndex.of(Senses(NOUNS))
    (mention,) = index.of_spans("two neuroses", [Span(4, 12, Kind.OTHER)])
    assert (mention.many, NOUNS.labels[mention.sense]) == (True, "neurosis")
    with pytest.raises(BadInput, match="note 'a', characters 0 to 3"):
        index.of_spans("zzz", [Span(0, 3, Kind.OTHER)], "note 'a'")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["liver", "cancer", "cancers", "tuberculosis", "a", ".", "é", "🫀", "\n"])))
def test_mentions_are_apart_in_order_and_are_terms(words: list[str]) -> None:
    index = TermIndex.of(Senses(NOUNS), terms=["liver cancer", "cancer", "tuberculosis"])
    text = " ".join(words)
    mentions = index.find(text)
    assert all(one.end <= two.start for one, two in pairwise(mentions))
    covered = sum(text[mention.start : mention.end].count("cancer") for mention in mentions)
    assert covered == sum(word.startswith("cancer") for word in words)
    for mention in mentions:
        assert mention.sense in NOUNS.readings(text[mention.start : mention.end])


def test_senses_are_chosen_by_frequency_then_preference_then_the_user() -> None:
    assert NOUNS.labels[Senses(NOUNS, ()).of("marijuana")[0]] == "marijuana"
    assert NOUNS.labels[Senses(NOUNS, MEDICAL).of("marijuana")[0]] == "cannabis"
    assert NOUNS.labels[Senses(NOUNS, MEDICAL).of("speed")[0]] == "speed"
    chosen = Senses(NOUNS, MEDICAL, {"speed": "drug"})
    assert NOUNS.labels[chosen.of("Speed")[0]] == "amphetamine"
    assert chosen.ambiguous(["speed", "tuberculosis", "crack"]) == ("crack",)


def test_a_sense_that_does_not_exist_cannot_be_chosen() -> None:
    with pytest.raises(BadInput, match="no sense of a chosen term lies under"):
        Senses(NOUNS, MEDICAL, {"tuberculosis": "country"})


def test_preferences_that_an_ontology_does_not_know_are_passed_over() -> None:
    ours = from_pairs([("a", "b")])
    assert Senses(ours).of("a") == ours.senses_of("a")


@pytest.mark.parametrize(
    ("term", "many"),
    [
        ("infectious disease", "infectious diseases"),
        ("injury", "injuries"),
        ("mass", "masses"),
        ("loss of appetite", "losses of appetite"),
        ("milkman", "milkmen"),
        ("vertebra", "vertebrae"),
        ("human", "humans"),
    ],
)
def test_plurals_and_back(term: str, many: str) -> None:
    irregular = {single: plural for plural, single in NOUNS.irregular.items()}
    assert plural(term, irregular) == many
    if " of " not in term:
        assert term in singulars(many, NOUNS.irregular)


def test_the_article_follows_the_sound() -> None:
    for word in ("ache", "hour", "illness", "MRI", "ulcer", "X-ray"):
        assert article(word) == "an", word
    for word in ("drug", "eunuch", "uniform", "use", "history", "Y"):
        assert article(word) == "a", word


def test_capitals_follow_the_place_and_never_the_hidden_word() -> None:
    assert fitted("virus", "seen: HIV positive", 6, 9) == "Virus"
    assert fitted("virus", "has HIV now", 4, 7) == "virus"
    assert fitted("virus", "HAS HIV NOW", 4, 7) == "VIRUS"
    assert fitted("city", "from Paris to", 5, 10) == "city"
    assert fitted("city", "Well. Paris", 6, 11) == "City"
    assert fitted("city", "Well. paris", 6, 11) == "city"
