"""The finder: all detectors of a language over a whole record, competing, and then the whole-record pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.text.compete import compete
from sfumato.text.detectors.beside_tags import doubted
from sfumato.text.detectors.contract import Detector, RecordPass
from sfumato.text.kinds import Kind
from sfumato.text.look_alikes import JOINER, Reading
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.sections import Pages, Sections
from sfumato.text.span import THRESHOLD, Span

_GOES_ON = re.compile(rf"{JOINER}+\w+|-[ \t]{{0,4}}\r?\n[ \t]{{0,16}}[^\W\d_A-Z]+")
"""what belongs to a name before it: the rest of a word with something unseen in it, or on the next line"""


@dataclass(frozen=True)
class Finder:
    """Finds what points at people in records."""

    detectors: tuple[Detector, ...]
    passes: tuple[RecordPass, ...] = ()
    threshold: float = THRESHOLD

    def find(self, record: Record) -> Found:
        """Search every note, then the record as a whole."""
        readings = [Reading.of(note.text) for note in record.notes]
        sections = Sections.of(_plain(record, readings))
        found = sections.joined(self._find(sections.record).spans)
        return Found(
            record,
            tuple(
                tuple(map(reading.as_it_came, spans)) for reading, spans in zip(readings, found, strict=True)
            ),
        )

    def _find(self, record: Record) -> Found:
        pages = Pages(tuple(note.text for note in record.notes))
        kept = [self._proposed(page) for page in pages] if pages.are_kept else None
        found = Found(
            record,
            tuple(
                self._won(page, self._proposed(page) if kept is None else kept[place])
                for place, page in enumerate(pages)
            ),
        )
        more: list[list[Span]] = [[] for _ in pages]
        for step in self.passes:
            new = step.find(found, pages)
            if any(new):
                more = [[*old, *spans] for old, spans in zip(more, new, strict=True)]
                found = Found(
                    record,
                    tuple(
                        self._won(
                            page, [*(self._proposed(page) if kept is None else kept[place]), *more[place]]
                        )
                        if new[place]
                        else found.spans[place]
                        for place, page in enumerate(pages)
                    ),
                )
        return found

    def _proposed(self, page: Page) -> list[Span]:
        spans = [span for detector in self.detectors for span in detector.find(page)]
        return doubted(page.text, spans)

    def _won(self, page: Page, proposed: list[Span]) -> tuple[Span, ...]:
        return _whole_words(page.text, compete(page.text, proposed, self.threshold))


def _plain(record: Record, readings: Sequence[Reading]) -> Record:
    """Return a record as it is read."""
    return replace(
        record,
        notes=tuple(
            replace(note, text=reading.text) for note, reading in zip(record.notes, readings, strict=True)
        ),
        known=tuple(replace(known, value=Reading.of(known.value).text) for known in record.known),
    )


def _whole_words(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Let a name that ends inside a word, or before a hyphen that ends a line, reach to the word's end."""
    whole = list(spans)
    for place, span in enumerate(spans):
        rest = _GOES_ON.match(text, span.end) if span.kind is Kind.NAME else None
        if rest is not None and (place + 1 == len(spans) or rest.end() <= spans[place + 1].start):
            whole[place] = replace(span, end=rest.end())
    return tuple(whole)
