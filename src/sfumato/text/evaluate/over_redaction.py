"""Over-redaction: how much of notes that nobody annotated a finder would take away.

Where notes are known to hold no identifiers (or hardly any), every token that is found is a word of medicine
lost: share = found tokens / tokens. What a reader marked as identifying after all (``identifiers``) is left
out of the found tokens. The *shapes* of what was found say which words those are without showing them:
``Xxxxx`` is a capitalised word of five or more letters, ``ddd/dd`` a pressure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.evaluate.compared import Outcome, compare
from sfumato.text.evaluate.evaluation import NOTHING
from sfumato.text.evaluate.intervals import Share, share_of_tokens
from sfumato.text.evaluate.scope import HIPAA, Scope
from sfumato.text.span import Span

_LONGEST = 5
_RUNS = re.compile(rf"(.)\1{{{_LONGEST},}}")


@dataclass(frozen=True)
class OverRedaction:
    """How much was found where nothing should be."""

    notes: int
    tokens: int
    found: int
    share: Share
    by_kind: Mapping[str, int]
    """found tokens by the kind that they were held for"""
    shapes: tuple[tuple[str, str, int], ...]
    """the most frequent: kind, shape, how often"""
    values: tuple[tuple[str, str, int], ...] = field(default=(), repr=False)
    """the most frequent texts themselves: for the steward, and only when asked for"""

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {number}" for kind, number in self.by_kind.items()) or NOTHING
        frequent = ", ".join(f"{shape} ({kind}, {number})" for kind, shape, number in self.shapes[:10])
        return (
            f"{self.found} of {self.tokens} tokens in {self.notes} notes are found: "
            f"{self.share.with_interval()}\nby kind: {kinds}\nmost frequent shapes: {frequent or NOTHING}"
        )


def shape(text: str) -> str:
    """Return what a text looks like: letters as x and X, digits as d, runs cut at five.

    >>> shape("Kirschner"), shape("C5-C6"), shape("120/80"), shape("12 mg")
    ('Xxxxxx', 'Xd-Xd', 'ddd/dd', 'dd xx')
    """
    letters = "".join(
        "d" if one.isdigit() else ("X" if one.isupper() else "x") if one.isalpha() else one for one in text
    )
    return _RUNS.sub(lambda run: run[1] * _LONGEST, re.sub(r"\s+", " ", letters))


def over_redaction(
    texts: Sequence[str],
    found: Sequence[Iterable[Span]],
    scope: Scope = HIPAA,
    *,
    identifiers: Sequence[Iterable[Span]] | None = None,
    most: int = 20,
    show_values: bool = False,
) -> OverRedaction:
    """Count what was found in texts that hold nothing.

    >>> from sfumato.text.kinds import Kind
    >>> outcome = over_redaction(["Foley placed", "BP 120/80"], [[Span(0, 5, Kind.NAME)], []])
    >>> outcome.found, outcome.tokens, outcome.shapes
    (1, 5, (('NAME', 'Xxxxx', 1),))
    >>> over_redaction(["Ada seen"], [[Span(0, 3, Kind.NAME)]], identifiers=[[Span(0, 3, Kind.NAME)]]).found
    0
    """
    if len(texts) != len(found):
        raise BadInput("every text needs its list of found spans", where="over_redaction")
    marked = [()] * len(texts) if identifiers is None else [tuple(spans) for spans in identifiers]
    if len(marked) != len(texts):
        raise BadInput("every text needs its list of identifiers", where="over_redaction")
    compared = [
        compare(Annotated(text, spans), by_finder, scope)
        for text, spans, by_finder in zip(texts, marked, found, strict=True)
    ]
    kinds: Counter[str] = Counter()
    shapes: Counter[tuple[str, str]] = Counter()
    values: Counter[tuple[str, str]] = Counter()
    hits = []
    for text, one in zip(texts, compared, strict=True):
        taken = [token for token in one.tokens if token.outcome is Outcome.TOO_MUCH and token.found]
        hits.append(len(taken))
        kinds.update(token.found.kind.value for token in taken if token.found)
        wrong = {token.found for token in taken}
        for span in (span for span in one.found if span in wrong):
            shapes[span.kind.value, shape(span.of(text))] += 1
            values[span.kind.value, span.of(text)] += 1
    return OverRedaction(
        len(texts),
        sum(one.words for one in compared),
        sum(hits),
        share_of_tokens(hits, [one.words for one in compared]),
        dict(kinds.most_common()),
        tuple((kind, held, number) for (kind, held), number in shapes.most_common(most)),
        tuple((kind, held, number) for (kind, held), number in values.most_common(most))
        if show_values
        else (),
    )
