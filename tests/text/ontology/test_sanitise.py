"""Sanitising notes: the lecture's text, whole records, other spans, and what cannot be reached."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.text.kinds import Kind
from sfumato.text.methods.sanitise import Sanitise
from sfumato.text.models.contract import Handled
from sfumato.text.models.t_plausibility import TPlausibility
from sfumato.text.note import Record
from sfumato.text.ontology import COUNTINGS, LOSSES, from_pairs, wordnet
from sfumato.text.ontology.counting import options_of
from sfumato.text.replace.apply import applied
from sfumato.text.replace.contract import Change
from sfumato.text.span import Span

TEXT = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer."
TERMS = ("Sacramento", "marijuana", "lumbar pain", "liver cancer")


def released(record: Record, changes: tuple[tuple[Change, ...], ...]) -> tuple[str, ...]:
    return tuple(applied(note.text, made)[0] for note, made in zip(record.notes, changes, strict=True))


def sanitised(method: Sanitise, *texts: str) -> tuple[str, ...]:
    record = Record.of(*texts)
    return released(record, method.changes(record))


def by_hand(text: str, **shown: str) -> Handled:
    """Change terms (blanks written as underscores) as somebody says."""
    changes = []
    for term, after in shown.items():
        start = text.index(term.replace("_", " "))
        changes.append(Change(Span(start, start + len(term), Kind.OTHER, "sensitive term"), after))
    changes.sort(key=lambda change: change.span)
    record = Record.of(text)
    return Handled(record, (applied(text, changes)[0],), (tuple(changes),))


LECTURE = by_hand(
    TEXT, Sacramento="state capital", marijuana="drug", lumbar_pain="pain", liver_cancer="carcinoma"
)


@pytest.mark.parametrize(("counting", "product"), [("paths", 96), ("descendants", 67_562_880)])
def test_the_lecture_text_fits_as_many_texts_as_it_says(counting: Any, product: int) -> None:
    assert LECTURE.released == ("A state capital resident purchased drug for the pain caused by carcinoma.",)
    for t, holds in ((product, True), (product + 1, False)):
        model = TPlausibility(t, counting)
        assert model.verdict(model.counted(LECTURE)).holds is holds


def test_the_factors_of_the_lecture_text_are_recounted() -> None:
    (changes,) = LECTURE.changes
    assert TPlausibility(96, "paths").factors(TEXT, changes) == [2, 6, 4, 2]
    assert TPlausibility(96).factors(TEXT, changes) == [56, 914, 66, 20]
    assert TPlausibility(96, "leaves").factors(TEXT, changes) == [56, 718, 55, 18]


def test_ninety_six_texts_are_the_least_loss_for_ninety_six_paths() -> None:
    method = Sanitise(96, terms=TERMS, counting="paths", search="exact")
    (changes,) = method.changes(Record.of(TEXT))
    assert math.prod(TPlausibility(96, "paths").factors(TEXT, changes)) == 96


@pytest.mark.parametrize("search", ["greedy", "exact"])
@pytest.mark.parametrize("counting", COUNTINGS)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_search_makes_the_promise_hold(search: Any, counting: Any, loss: Any) -> None:
    record = Record.of(TEXT)
    for t in (2, 96, 5000):
        for least in (1, 2):
            method = Sanitise(t, TERMS, search=search, counting=counting, loss=loss, least=least)
            changes = method.changes(record)
            model = TPlausibility(t, counting, least)
            verdict = model.verdict(model.counted(Handled(record, released(record, changes), changes)))
            assert verdict.holds, verdict


def test_a_listed_term_never_stays_unless_asked_for() -> None:
    (text,) = sanitised(Sanitise(2, TERMS), TEXT)
    assert not [term for term in TERMS if term in text]
    (changes,) = Sanitise(50, TERMS, least=1).changes(Record.of(TEXT))
    assert {change.how for change in changes} == {"kept", "generalised"}


def test_the_words_fit_their_place() -> None:
    method = Sanitise(50, ("tuberculosis", "aspirin"))
    assert sanitised(method, "Tuberculosis. HISTORY OF TUBERCULOSIS NOTED. A tuberculosis ward.") == (
        "Infectious disease. HISTORY OF INFECTIOUS DISEASE NOTED. An infectious disease ward.",
    )
    assert sanitised(Sanitise(20, ("pneumonia",)), "two pneumonias") == ("two respiratory diseases",)


def test_an_article_is_set_anew_so_that_it_does_not_tell_the_first_letter() -> None:
    ours = from_pairs([("apple", "fruit"), ("pear", "fruit"), ("anvil", "tool"), ("saw", "tool")])
    method = Sanitise(2, ("apple", "pear"), ontology=ours)
    assert sanitised(method, "An apple, an\tapple, a pear, THE apple.") == (
        "A fruit, a\tfruit, a fruit, THE fruit.",
    )


def test_repeated_mentions_and_synonyms_are_shown_alike_and_counted_once() -> None:
    method = Sanitise(20, ("marijuana",))
    record = Record.of("marijuana, Marijuana and cannabis", "more marijuana")
    changes = method.changes(record)
    assert len({change.after.lower() for made in changes for change in made}) == 1
    assert len(TPlausibility(20).factors(record.notes[0].text, changes[0])) == 1


def test_every_note_of_a_record_reaches_t_with_one_choice() -> None:
    record = Record.of("tuberculosis", "tuberculosis and aspirin", "nothing here")
    changes = Sanitise(500, ("tuberculosis", "aspirin")).changes(record)
    assert changes[2] == ()
    model = TPlausibility(500)
    counts = model.counted(Handled(record, released(record, changes), changes))
    assert (counts["failed"], counts["notes without sensitive terms"]) == (0, 1)
    assert changes[0][0].after == changes[1][0].after


def test_identifiers_are_never_touched() -> None:
    text = "Aspirin for A. Cancer, who has cancer and an ulcer"
    name = Span(12, 21, Kind.NAME)
    (changes,) = Sanitise(20, ("cancer", "aspirin", "ulcer")).changes(Record.of(text), ((name,),))
    assert [change.span.of(text) for change in changes if not change.span.overlaps(name)] == [
        change.span.of(text) for change in changes
    ]
    assert changes[0].span.start == 0
    assert len(changes) == 3


def test_an_article_inside_a_taken_span_stays() -> None:
    text = "Mr An aspirin"
    (changes,) = Sanitise(5, ("aspirin",)).changes(Record.of(text), ((Span(3, 5, Kind.NAME),),))
    assert changes[0].span.start == 6


def test_marked_spans_are_sensitive_in_the_whole_record() -> None:
    record = Record.of("has gout", "Gout again")
    changes = Sanitise(20).changes(record, sensitive=((Span(4, 8, Kind.OTHER),), ()))
    assert [len(made) for made in changes] == [1, 1]
    with pytest.raises(BadInput, match="overlap"):
        Sanitise(20).changes(
            record, ((Span(2, 5, Kind.NAME),), ()), sensitive=((Span(4, 8, Kind.OTHER),), ())
        )


def test_what_cannot_be_reached_is_said_with_what_can() -> None:
    ours = from_pairs([("flu", "illness"), ("gout", "illness"), ("cold", "illness")])
    with pytest.raises(
        PromiseNotMet, match="note '1' has 1 sensitive term and fits 3 texts at most"
    ) as caught:
        Sanitise(4, ("flu",), ontology=ours).changes(Record.of("the flu"))
    assert "ask for t ≤ 3" in str(caught.value)
    assert "flu" not in str(caught.value)
    assert sanitised(Sanitise(3, ("flu",), ontology=ours), "the flu") == ("the illness",)
    with pytest.raises(PromiseNotMet, match="cannot hide among 4; at most among 3"):
        Sanitise(2, ("flu",), least=4, ontology=ours).changes(Record.of("the flu"))


def test_a_parent_with_one_child_hides_nothing() -> None:
    ours = from_pairs([("flu", "influenza"), ("influenza", "illness"), ("gout", "illness")])
    assert sanitised(Sanitise(2, ("flu",), ontology=ours), "flu") == ("illness",)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"t": 0}, "t must be a whole number"),
        ({"t": True}, "t must be a whole number"),
        ({"t": 2, "least": 0}, "least must be a whole number"),
        ({"t": 2, "search": "exakt"}, "did you mean 'exact'"),
        ({"t": 2, "loss": "entropie"}, "did you mean 'entropy'"),
        ({"t": 2, "counting": "path"}, "did you mean 'paths'"),
        ({"t": 2, "subtrees": "disease"}, "subtrees must be a list"),
    ],
)
def test_wrong_parameters_are_refused_where_they_are_written(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Sanitise(**wrong)


def test_the_check_does_not_believe_what_is_not_above() -> None:
    model = TPlausibility(2)
    for after in ("country", "no such thing", "tuberculosis", "Tuberculosis", "TB", "pulmonary tuberculosis"):
        assert not model.verdict(model.counted(by_hand("Has tuberculosis.", tuberculosis=after))).holds, after


def test_the_check_sees_a_term_that_stands_elsewhere() -> None:
    handled = by_hand("tuberculosis and Tuberculosis.", tuberculosis="infectious disease")
    model = TPlausibility(20)
    verdict = model.verdict(model.counted(handled))
    assert not verdict.holds
    assert "1 notes in which a changed term stands elsewhere" in verdict.note


def test_the_check_sees_other_text() -> None:
    good = by_hand("Has gout, is well.", gout="arthritis")
    bad = Handled(good.record, (good.released[0].replace("well", "ill"),), good.changes)
    model = TPlausibility(2)
    assert model.verdict(model.counted(good)).holds
    assert not model.verdict(model.counted(bad)).holds


def test_the_check_counts_over_records_in_any_order() -> None:
    model = TPlausibility(50)
    one, two = by_hand("gout", gout="arthritis"), by_hand("tuberculosis", tuberculosis="infectious disease")
    verdict = model.verdict(model.counted(one) + model.counted(two))
    assert verdict == model.verdict(model.counted(two) + model.counted(one))
    assert (verdict.holds, verdict.violations) == (False, 1)


PIECES = [
    *("tuberculosis", "Gout", "an aspirin", "A PNEUMONIA", "liver\ncancers", "cancer", "Paris", "in Turkey"),
    *(
        "Crohn’s disease",
        "CANCERS",
        "common cold",
        "drugs",
        "illness",
        "france",
        "Turkeys",
        "tb",
        "TBs",
        "flu",
    ),
    *("turkey", "the", "128/74", "é̂", "🫀", ".", "\r\n", "x", "tuberculosis-like", "MI", "ED", "colds", "*"),
]


@functools.cache
def method_of(t: int, search: Any, least: int) -> Sanitise:
    return Sanitise(t, ("liver cancer",), ("ill health", "drug", "country"), search=search, least=least)


@settings(max_examples=150, deadline=None)
@given(
    notes=st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join), min_size=1, max_size=3),
    t=st.sampled_from([1, 7, 50, 4000]),
    least=st.integers(1, 3),
    search=st.sampled_from(["greedy", "exact"]),
    data=st.data(),
)
def test_notes_stay_as_they_are_outside_terms_and_the_promise_holds(
    notes: list[str], t: int, least: int, search: Any, data: st.DataObject
) -> None:
    record = Record.of(*notes)
    taken = []
    for text in notes:
        cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        taken.append(tuple(Span(low, high, Kind.NAME) for low, high in pairs))
    changes = method_of(t, search, least).changes(record, tuple(taken))
    masked = tuple(
        tuple(sorted((*made, *(Change(span, "**") for span in spans)), key=lambda change: change.span))
        for made, spans in zip(changes, taken, strict=True)
    )
    texts = released(record, masked)
    for note, made, text in zip(record.notes, masked, texts, strict=True):
        at = rest = 0
        for change in made:
            outside = note.text[at : change.span.start]
            assert text[rest : rest + len(outside)] == outside
            rest += len(outside) + len(change.after)
            at = change.span.end
        assert text[rest:] == note.text[at:]
    model = TPlausibility(t, least=least)
    verdict = model.verdict(model.counted(Handled(record, texts, masked)))
    assert verdict.holds, verdict


def test_search_and_check_count_alike_over_many_words_of_wordnet() -> None:
    """Two ways of counting, written apart: every seventieth disease and all that it can be shown as."""
    nouns = wordnet()
    for counting in COUNTINGS:
        model = TPlausibility(1, counting)  # type: ignore[arg-type]
        for concept in sorted(nouns.under(nouns.one("ill health")))[::70]:
            for term in nouns.spellings_of(concept)[:1]:
                for option in options_of(nouns, concept, [term], counting)[1:]:  # type: ignore[arg-type]
                    change = Change(Span(0, len(term), Kind.OTHER, "x"), nouns.labels[option.concept])
                    assert model.factors(term, [change]) == [option.count], (term, change.after, counting)
