"""A person's corrections outlive the machine's next tagging; annotators are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.text.annotation import Annotated, agreement, corrected, corrections, merged
from sfumato.text.kinds import Kind
from sfumato.text.span import Span, disjoint

TEXT = "abcdefghijklmnopqrst"
KINDS = (Kind.NAME, Kind.DATE)


@st.composite
def annotations(draw: st.DrawFn) -> Annotated:
    """Draw spans that are apart."""
    cuts = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return Annotated(TEXT, tuple(Span(a, b, draw(st.sampled_from(KINDS))) for a, b in pairs), id="1")


@given(annotations(), annotations())
def test_corrections_laid_over_what_was_corrected_give_what_the_person_said(
    machine: Annotated, person: Annotated
) -> None:
    assert corrected(machine, corrections(machine, person)).spans == person.spans


@given(annotations(), annotations(), annotations())
def test_the_person_is_right_about_every_later_tagging(
    machine: Annotated, person: Annotated, later: Annotated
) -> None:
    said = corrections(machine, person)
    outcome = corrected(later, said)
    assert set(person.spans) <= set(outcome.spans)
    assert not set(said.removed) & set(outcome.spans)
    assert disjoint(outcome.spans)


def test_a_span_that_was_widened_is_one_added_and_one_removed() -> None:
    said = corrections(
        Annotated(TEXT, (Span(0, 3, Kind.NAME), Span(5, 7, Kind.DATE))),
        Annotated(TEXT, (Span(0, 4, Kind.NAME), Span(5, 7, Kind.DATE))),
    )
    assert (len(said.confirmed), len(said.added), len(said.removed), said.changed) == (1, 1, 1, 2)


def test_corrections_of_another_text_are_refused() -> None:
    with pytest.raises(BadInput, match="same text"):
        corrections(Annotated("a\r\nb", (), "1"), Annotated("a\nb", (), "1"))
    with pytest.raises(BadInput, match="same text"):
        merged([Annotated("a", (), "1")], [Annotated("b", (), "1")])


def test_notes_that_a_person_annotated_take_the_place_of_the_machines() -> None:
    machine = [Annotated("Ada", (), "1"), Annotated("Eve", (Span(0, 3, Kind.NAME),), "2")]
    person = [Annotated("Ada", (Span(0, 3, Kind.NAME),), "1"), Annotated("new", (), "3")]
    assert [(note.id, len(note.spans)) for note in merged(machine, person)] == [("1", 1), ("2", 1), ("3", 0)]


@given(annotations(), annotations())
def test_agreement_is_the_same_from_both_sides_and_perfect_with_oneself(
    one: Annotated, two: Annotated
) -> None:
    there, back = agreement([one], [two]), agreement([two], [one])
    assert (there.kappa, there.span_f1) == (back.kappa, back.span_f1)
    assert there.only_first == back.only_second
    alone = agreement([one], [one])
    assert alone.span_f1 in (None, 1)
    assert alone.kappa in (None, 1)


def test_kappa_of_a_case_counted_by_hand() -> None:
    text = "a b c d e f g h i j"
    one = Annotated(text, tuple(Span(at, at + 1, Kind.NAME) for at in (0, 2, 4, 6)))
    two = Annotated(text, tuple(Span(at, at + 1, Kind.NAME) for at in (0, 2, 4, 8)))
    # 8 of 10 agree; by chance 0.4 · 0.4 + 0.6 · 0.6 = 0.52 would: (0.8 − 0.52) / 0.48.
    outcome = agreement([one], [two])
    assert outcome.kappa == pytest.approx(0.28 / 0.48)
    assert outcome.span_f1 == 0.75
    assert "κ of tokens 0.583" in str(outcome)


def test_two_annotators_of_different_texts_are_refused() -> None:
    with pytest.raises(BadInput, match="same texts"):
        agreement([Annotated("a", ())], [Annotated("b", ())])
