"""Ages over 89 go in any wording, and what is measured in numbers of the same size stays."""

from __future__ import annotations

import re

import pytest

import sfumato as sf
from sfumato.text.kinds import Kind
from sfumato.text.replace.ages import age_of
from tests.text.released.old_ages import ENGLISH, NO_AGES, SPANISH, listed

_OLD = re.compile(
    r"(?<![\d.])(?:9\d|1[01]\d)(?!\d)|ninet|hundred|nonagen|centenar|noventa|\bcien(?:to)?\b|decade",
    re.IGNORECASE,
)
"""what still tells an age over 89, written apart from the detectors"""
ALREADY = 22
"""of what is no age, so many were taken for one before ages without a unit were looked for"""


def around(phrase: str) -> tuple[str, str]:
    """Return a phrase alone, and inside a note."""
    return phrase, f"Seen today. {phrase}{' ' if phrase[-1] in '.,)]' else '. '}Stable."


def leaks(phrase: str, language: str) -> bool:
    """Return whether a released phrase still tells the age."""
    released = (sf.scrub(text, language=language) for text in around(phrase))
    return any(_OLD.search(text.replace("over 89", "")) for text in released)


@pytest.mark.parametrize(("phrases", "language"), [(ENGLISH, "en"), (SPANISH, "es")])
def test_of_a_hundred_wordings_of_an_age_over_89_at_most_one_is_missed(phrases: str, language: str) -> None:
    written = listed(phrases)
    missed = [phrase for phrase in written if leaks(phrase, language)]
    assert 100 * len(missed) <= len(written), missed


@pytest.mark.parametrize(
    ("phrase", "language"),
    [
        ("Pt was born 97 years ago.", "en"),
        ("He has been alive for 97 years.", "en"),
        ("Varón nonagenario.", "es"),
        ("Mujer centenaria, autónoma.", "es"),
        ("A sus 93 sigue activa.", "es"),
        ("Padre fallecido a los noventa y cuatro.", "es"),
        ("Tiene noventa y seis.", "es"),
    ],
)
def test_an_age_over_89_goes_without_its_unit(phrase: str, language: str) -> None:
    assert not leaks(phrase, language)


def test_there_are_enough_wordings() -> None:
    assert len(set(listed(ENGLISH))) > 400
    assert len(set(listed(NO_AGES))) > 250


def test_what_is_measured_counted_or_numbered_is_hardly_ever_taken_for_an_age() -> None:
    taken = [
        phrase
        for phrase in listed(NO_AGES)
        if any(span.kind is Kind.AGE for text in around(phrase) for span in sf.find_identifiers(text))
    ]
    assert len(taken) <= ALREADY + 1, taken


@pytest.mark.parametrize(
    ("text", "age"), [("10th decade", 90), ("9th decade", 80), ("tenth decade", None), ("ninetieth", None)]
)
def test_a_decade_of_life_is_read_by_the_age_at_which_it_begins(text: str, age: int | None) -> None:
    assert age_of(text) == age


def test_an_age_up_to_89_stays_in_the_same_words() -> None:
    for text in ("Eleanor is 83.", "GM deceased 81", "father d. 84", "M/72", "He is in his 8th decade."):
        assert sf.scrub(text).endswith(text[-4:])
