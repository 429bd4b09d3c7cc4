"""Competing detectors: the most certain wins, and nothing that was proposed stays behind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.compete import compete
from sfumato.text.kinds import Kind
from sfumato.text.span import LIKELY, PROBABLE, THRESHOLD, Span, disjoint

TEXT = "Ada Lovelace, 36, of 12 St James's Square (London) was seen by Dr. Babbage on 3/4/1852.   "


@st.composite
def proposals(draw: st.DrawFn) -> list[Span]:
    spans = []
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(TEXT) - 2))
        end = draw(st.integers(start + 1, min(len(TEXT), start + 25)))
        kind = draw(st.sampled_from([Kind.NAME, Kind.DATE, Kind.LOCATION, Kind.CLINICAL]))
        certainty = draw(st.integers(1, 100)) / 100
        spans.append(Span(start, end, kind, "", certainty, draw(st.sampled_from("abc"))))
    return spans


def _solid(letter: str) -> bool:
    return letter.isalnum()


@given(proposals())
def test_winners_are_apart_and_none_is_clinical(proposed: list[Span]) -> None:
    won = compete(TEXT, proposed)
    assert disjoint(won)
    assert all(span.kind is not Kind.CLINICAL and span.certainty >= THRESHOLD for span in won)


@given(proposals())
def test_every_letter_of_a_certain_proposal_is_covered_unless_something_clinical_is_there(
    proposed: list[Span],
) -> None:
    won = compete(TEXT, proposed)
    covered = {at for span in won for at in range(span.start, span.end)}
    clinical = {at for span in proposed if span.kind is Kind.CLINICAL for at in range(span.start, span.end)}
    for span in proposed:
        if span.kind is Kind.CLINICAL or span.certainty < THRESHOLD:
            continue
        for at in range(span.start, span.end):
            assert at in covered or at in clinical or not _solid(TEXT[at])


@given(proposals())
def test_nothing_is_covered_that_nobody_proposed(proposed: list[Span]) -> None:
    won = compete(TEXT, proposed)
    wanted = {at for span in proposed for at in range(span.start, span.end)}
    assert {at for span in won for at in range(span.start, span.end)} <= wanted


@given(proposals(), st.randoms())
def test_the_order_of_proposals_does_not_matter(proposed: list[Span], dice) -> None:  # type: ignore[no-untyped-def]
    shuffled = [*proposed]
    dice.shuffle(shuffled)
    assert compete(TEXT, proposed) == compete(TEXT, shuffled)


def test_two_doubtful_detectors_that_agree_are_believed() -> None:
    one, two = Span(0, 3, Kind.NAME, "", 0.4, "a"), Span(0, 3, Kind.NAME, "", 0.4, "b")
    assert compete(TEXT, [one]) == ()
    (won,) = compete(TEXT, [one, two])
    assert abs(won.certainty - (1 - 0.6 * 0.6)) < 1e-12


def test_a_detector_does_not_support_itself() -> None:
    assert compete(TEXT, [Span(0, 3, Kind.NAME, "", 0.4, "a")] * 3) == ()


def test_a_clinical_span_that_is_more_certain_keeps_its_text() -> None:
    assert (
        compete(TEXT, [Span(0, 3, Kind.CLINICAL, "", 0.95, "a"), Span(0, 3, Kind.NAME, "", 0.9, "b")]) == ()
    )


def test_a_name_that_is_more_certain_beats_a_clinical_span() -> None:
    (won,) = compete(TEXT, [Span(0, 3, Kind.CLINICAL, "", 0.8, "a"), Span(0, 12, Kind.NAME, "", 0.9, "b")])
    assert won.of(TEXT) == "Ada Lovelace"


def test_the_rest_of_a_weaker_longer_name_is_taken_too_and_they_are_one() -> None:
    won = compete(TEXT, [Span(0, 3, Kind.NAME, "", 0.9, "a"), Span(0, 12, Kind.NAME, "", 0.7, "a")])
    assert [span.of(TEXT) for span in won] == ["Ada Lovelace"]


def test_the_rest_of_a_longer_place_is_a_span_of_its_own() -> None:
    won = compete(
        TEXT, [Span(21, 41, Kind.LOCATION, "street", 0.9, "a"), Span(21, 49, Kind.LOCATION, "", 0.7, "a")]
    )
    assert [span.of(TEXT) for span in won] == ["12 St James's Square", "London"]


def test_parts_of_a_name_are_not_joined_over_something_clinical() -> None:
    proposed = [Span(0, 12, Kind.NAME, "", 0.7, "a"), Span(4, 8, Kind.CLINICAL, "", 0.9, "b")]
    assert [span.of(TEXT) for span in compete(TEXT, proposed)] == ["Ada", "lace"]


def test_a_detector_that_cannot_tell_more_takes_over_the_label_of_one_that_can() -> None:
    proposed = [Span(43, 49, Kind.LOCATION, "", 0.9, "a"), Span(43, 49, Kind.LOCATION, "city", 0.4, "b")]
    (won,) = compete(TEXT, proposed)
    assert won.label == "city"


def test_a_bracket_that_a_weaker_detector_saw_is_not_left_alone() -> None:
    text = "call (615) 555-0142 now"
    proposed = [Span(6, 19, Kind.PHONE, "", 0.99, "a"), Span(5, 19, Kind.PHONE, "phone", 0.9, "b")]
    assert [span.of(text) for span in compete(text, proposed)] == ["(615) 555-0142"]


def test_the_rest_of_a_longer_date_is_one_date_with_it() -> None:
    text = "desde el año 2004"
    proposed = [
        Span(13, 17, Kind.DATE, "year", LIKELY, "one"),
        Span(9, 17, Kind.DATE, "", PROBABLE, "two"),
    ]
    assert [span.of(text) for span in compete(text, proposed)] == ["año 2004"]


def test_a_hyphen_that_is_left_over_is_no_span() -> None:
    text = "Hospital del Niño-."
    proposed = [
        Span(0, 17, Kind.LOCATION, "hospital", LIKELY, "one"),
        Span(0, 18, Kind.LOCATION, "", PROBABLE, "two"),
    ]
    assert [span.of(text) for span in compete(text, proposed)] == ["Hospital del Niño"]


def test_a_numeral_that_medicine_leaves_over_of_a_name_is_not_taken() -> None:
    text = "Salter-Harris II"
    proposals = [
        Span(0, 13, Kind.CLINICAL, "eponym", 0.9, "clinical"),
        Span(0, 16, Kind.NAME, "", 0.65, "names"),
    ]
    assert compete(text, proposals) == ()


def test_a_word_that_medicine_leaves_over_of_a_name_is_taken() -> None:
    text = "Foley Anna"
    proposals = [
        Span(0, 5, Kind.CLINICAL, "eponym", 0.9, "clinical"),
        Span(0, 10, Kind.NAME, "", 0.65, "names"),
    ]
    assert [span.of(text) for span in compete(text, proposals)] == ["Anna"]
