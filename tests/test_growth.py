"""The watch that other tests look at: it tells a square from a straight line."""

from __future__ import annotations

from tests.growth import grows_with_the_length


def test_going_through_a_text_once_is_linear() -> None:
    assert grows_with_the_length(lambda text: sorted(text), "ab", short=20_000)


def test_going_through_it_again_for_every_letter_is_not() -> None:
    assert not grows_with_the_length(lambda text: [other for _ in text for other in text], "a", short=400)
