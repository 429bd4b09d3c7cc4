"""Tokens and spans of one note, against a slow count of characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.annotation import Annotated
from sfumato.text.evaluate import EVERYTHING, HIPAA, Outcome, Scope, compare
from sfumato.text.evaluate.compared import runs
from sfumato.text.evaluate.scope import oldest
from sfumato.text.kinds import Kind
from sfumato.text.policy import text_policy_named
from sfumato.text.span import Span
from tests.oracles.text_scores import fates

texts = st.text(alphabet="ab1 .-\n", min_size=1, max_size=40)


@st.composite
def spans_in(draw: st.DrawFn, text: str, kinds: tuple[Kind, ...]) -> list[Span]:
    """Draw spans; they may overlap."""
    ends = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 8), st.sampled_from(kinds))
    drawn = draw(st.lists(ends, max_size=5))
    return [Span(start, min(len(text), start + length), kind) for start, length, kind in drawn]


@given(texts, st.data())
def test_tokens_have_the_fate_that_a_count_of_characters_gives_them(text: str, data: st.DataObject) -> None:
    gold = data.draw(spans_in(text, (Kind.NAME, Kind.DATE, Kind.SEX)))
    found = data.draw(spans_in(text, (Kind.NAME, Kind.ID, Kind.CLINICAL)))
    outcome = compare(Annotated(text, tuple(gold)), found, HIPAA)
    expected = fates(
        text,
        [(one.start, one.end) for one in gold if one.kind is not Kind.SEX],
        [(one.start, one.end) for one in gold if one.kind is Kind.SEX],
        [(one.start, one.end) for one in found if one.kind is not Kind.CLINICAL],
    )
    assert [((token.start, token.end), token.outcome.value) for token in outcome.tokens] == expected


@given(texts, st.data())
def test_spans_are_exact_covered_and_touched_as_sets_of_characters_say(
    text: str, data: st.DataObject
) -> None:
    gold = data.draw(spans_in(text, (Kind.NAME, Kind.DATE)))
    found = data.draw(spans_in(text, (Kind.NAME, Kind.DATE)))
    outcome = compare(Annotated(text, tuple(gold)), found, EVERYTHING)
    hit = {at for one in found for at in range(one.start, one.end)}
    missed = [set(range(t.start, t.end)) for t in outcome.tokens if t.outcome is Outcome.MISSED]
    for fate in outcome.fates:
        here = set(range(fate.span.start, fate.span.end))
        assert fate.touched == bool(here & hit)
        assert fate.exact == any((one.start, one.end) == (fate.span.start, fate.span.end) for one in found)
        assert fate.covered == (fate.touched and not any(here & token for token in missed))
        assert not fate.exact or fate.covered or any(here & token for token in missed)


def test_one_letter_that_stays_is_a_leak() -> None:
    note = Annotated("Seen by Lovelace", (Span(8, 16, Kind.NAME),))
    assert compare(note, [Span(8, 15, Kind.NAME)]).leaks
    assert not compare(note, [Span(7, 16, Kind.NAME)]).leaks


def test_a_name_found_as_a_place_does_not_leak_and_is_not_of_the_right_kind() -> None:
    note = Annotated("Paris Hope", (Span(0, 10, Kind.NAME),))
    outcome = compare(note, [Span(0, 10, Kind.LOCATION)])
    assert not outcome.leaks
    assert (outcome.exactly, outcome.exactly_typed) == (1, 0)
    assert not outcome.fates[0].typed


def test_an_age_of_89_is_neither_hit_nor_fault_and_one_of_90_is_phi() -> None:
    young = Annotated("89 yo", (Span(0, 2, Kind.AGE),))
    assert compare(young, []).tokens == ()
    assert compare(young, [Span(0, 2, Kind.NAME)]).tokens == ()
    old = Annotated("90 yo", (Span(0, 2, Kind.AGE),))
    assert compare(old, []).leaks
    assert compare(young, [], EVERYTHING).leaks


def test_what_a_policy_would_leave_standing_hides_nothing() -> None:
    note = Annotated("Bed 45, Georgia", (Span(4, 6, Kind.ID), Span(8, 15, Kind.LOCATION, "city")))
    found = [Span(4, 6, Kind.AGE), Span(8, 15, Kind.LOCATION, "state")]
    assert compare(note, found, EVERYTHING).found_tokens == 2
    assert compare(note, found, HIPAA).found_tokens == 0


def test_the_scope_of_a_policy_keeps_what_the_policy_keeps() -> None:
    scope = Scope.of_policy(text_policy_named("safe-harbor"))
    assert (scope.over, scope.kept) == (HIPAA.over, HIPAA.kept)
    assert Scope.of_policy(text_policy_named("everything")).over is None


def test_ages_in_words_and_ranges_are_read_by_their_oldest() -> None:
    assert [oldest(age) > 89 for age in ("ninety-two", "noventa y dos", "one hundred", "85-91", "90s")] == [
        True
    ] * 5
    assert [oldest(age) > 89 for age in ("fifty", "3 months", "80s")] == [False] * 3


@given(texts, st.data())
def test_runs_hold_all_tokens_in_their_order(text: str, data: st.DataObject) -> None:
    gold = data.draw(spans_in(text, (Kind.NAME, Kind.DATE)))
    found = data.draw(spans_in(text, (Kind.NAME, Kind.DATE)))
    tokens = compare(Annotated(text, tuple(gold)), found, EVERYTHING).tokens
    assert tuple(token for run in runs(tokens) for token in run) == tokens
    for run in runs(tokens):
        assert len({(token.outcome, token.gold, token.found) for token in run}) == 1
