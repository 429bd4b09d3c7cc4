"""The notes that finders are measured on are what they say they are."""

from __future__ import annotations

import re

import pytest

from sfumato.text.kinds import Kind
from sfumato.text.span import disjoint
from tests.text.corpus import HALVES, notes_of
from tests.text.corpus.generate import slots_of, templates_of


@pytest.mark.parametrize("half", HALVES)
def test_spans_are_apart_and_hold_what_they_should(half: str) -> None:
    for note in notes_of(half, each=4):
        assert disjoint(note.spans)
        for span in note.spans:
            held = span.of(note.text)
            assert held == held.strip()
            if span.kind is Kind.AGE:
                assert held.isdigit()
            if span.kind is Kind.SSN:
                assert re.fullmatch(r"\d{3}-\d\d-\d{4}", held)


@pytest.mark.parametrize("half", HALVES)
def test_the_same_seed_gives_the_same_notes_and_another_gives_others(half: str) -> None:
    assert notes_of(half, each=1) == notes_of(half, each=1)
    assert notes_of(half, each=1) != notes_of(half, each=1, seed=8)


def test_each_half_has_at_least_twelve_templates_and_they_share_none() -> None:
    names = [template.name for half in HALVES for template in templates_of(half)]
    assert all(len(templates_of(half)) >= 12 for half in HALVES)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("half", HALVES)
def test_templates_use_known_slots_and_every_kind_occurs(half: str) -> None:
    used = {slot for template in templates_of(half) for slot in re.findall(r"\{(\w+)\}", template.text)} - {
        "negative"
    }
    slots = slots_of(half)
    assert used <= set(slots)
    kinds = {slots[slot][0] for slot in used}
    safe_harbor = set(Kind) - {Kind.PROFESSION, Kind.SEX, Kind.OTHER, Kind.CLINICAL}
    assert safe_harbor <= kinds


@pytest.mark.parametrize("half", ["held", "unseen"])
def test_notes_written_blind_are_as_long_and_as_dense_as_ordinary_notes(half: str) -> None:
    for note in notes_of(half):
        assert 250 <= len(note.text) <= 900
        assert 5 <= len(note.spans) <= 16


@pytest.mark.parametrize("half", ["held", "unseen"])
def test_templates_written_blind_hold_one_to_three_sentences_that_only_look_like_identifiers(
    half: str,
) -> None:
    assert all(1 <= template.text.count("{negative}") <= 3 for template in templates_of(half))


def test_a_note_that_is_wrapped_breaks_inside_of_names_too() -> None:
    wrapped = {template.name for template in templates_of("dev") if template.manner == "wrapped"}
    notes = [note for note in notes_of("dev") if note.template in wrapped]
    assert any("\n" in span.of(note.text) for note in notes for span in note.spans)
