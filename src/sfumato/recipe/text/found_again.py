"""Read released notes again with patterns and lexicons: what of the plainest identifiers is still there?

Only where nothing was made up: surrogates are found as what they imitate. Only the plainest kinds, and only
what is nearly certain: a search that finds its own misses is no measure of them. It catches a release that
was never searched, or searched and changed afterwards.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sfumato.core.evidence_text import FoundAgainEvidence
from sfumato.recipe.text.on_disk import released_pieces
from sfumato.text.compete import compete
from sfumato.text.detectors.contract import Detector
from sfumato.text.kinds import Kind
from sfumato.text.language import language_of
from sfumato.text.page import Page
from sfumato.text.replace.settled import TAG
from sfumato.text.span import LIKELY

KINDS = (Kind.EMAIL, Kind.URL, Kind.IP, Kind.SSN, Kind.PHONE)
MOST = 100_000
"""characters that are read again: released notes are shuffled, so that the first are a sample"""


def found_again(path: Path, column: str, language: str) -> FoundAgainEvidence:
    """Search the first released notes for what patterns find with near certainty."""
    detectors = language_of(language).detectors()
    kinds: Counter[str] = Counter()
    characters = 0
    for piece in released_pieces(path):
        for text in piece.column(column).to_pylist():
            if not text:
                continue
            read = text[: MOST - characters]
            characters += len(read)
            kinds.update(_kinds(read, detectors))
            if characters == MOST:
                return FoundAgainEvidence(characters=characters, kinds=dict(sorted(kinds.items())))
    return FoundAgainEvidence(characters=characters, kinds=dict(sorted(kinds.items())))


def _kinds(text: str, detectors: tuple[Detector, ...]) -> list[str]:
    page = Page(text)
    proposed = [span for detector in detectors for span in detector.find(page)]
    tags = [match.span() for match in TAG.finditer(text)] if "**" in text else []
    return [
        str(span.kind)
        for span in compete(text, proposed, LIKELY)
        if span.kind in KINDS and not any(start <= span.start < end for start, end in tags)
    ]
