"""Spans as labels of words."""

from __future__ import annotations

import pytest

from sfumato.core.errors import BadInput
from sfumato.text.crf.labels import kinds_of, labels_of, names_of
from sfumato.text.kinds import Kind
from sfumato.text.page import tokenise
from sfumato.text.span import Span


def test_a_word_that_shares_one_letter_with_a_span_carries_its_label() -> None:
    assert labels_of(tokenise("an 81yo man"), [Span(3, 5, Kind.AGE)]) == ["O", "B-AGE", "O"]
    assert labels_of(tokenise("an 81yo man"), [Span(6, 7, Kind.AGE)]) == ["O", "B-AGE", "O"]


def test_neighbouring_spans_of_one_kind_stay_apart() -> None:
    labels = labels_of(tokenise("Ada Byron"), [Span(0, 3, Kind.NAME), Span(4, 9, Kind.NAME)])
    assert labels == ["B-NAME", "B-NAME"]


def test_of_overlapping_spans_the_first_keeps_its_words() -> None:
    spans = [Span(0, 9, Kind.NAME), Span(4, 14, Kind.LOCATION)]
    assert labels_of(tokenise("Ada Byron Ward"), spans) == ["B-NAME", "I-NAME", "B-LOCATION"]


def test_a_span_of_white_space_labels_nothing() -> None:
    assert labels_of(tokenise("a   b"), [Span(1, 3, Kind.NAME)]) == ["O", "O"]


def test_labels_may_be_finer_than_kinds() -> None:
    spans = [Span(0, 3, Kind.LOCATION, "city"), Span(4, 8, Kind.NAME, "doctor")]
    kinds = kinds_of(spans, lambda span: span.label)
    assert kinds == {"city": Kind.LOCATION, "doctor": Kind.NAME}
    assert names_of(kinds) == ("O", "B-city", "I-city", "B-doctor", "I-doctor")


def test_a_label_of_two_kinds_is_refused() -> None:
    with pytest.raises(BadInput, match="stands for two kinds"):
        kinds_of([Span(0, 1, Kind.NAME), Span(2, 3, Kind.DATE)], lambda span: "same")


def test_a_label_with_a_space_is_refused() -> None:
    with pytest.raises(BadInput, match="must be a word"):
        kinds_of([Span(0, 1, Kind.NAME)], lambda span: "two words")
