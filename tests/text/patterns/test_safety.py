"""No text makes the patterns slow, and none makes them fail."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.languages.en import patterns
from sfumato.text.page import Page
from tests.growth import grows_with_the_length

PIECES = [
    "a", "1", "-", " ", "A a ", "1 ", "1-", "1.", "1/", "a.", "A.", "\n", "@", "a@", "x", "X-", "*",
    "**", "[", "[**", "<", "_", "(", "(1", "+1 ", "::", "1:", "Jan ", "1 Jan ", "MRN: ", "Name: A ",
    "seen by A, ", "call 1", "ssn ", "age 1, ", "one hundred ", "12 Main ", "A, TX ", "www.", "a-",
    "12/", "12/12-", "AB12", "é", "e\u0301", "A ", "A  ", "'", "in 2013 ", "4111 ", "DR/jt\n",
    "Patient: ", "St. ", "of the ", "RR 2 ", "Elm Street ", "(01)", "0.", "xx ", "mother 93 ", "she is 93 ",
    "died at 95 ", "2001:", "a:", "00.", "mac 00 ", "ES91 2100 ", "AB 12 ", "car AB",
    "ninety ", "Ada, 99", "is now a ", "age ",
]  # fmt: skip


def searched(text: str) -> int:
    """Search by all patterns, and count what they propose."""
    page = Page(text)
    return sum(1 for detector in patterns() for _ in detector.find(page))


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_time_grows_with_the_length_and_not_with_its_square(piece: str) -> None:
    assert grows_with_the_length(searched, piece)


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_can_be_searched_and_spans_stay_inside_it(text: str) -> None:
    page = Page(text)
    for detector in patterns():
        for span in detector.find(page):
            assert 0 <= span.start < span.end <= len(text)
            assert span.detector == detector.name


WORDS = [
    "MRN", "Name:", "7/21/13", "Dr.", "Ann", "Holt,", "555-0101", "12", "Main", "St", "TX", "37064",
    "by", "seen", "\n", "**NAME[AAA]", "x", "SSN", "411-16-8757", "age", "93", "-", "July", "2013",
    "in", "a@b.example", ":", "|", "\u0301", "\u200d", "😀", "\t", "ﬁ", "İ",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from(["", " ", "  "]))
@settings(deadline=None)
def test_any_order_of_telling_words_can_be_searched(words: list[str], joint: str) -> None:
    text = joint.join(words)
    page = Page(text)
    for detector in patterns():
        assert all(span.end <= len(text) for span in detector.find(page))
