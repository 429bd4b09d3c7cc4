"""Spans as labels of words and back: B- begins a span, I- continues it, O is outside (Ramshaw & Marcus 1995).

A word that shares one character with a span carries its label: a word is never cut by the model, so that no
half of a name stays behind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

from sfumato.core.errors import BadInput
from sfumato.text.kinds import Kind
from sfumato.text.page import Tokens
from sfumato.text.span import Span

OUTSIDE = "O"
BEGIN = "B-"
INSIDE = "I-"


def by_kind(span: Span) -> str:
    """Label a span by its kind: the default."""
    return span.kind.value


def labels_of(tokens: Tokens, spans: Iterable[Span], label_of: Callable[[Span], str] = by_kind) -> list[str]:
    """Return one label for each word.

    >>> from sfumato.text.page import tokenise
    >>> labels_of(tokenise("Mrs. Ada Lovelace sleeps"), [Span(5, 17, Kind.NAME)])
    ['O', 'O', 'B-NAME', 'I-NAME', 'O']
    """
    labels = [OUTSIDE] * len(tokens)
    for span in sorted(spans):
        prefix = BEGIN
        place = bisect_right(tokens.ends, span.start)
        while place < len(tokens) and tokens.starts[place] < span.end:
            if labels[place] == OUTSIDE:
                labels[place] = prefix + label_of(span)
                prefix = INSIDE
            place += 1
    return labels


def kinds_of(spans: Iterable[Span], label_of: Callable[[Span], str] = by_kind) -> dict[str, Kind]:
    """Return the kind of every label; a label of two kinds cannot be learned."""
    kinds: dict[str, Kind] = {}
    for span in spans:
        label = label_of(span)
        if not label or any(letter.isspace() for letter in label):
            raise BadInput("a label must be a word", where="annotations", remedy="rename it")
        if kinds.setdefault(label, span.kind) is not span.kind:
            raise BadInput(f"the label '{label}' stands for two kinds", remedy="rename one of them")
    return dict(sorted(kinds.items()))


def names_of(kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """Return the labels that words can carry: O, then B- and I- of each label."""
    return (OUTSIDE, *(prefix + label for label in sorted(kinds) for prefix in (BEGIN, INSIDE)))
