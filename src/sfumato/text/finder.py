"""The finder: all detectors of a language over a whole record, competing, and then the whole-record pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.text.compete import compete
from sfumato.text.detectors.contract import Detector, RecordPass
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.span import THRESHOLD, Span


@dataclass(frozen=True)
class Finder:
    """Finds what points at people in records."""

    detectors: tuple[Detector, ...]
    passes: tuple[RecordPass, ...] = ()
    threshold: float = THRESHOLD

    def find(self, record: Record) -> Found:
        """Search every note, then the record as a whole."""
        pages = tuple(Page(note.text) for note in record.notes)
        proposed = [[span for detector in self.detectors for span in detector.find(page)] for page in pages]
        found = self._compete(record, pages, proposed)
        for step in self.passes:
            more = step.find(found, pages)
            if any(more):
                proposed = [[*old, *new] for old, new in zip(proposed, more, strict=True)]
                found = self._compete(record, pages, proposed)
        return found

    def _compete(self, record: Record, pages: Sequence[Page], proposed: Sequence[Sequence[Span]]) -> Found:
        return Found(
            record,
            tuple(
                compete(page.text, spans, self.threshold) for page, spans in zip(pages, proposed, strict=True)
            ),
        )
