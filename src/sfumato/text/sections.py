"""Long records piece by piece: a note of any length is searched in sections, so that memory stays small.

A section ends where a writer pauses: at an empty line, else at the end of a line, else between words. What is
found in one section is found in all of them by the whole-record pass, as in the notes of one record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

from sfumato.text.note import Note, Record
from sfumato.text.page import Page
from sfumato.text.span import Span

LONG = 200_000
"""characters of a section at most"""
KEPT = 1_000_000
"""characters of a record up to which its pages are read once and kept"""
_PAUSES = ("\n\n", "\r\n\r\n", "\n", "\r", " ")


def ends_of(text: str, long: int = LONG) -> Iterator[int]:
    """Return where the sections of a text end.

    >>> [*ends_of("one two\\n\\nthree four", long=12)], [*ends_of("aaaaa", long=2)]
    ([9, 19], [2, 4, 5])
    """
    start = 0
    while len(text) - start > long:
        for pause in _PAUSES:
            at = text.rfind(pause, start + long // 2, start + long)
            if at >= 0:
                start = at + len(pause)
                break
        else:
            start += long
        yield start
    yield len(text)


@dataclass(frozen=True)
class Sections:
    """A record whose long notes are cut: each section is a note of ``record``."""

    record: Record
    starts: tuple[tuple[int, ...], ...]
    """for each note of the whole record, where its sections start"""

    @classmethod
    def of(cls, record: Record) -> Sections:
        """Cut what is long."""
        notes: list[Note] = []
        starts: list[tuple[int, ...]] = []
        for note in record.notes:
            ends = [*ends_of(note.text)]
            begins = [0, *ends[:-1]]
            starts.append(tuple(begins))
            notes += [
                replace(note, text=note.text[begin:end]) for begin, end in zip(begins, ends, strict=True)
            ]
        return cls(replace(record, notes=tuple(notes)), tuple(starts))

    def joined(self, spans: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of sections as spans of their notes."""
        given = iter(spans)
        return tuple(
            tuple(
                span if not start else replace(span, start=span.start + start, end=span.end + start)
                for start in starts
                for span in next(given)
            )
            for starts in self.starts
        )


@dataclass(frozen=True)
class Pages(Sequence[Page]):
    """The pages of a record: kept while they are few, read anew each time when they are many."""

    texts: tuple[str, ...]

    @cached_property
    def are_kept(self) -> bool:
        """Whether a page that was read is there the next time."""
        return sum(map(len, self.texts)) <= KEPT

    @cached_property
    def _kept(self) -> tuple[Page, ...]:
        return tuple(Page(text) for text in self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, place: int) -> Page: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Page]: ...

    def __getitem__(self, place: int | slice) -> Page | Sequence[Page]:
        if isinstance(place, slice):
            return Pages(self.texts[place])
        return self._kept[place] if self.are_kept else Page(self.texts[place])
