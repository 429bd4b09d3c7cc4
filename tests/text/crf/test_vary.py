"""Notes written differently keep their spans."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.vary import varied
from sfumato.text.kinds import Kind
from sfumato.text.span import Span
from tests.text.crf.small import small_notes


@given(st.text(min_size=1), st.integers(0, 50), st.data())
@settings(max_examples=150, deadline=None)
def test_texts_keep_their_length_and_differ_in_case_punctuation_and_white_space_alone(
    text: str, seed: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    note = Annotated(text, (Span(start, data.draw(st.integers(start + 1, len(text))), Kind.NAME),))
    other = varied(note, random.Random(seed))
    assert len(other.text) == len(text)
    assert other.spans == note.spans
    for one, two in zip(text, other.text, strict=True):
        assert one == two or one.casefold() == two.casefold() or one.upper() == two.upper() or two == " "


def test_every_way_of_writing_occurs() -> None:
    note = next(
        note for note in small_notes(20) if "\n" in note.text and any(s.kind is Kind.NAME for s in note.spans)
    )
    written = {varied(note, random.Random(seed)).text for seed in range(60)}
    assert len(written) == 7
    assert note.text.lower() in written
    assert note.text.upper() in written
    assert note.text.replace("\n", " ") in written
