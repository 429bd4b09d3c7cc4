"""Changes of whole notes: every span holds the image of what it held."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.kinds import Kind
from sfumato.text.span import Span, disjoint
from sfumato.text.training import augmented, generated_notes
from sfumato.text.training.augment import CHANGES, changed

TEXT = st.text(st.sampled_from("aZéßİñ. ,:;\n\t1-'ſ\u0301ü中"), max_size=120)


@st.composite
def annotated(draw: st.DrawFn) -> Annotated:
    text = draw(TEXT)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = tuple(Span(one, two, Kind.NAME, "x") for one, two in zip(cuts[::2], cuts[1::2], strict=False))
    return Annotated(text, spans, "7", "t")


@pytest.mark.parametrize("name", CHANGES)
@given(note=annotated(), seed=st.integers(0, 5))
def test_what_stands_outside_and_inside_spans_stays_there(name: str, note: Annotated, seed: int) -> None:
    """An oracle by the letter: change every character alone in its place, and join what belongs together."""
    signs = list(CHANGES[name](note.text, random.Random(seed)))
    assert len(signs) == len(note.text)
    after = changed(note, CHANGES[name], random.Random(seed))
    expected = [image for span in note.spans if (image := "".join(signs[span.start : span.end]))]
    assert [span.of(after.text) for span in after.spans] == expected
    assert after.text == "".join(signs)
    assert disjoint(after.spans)
    assert (after.id, after.template) == (note.id, note.template)


@given(note=annotated(), seed=st.integers(0, 1000))
def test_any_augmented_note_is_sound_and_reproducible(note: Annotated, seed: int) -> None:
    after = augmented(note, random.Random(seed))
    assert after == augmented(note, random.Random(seed))
    assert disjoint(after.spans)
    assert all(span.of(after.text) for span in after.spans)


@given(TEXT)
def test_texts_are_changed_as_whole_texts_are(text: str) -> None:
    dice = random.Random(1)
    note = Annotated(text, ())
    stripped = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert changed(note, CHANGES["upper_case"], dice).text == text.upper()
    assert changed(note, CHANGES["without_accents"], dice).text == stripped
    assert changed(note, CHANGES["windows_lines"], dice).text == text.replace("\n", "\r\n")
    assert changed(note, CHANGES["unwrapped"], dice).text == text.replace("\n", " ")
    assert changed(note, CHANGES["with_tabs"], dice).text == text.replace(": ", ":\t")


def test_wrapping_changes_spaces_into_line_ends_and_nothing_else() -> None:
    for note in generated_notes(120, seed=4, augment=0.0):
        after = changed(note, CHANGES["wrapped"], random.Random(3))
        assert len(after.text) == len(note.text)
        assert after.spans == note.spans
        assert all(a == b or (a, b) == (" ", "\n") for a, b in zip(note.text, after.text, strict=True))
        long = [line for line in after.text.split("\n") if len(line) > 81]
        assert all(" " not in line[:50] for line in long)


def test_wrapping_splits_some_values_over_lines() -> None:
    notes = [
        changed(note, CHANGES["wrapped"], random.Random(3)) for note in generated_notes(300, 4, augment=0)
    ]
    assert any("\n" in span.of(note.text) for note in notes for span in note.spans)


def test_spans_of_generated_notes_keep_their_letters_under_every_change() -> None:
    for note in generated_notes(130, seed=12, augment=0.0):
        for change in CHANGES.values():
            after = changed(note, change, random.Random(5))
            assert len(after.spans) == len(note.spans)
            for old, new in zip(note.spans, after.spans, strict=True):
                assert (old.kind, old.label) == (new.kind, new.label)
                letters = [c for c in _plain(old.of(note.text)) if c.isalnum()]
                if change.__name__ not in ("with_markup", "quoted"):
                    assert [c for c in _plain(new.of(after.text)) if c.isalnum()] == letters


def _plain(text: str) -> str:
    bare = unicodedata.normalize("NFD", text.upper().lower())
    return "".join(c for c in bare if not unicodedata.combining(c))
