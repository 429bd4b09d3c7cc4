"""What columns say about a person is taken wherever it stands in their notes, whatever else it could be.

For the promise ``known-identifiers-removed``: v₁ … vₙ are the words of a value, folded; every place where
they stand side by side is proposed with certainty 1. The whole-record pass is wiser (it leaves "young" alone
where it is no name); this one is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.text.detectors.spelling import folded, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Known
from sfumato.text.page import Page, Tokens, tokenise
from sfumato.text.span import Span

SHORTEST = 3
"""letters or digits that a value, or a part of a name, has at least to be looked for"""


def sought_in(known: Known) -> list[tuple[str, ...]]:
    """Return what must not be read about a person: of names every part, of all else the whole value.

    >>> sought_in(Known(Kind.NAME, "Whitfield, Eleanor M.")), sought_in(Known(Kind.ID, "SH-02-222"))
    ([('whitfield',), ('eleanor',)], [('sh', '02', '222')])
    """
    if known.kind is Kind.NAME:
        return [(folded(part),) for part in name_parts(known.value) if len(part) >= SHORTEST]
    words = [folded(word) for word in tokenise(known.value).words if word[0].isalnum()]
    return [tuple(words)] if sum(map(len, words)) >= SHORTEST else []


def places_of(tokens: Tokens, sought: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int, int]]:
    """Find where sequences of words stand: which of them, the first token and the one after the last.

    Punctuation between words is passed over: "02-222" is found in "02 222".
    """
    firsts: dict[str, list[int]] = {}
    for which, words in enumerate(sought):
        firsts.setdefault(words[0], []).append(which)
    solid = [place for place, word in enumerate(tokens.words) if word[0].isalnum()]
    keys = [folded(tokens.words[place]) for place in solid]
    for at, key in enumerate(keys):
        for which in firsts.get(key, ()):
            words = sought[which]
            if tuple(keys[at : at + len(words)]) == words:
                yield which, solid[at], solid[at + len(words) - 1] + 1


@dataclass(frozen=True)
class KnownValues:
    """Proposes every word of a note that columns know about its person."""

    name: str = "known"

    def find(self, found: Found, pages: tuple[Page, ...]) -> list[list[Span]]:
        """Propose spans for each note."""
        listed = [(words, known) for known in found.record.known for words in sought_in(known)]
        if not listed:
            return [[] for _ in pages]
        sought = [words for words, _ in listed]
        spans = []
        for page in pages:
            tokens = page.tokens
            spans.append(
                [
                    Span(
                        tokens.starts[first],
                        tokens.ends[after - 1],
                        listed[which][1].kind,
                        listed[which][1].label,
                        1.0,
                        self.name,
                    )
                    for which, first, after in places_of(tokens, sought)
                ]
            )
        return spans
