"""Recall is promised from annotated notes, with exact arithmetic where the test is exact."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated
from sfumato.text.evaluate.compared import compare
from sfumato.text.evaluate.intervals import share_of_tokens
from sfumato.text.kinds import Kind
from sfumato.text.models import RecallAtLeast
from sfumato.text.models.recall_at_least import measured, shown_by_notes, token_bound
from sfumato.text.span import Span


def counts_of(pairs: list[tuple[int, int]]) -> Counter[str]:
    """Compare notes with so many names, of which so many are found."""
    compared = []
    for gold, found in pairs:
        text = " ".join(["Ada"] * gold) or "well"
        spans = tuple(Span(4 * place, 4 * place + 3, Kind.NAME) for place in range(gold))
        compared.append(compare(Annotated(text, spans), spans[:found]))
    return measured(compared)


@given(st.integers(1, 60), st.data(), st.sampled_from([0.5, 0.9, 0.95]), st.sampled_from([0.8, 0.95]))
def test_the_exact_test_is_the_tail_of_the_binomial_distribution(
    notes: int, data: st.DataObject, share: float, confidence: float
) -> None:
    free = data.draw(st.integers(0, notes))
    p = Fraction(str(share))
    tail = sum((comb(notes, j) * p**j * (1 - p) ** (notes - j) for j in range(free, notes + 1)), Fraction(0))
    assert shown_by_notes(free, notes, share, confidence) == (tail <= 1 - Fraction(str(confidence)))


def test_fifty_nine_notes_without_a_leak_show_95_per_cent_and_58_do_not() -> None:
    promise = RecallAtLeast(0.95, of="notes")
    assert promise.verdict(counts_of([(1, 1)] * 59)).holds
    assert not promise.verdict(counts_of([(1, 1)] * 58)).holds


_PAIRS = st.lists(st.integers(0, 6).flatmap(lambda m: st.tuples(st.just(m), st.integers(0, m))), min_size=1)


@given(_PAIRS.filter(lambda pairs: any(gold for gold, _ in pairs)))
def test_the_bound_of_tokens_from_sums_is_that_from_single_notes(pairs: list[tuple[int, int]]) -> None:
    expected = share_of_tokens([found for _, found in pairs], [gold for gold, _ in pairs]).at_least
    assert token_bound(counts_of(pairs), 0.95) == pytest.approx(expected, abs=1e-9)


def test_tokens_that_are_missed_together_say_less_than_the_same_number_missed_alone() -> None:
    alone = counts_of([(10, 9)] * 10 + [(10, 10)] * 90)
    together = counts_of([(10, 0)] + [(10, 10)] * 99)
    assert (alone["found"], together["found"]) == (990, 990)
    assert token_bound(together, 0.95) < token_bound(alone, 0.95)


def test_nothing_is_promised_without_annotated_notes() -> None:
    for promise in (RecallAtLeast(0.5), RecallAtLeast(0.5, of="notes")):
        with pytest.raises(BadInput, match="no annotated notes"):
            promise.verdict(Counter())
        with pytest.raises(BadInput, match="no annotated notes"):
            promise.verdict(counts_of([(0, 0)]))


def test_wrong_parameters_are_refused() -> None:
    for share in (0, 1, True, "0.9"):
        with pytest.raises(BadInput, match="share must lie"):
            RecallAtLeast(share)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="confidence"):
        RecallAtLeast(0.9, 1.0)
    with pytest.raises(BadInput, match="of notes or of tokens"):
        RecallAtLeast(0.9, of="words")  # type: ignore[arg-type]
