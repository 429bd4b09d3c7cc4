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
from sfumato.text.models.detected_identifiers import PLAINEST, found_by_rules

MOST = 100_000
"""characters that are read again: released notes are shuffled, so that the first are a sample"""


def found_again(path: Path, column: str, language: str) -> FoundAgainEvidence:
    """Search the first released notes for what patterns find with near certainty."""
    kinds: Counter[str] = Counter()
    characters = 0
    for piece in released_pieces(path):
        for text in piece.column(column).to_pylist():
            if not text:
                continue
            read = text[: MOST - characters]
            characters += len(read)
            kinds.update(str(span.kind) for span in found_by_rules(read, language) if span.kind in PLAINEST)
            if characters == MOST:
                return FoundAgainEvidence(characters=characters, kinds=dict(sorted(kinds.items())))
    return FoundAgainEvidence(characters=characters, kinds=dict(sorted(kinds.items())))
