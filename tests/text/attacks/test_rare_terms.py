"""Rare words link notes to texts from elsewhere, also when nobody is named."""

from __future__ import annotations

import random

import pytest

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.text.attacks import Knowledge, OtherNotes, RareTerms, ReleasedNotes

COMMON = ["patient", "cough", "fever", "pain", "seen", "today", "well", "chest", "clear", "blood"]


def made(size: int, shared: int, seed: int = 3) -> tuple[ReleasedNotes, OtherNotes, tuple[str, ...]]:
    """Write a note and a text from elsewhere for everybody, with so many rare words in common."""
    chance = random.Random(seed)
    notes, texts = [], []
    for person in range(size):
        rare = [f"rare{person}x{number}" for number in range(shared)]
        notes.append(" ".join([*chance.sample(COMMON, 6), *rare]))
        texts.append(" ".join([*chance.sample(COMMON, 6), *rare]))
    persons = tuple(str(person) for person in range(size))
    return ReleasedNotes(tuple(notes)), OtherNotes(tuple(texts), persons), persons


def test_everybody_is_linked_by_one_shared_rare_word() -> None:
    shown, others, persons = made(60, shared=1)
    result = RareTerms().run(shown, Knowledge(others=others, persons=persons))
    assert (result.success, result.certain, result.scored) == (1.0, 60, Scored.MEASURED)


def test_without_a_shared_rare_word_it_is_a_guess() -> None:
    shown, others, persons = made(60, shared=0)
    result = RareTerms().run(shown, Knowledge(others=others, persons=persons))
    assert result.success == pytest.approx(result.baseline) == pytest.approx(1 / 60)
    assert result.certain == 0


def test_texts_of_one_person_are_taken_together() -> None:
    others = OtherNotes(("trapeze", "zither", "cough"), ("1", "1", "2"))
    result = RareTerms(rare=0.9).run(
        ReleasedNotes(("plays the zither on a trapeze",)),
        Knowledge(others=others, persons=("1",)),
        victims=True,
    )
    assert result.success == 1.0
    assert [one.row for one in result.victims] == [1]
    assert result.baseline == 0.5


def test_two_who_share_the_same_rare_words_cannot_be_told_apart() -> None:
    others = OtherNotes(("zither", "zither", "cough", "fever"), ("1", "2", "3", "4"))
    result = RareTerms(rare=0.9).run(ReleasedNotes(("zither",)), Knowledge(others=others, persons=("1",)))
    assert (result.success, result.certain) == (0.5, 0)


def test_people_without_a_text_from_elsewhere_are_left_aside_and_told() -> None:
    shown, others, _ = made(4, shared=1)
    result = RareTerms(rare=0.5).run(shown, Knowledge(others=others, persons=("0", "1", "9", None)))
    assert (result.attempts, result.success) == (2, 1.0)
    assert "left aside" in result.note


def test_claims_without_a_truth_are_claims() -> None:
    shown, others, _ = made(10, shared=2)
    assert RareTerms(rare=0.3).run(shown, Knowledge(others=others)).scored is Scored.CLAIMED


def test_attacking_without_texts_from_elsewhere_is_refused() -> None:
    with pytest.raises(BadInput, match="no texts from elsewhere"):
        RareTerms().run(ReleasedNotes(("a",)), Knowledge())
    with pytest.raises(BadInput, match="by their ids"):
        RareTerms().run(ReleasedNotes(("a",)), Knowledge(others=OtherNotes(("b",), ("1",)), persons=("2",)))
    with pytest.raises(BadInput, match="must lie above 0"):
        RareTerms(rare=0)
