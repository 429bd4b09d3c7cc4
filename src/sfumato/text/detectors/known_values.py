"""What columns say about a person is taken wherever it stands in their notes, whatever else it could be.

For the promise ``known-identifiers-removed``: v₁ … vₙ are the words of a value, folded; every place where
they stand side by side is proposed with certainty 1, and from five letters or digits on every place where
words side by side make up v₁…vₙ when they are written as one ("6155550142", "Mc Donald"). The whole-record
pass is wiser (it leaves "young" alone where it is no name); this one is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sfumato.text.detectors.spelling import compounds_of, folded, name_parts
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Known
from sfumato.text.page import Page, Tokens, tokenise
from sfumato.text.span import Span

SHORTEST = 3
"""letters or digits that a value, or a part of a name, has at least to be looked for"""
JOINED = 5
"""letters or digits from which on a value is found however it is cut into words"""


def sought_in(known: Known) -> list[tuple[str, ...]]:
    """Return what must not be read about a person: of names every part, of all else the whole value.

    >>> sought_in(Known(Kind.NAME, "Whitfield, Eleanor M.")), sought_in(Known(Kind.ID, "SH-02-222"))
    ([('whitfield',), ('eleanor',)], [('sh', '02', '222')])
    """
    if known.kind is Kind.NAME:
        parts = map(folded, (*name_parts(known.value), *compounds_of(known.value)))
        return [(part,) for part in parts if len(part) >= SHORTEST]
    words = [folded(word) for word in tokenise(known.value).words if word[0].isalnum()]
    return [tuple(words)] if sum(map(len, words)) >= SHORTEST else []


@dataclass(slots=True)
class _Branch:
    """Sequences that begin with the same words: those that end here, and the words that others go on with."""

    ends: list[int] = field(default_factory=list)
    words: dict[str, _Branch] = field(default_factory=dict)


def places_of(tokens: Tokens, sought: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int, int]]:
    """Find where sequences of words stand: which of them, the first token and the one after the last.

    Punctuation between words is passed over: "02-222" is found in "02 222". Of several that begin at one
    place only the longest are told, which cover the others.
    """
    root = _Branch()
    for which, words in enumerate(sought):
        branch = root
        for word in words:
            branch = branch.words.setdefault(word, _Branch())
        branch.ends.append(which)
    solid = [place for place, word in enumerate(tokens.words) if word[0].isalnum()]
    keys = [folded(tokens.words[place]) for place in solid]
    count = len(keys)
    for at, key in enumerate(keys):
        if key not in root.words:
            continue
        step, last = root.words[key], at
        longest: tuple[list[int], int] = ([], at)
        while True:
            if step.ends:
                longest = (step.ends, last)
            last += 1
            if last >= count or keys[last] not in step.words:
                break
            step = step.words[keys[last]]
        for which in longest[0]:
            yield which, solid[at], solid[longest[1]] + 1


def joined_in(known: Known) -> list[str]:
    """Return what must not be read however it is cut into words.

    >>> joined_in(Known(Kind.NAME, "O'Brien, Ann")), joined_in(Known(Kind.PHONE, "615-555-0142"))
    (['brien', 'obrien'], ['6155550142'])
    """
    values = ("".join(words) for words in sought_in(known))
    return [value for value in values if len(value) >= JOINED]


def joined_places(tokens: Tokens, sought: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Find where words side by side make up a value: which, the first token and the one after the last."""
    which = {value: place for place, value in reversed(list(enumerate(sought)))}
    beginnings = {value[:end] for value in which for end in range(1, len(value) + 1)}
    solid = [place for place, word in enumerate(tokens.words) if word[0].isalnum()]
    for at, place in enumerate(solid):
        letters, last = folded(tokens.words[place]), at
        while letters in beginnings:
            if letters in which:
                yield which[letters], place, solid[last] + 1
            last += 1
            if last == len(solid):
                break
            letters += folded(tokens.words[solid[last]])


@dataclass(frozen=True)
class KnownValues:
    """Proposes every word of a note that columns know about its person."""

    name: str = "known"

    def find(self, found: Found, pages: Sequence[Page]) -> list[list[Span]]:
        """Propose spans for each note."""
        listed = [(words, known) for known in found.record.known for words in sought_in(known)]
        if not listed:
            return [[] for _ in pages]
        sought = [words for words, _ in listed]
        otherwise = [(value, known) for known in found.record.known for value in joined_in(known)]
        joined = [value for value, _ in otherwise]
        spans = []
        for page in pages:
            tokens = page.tokens
            places = [(listed[which][1], first, after) for which, first, after in places_of(tokens, sought)]
            places += [
                (otherwise[which][1], first, after) for which, first, after in joined_places(tokens, joined)
            ]
            spans.append(
                [
                    Span(
                        tokens.starts[first],
                        tokens.ends[after - 1],
                        known.kind,
                        known.label,
                        1.0,
                        self.name,
                    )
                    for known, first, after in places
                ]
            )
        return spans
