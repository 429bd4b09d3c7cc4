"""How to add a detector: one small class with a name and ``find``.

Detectors compete (Sweeney, "Replacing personally-identifying information in medical records, the Scrub
system", 1996): each proposes spans with a certainty (see ``span.py`` for what the steps mean), knows nothing
of the others, and need not be right about everything. ``text/compete.py`` lets the most certain win.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from sfumato.text.note import Found
from sfumato.text.page import Page
from sfumato.text.span import Span


class Detector(Protocol):
    """Proposes spans in one text. Safe to call from several processes; holds no text between calls."""

    @property
    def name(self) -> str:
        """The name that recipes use and that spans carry."""

    def find(self, page: Page) -> Iterable[Span]:
        """Propose spans, in any order; they may overlap."""


class RecordPass(Protocol):
    """Looks at a whole record after the detectors: what was found once is found everywhere in it."""

    @property
    def name(self) -> str:
        """The name that spans carry."""

    def find(self, found: Found, pages: Sequence[Page]) -> list[list[Span]]:
        """Propose more spans for each note, given what was found and what is known."""
