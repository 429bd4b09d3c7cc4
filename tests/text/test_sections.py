"""Long notes are searched in sections, and nobody can tell but by the memory."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.text import sections
from sfumato.text.finder import Finder
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.sections import Pages, ends_of
from sfumato.text.span import Span


@dataclass(frozen=True)
class Capitals:
    """Finds words in capitals."""

    name: str = "capitals"

    def find(self, page: Page) -> list[Span]:
        tokens = page.tokens
        return [
            Span(start, end, Kind.NAME, "", 0.9, self.name)
            for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True)
            if word.isupper()
        ]


@dataclass(frozen=True)
class Again:
    """Finds in lower case what was found in capitals, in any note."""

    name: str = "again"

    def find(self, found: Found, pages: Pages) -> list[list[Span]]:
        seen = {
            span.of(note.text).lower()
            for note, spans in zip(found.record.notes, found.spans, strict=True)
            for span in spans
        }
        return [
            [
                Span(start, end, Kind.NAME, "", 0.8, self.name)
                for word, start, end in zip(
                    page.tokens.words, page.tokens.starts, page.tokens.ends, strict=True
                )
                if word in seen
            ]
            for page in pages
        ]


FINDER = Finder((Capitals(),), (Again(),))  # type: ignore[arg-type]


@given(st.text("aA \n\r", max_size=80), st.integers(2, 20))
def test_sections_join_to_the_whole_and_none_is_too_long(text: str, long: int) -> None:
    ends = [*ends_of(text, long)]
    begins = [0, *ends[:-1]]
    assert "".join(text[begin:end] for begin, end in zip(begins, ends, strict=True)) == text
    assert all(begin < end <= begin + long for begin, end in zip(begins, ends, strict=True)) or not text


@given(st.lists(st.text("abAB \n", max_size=120), min_size=1, max_size=4))
def test_a_note_that_is_cut_between_words_gives_the_same_spans(texts: list[str]) -> None:
    record = Record.of(*texts)
    whole = FINDER.find(record)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "LONG", 30)
        patch.setattr(sections, "KEPT", 0)
        patch.setattr(sections.ends_of, "__defaults__", (30,))
        cut = FINDER.find(record)
    if all(len(word) < 15 for text in texts for word in text.split()):
        assert [[(s.start, s.end) for s in spans] for spans in cut.spans] == [
            [(s.start, s.end) for s in spans] for spans in whole.spans
        ]


def test_what_is_found_in_one_section_is_found_in_all() -> None:
    text = "ADA " + "x " * 200_000 + "ada"
    (spans,) = FINDER.find(Record.of(text)).spans
    assert [span.of(text) for span in spans] == ["ADA", "ada"]


def test_pages_of_a_long_record_are_not_kept() -> None:
    short, long = Pages(("a b",)), Pages(("a b" * sections.KEPT,))
    assert short[0] is short[0]
    assert long[0] is not long[0]
