"""Evaluations: notes without a leak, groups, confusion, and what may be published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated, read_jsonl
from sfumato.text.evaluate import EVERYTHING, HIPAA, evaluate, evaluate_finder, examples, over_redaction
from sfumato.text.evaluate.over_redaction import shape
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Record
from sfumato.text.risk import residual_risk
from sfumato.text.span import Span
from tests.text.corpus import notes_of

ADA = Annotated(
    "Ada Lovelace, born May 3, in Paris",
    (
        Span(0, 12, Kind.NAME, "patient"),
        Span(19, 24, Kind.DATE, "partial"),
        Span(29, 34, Kind.LOCATION, "city"),
    ),
    id="1",
    template="letter",
)
PLAIN = Annotated("Foley placed by Ada", (Span(16, 19, Kind.NAME, "doctor"),), id="2", template="nursing")


def test_a_perfect_finder_leaks_nothing_and_takes_nothing_too_much() -> None:
    notes = notes_of("dev", each=3)
    outcome = evaluate(notes, [note.spans for note in notes])
    assert outcome.tokens.recall == outcome.tokens.precision == outcome.spans.typed_f1 == 1
    assert outcome.leak_free == outcome.notes == len(notes)
    assert outcome.failing() == ()


def test_a_finder_that_finds_nothing_leaves_no_note_without_a_leak() -> None:
    outcome = evaluate([ADA, PLAIN], [[], []])
    assert (outcome.tokens.recall, outcome.tokens.precision, outcome.leak_free) == (0, None, 0)
    assert outcome.precision.value is None


def test_figures_of_a_case_counted_by_hand() -> None:
    found = [
        [Span(0, 3, Kind.NAME), Span(19, 24, Kind.DATE), Span(29, 34, Kind.NAME)],
        [Span(0, 5, Kind.NAME), Span(16, 19, Kind.NAME)],
    ]
    outcome = evaluate([ADA, PLAIN], found)
    # Identifying: Ada, Lovelace, May, 3, Paris; Ada. Missed: Lovelace. Too much: Foley.
    assert (outcome.tokens.found, outcome.tokens.missed, outcome.tokens.too_much) == (5, 1, 1)
    assert outcome.tokens.typed == 4
    assert (outcome.spans.gold, outcome.spans.exact, outcome.spans.typed) == (4, 3, 2)
    assert (outcome.spans.covered, outcome.spans.touched, outcome.spans.found) == (3, 4, 5)
    assert outcome.leak_free == 1
    assert outcome.by_kind["NAME"].tokens.recall == 2 / 3
    assert outcome.by_kind["NAME"].tokens.precision == 2 / 3
    assert outcome.by_kind["LOCATION"].tokens.typed_recall == 0
    assert outcome.by_label["doctor"].tokens.recall == 1
    assert outcome.by_template["letter"].leak_free == 0
    assert outcome.failing() == ("letter",)
    assert outcome.confusion["LOCATION", "NAME"] == 1
    assert outcome.confusion["NAME", "–"] == 1
    assert outcome.confusion["–", "NAME"] == 1


def test_an_evaluation_prints_its_figures_and_its_bound() -> None:
    told = str(evaluate([ADA, PLAIN], [ADA.spans, []]))
    assert "notes without leak 1 of 2" in told
    assert "With 95 % confidence at least" in told
    assert "nursing" in told


def test_what_is_public_holds_numbers_only_and_neither_labels_nor_templates() -> None:
    public = json.dumps(evaluate([ADA, PLAIN], [ADA.spans, []]).public())
    for word in ("Ada", "Lovelace", "Paris", "letter", "nursing", "doctor", "patient"):
        assert word not in public


def test_an_evaluation_holds_no_text() -> None:
    outcome = evaluate([ADA, PLAIN], [[Span(0, 3, Kind.NAME)], []])
    assert "Lovelace" not in repr(outcome)
    assert "Lovelace" not in str(outcome)


def test_without_gold_nothing_is_claimed() -> None:
    outcome = evaluate([Annotated("all well", ())], [[]])
    assert outcome.recall.value is None
    assert "nothing can be said" in outcome.sentence()
    with pytest.raises(BadInput, match="cannot be estimated"):
        residual_risk(outcome, 100)


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(BadInput, match="its list of found spans"):
        evaluate([ADA], [])


def test_a_finder_is_run_note_by_note() -> None:
    class Names:
        def find(self, record: Record) -> Found:
            return Found(record, tuple((Span(0, 3, Kind.NAME),) for _ in record.notes))

    assert evaluate_finder(Names(), [ADA, PLAIN]).tokens.found == 1


def test_over_redaction_counts_tokens_and_shows_shapes_but_no_words_unless_asked() -> None:
    texts = ["Foley to gravity, BP 120/80", "Aged 45 and well"]
    found = [[Span(0, 5, Kind.NAME), Span(21, 27, Kind.DATE)], [Span(5, 7, Kind.AGE)]]
    quiet = over_redaction(texts, found)
    assert (quiet.found, quiet.tokens) == (3, 10)
    assert quiet.by_kind == {"DATE": 2, "NAME": 1}
    assert "Foley" not in repr(quiet) + str(quiet)
    assert ("NAME", "Foley", 1) in over_redaction(texts, found, show_values=True).values
    assert over_redaction(texts, found, EVERYTHING).found == 4


def test_shapes_hide_letters_and_digits() -> None:
    assert shape("O'Brien-Smith 12") == "X'Xxxxx-Xxxxx dd"


def test_examples_come_with_their_surroundings_and_leaks_first() -> None:
    found = [[Span(29, 34, Kind.NAME)], [Span(0, 5, Kind.NAME), Span(16, 19, Kind.NAME)]]
    told = examples([ADA, PLAIN], found)
    assert [(one.gold, one.found, one.held) for one in told] == [
        ("DATE", "–", "May 3"),
        ("NAME", "–", "Ada Lovelace"),
        ("LOCATION", "NAME", "Paris"),
        ("–", "NAME", "Foley"),
    ]
    assert told[1].after == ", born May 3, in Paris"
    assert "Lovelace" not in repr(told)


def test_residual_risk_grows_with_what_was_missed_and_is_never_nothing() -> None:
    perfect = residual_risk(evaluate([ADA] * 50, [ADA.spans] * 50), 1000)
    assert perfect.leaking_notes.value == 0
    assert perfect.leaking_notes.high > 50
    assert perfect.leaked_tokens.high > 0
    worse = residual_risk(evaluate([ADA] * 50, [ADA.spans] * 40 + [()] * 10), 1000)
    assert worse.leaking_notes.value == pytest.approx(200)
    assert worse.leaked_tokens.value == pytest.approx(1000)
    assert worse.leaked_tokens.low < 1000 < worse.leaked_tokens.high
    assert "1,000 released notes" in str(worse)


@pytest.mark.golden
def test_the_open_notes_score_one_against_themselves(shared: Path) -> None:
    notes = read_jsonl(shared / "data" / "text" / "synth_notes_open.jsonl")
    outcome = evaluate(notes, [note.spans for note in notes], HIPAA)
    assert (outcome.notes, outcome.tokens.recall, outcome.tokens.precision) == (300, 1, 1)
    assert evaluate(notes, [note.spans for note in notes], EVERYTHING).tokens.gold > outcome.tokens.gold
