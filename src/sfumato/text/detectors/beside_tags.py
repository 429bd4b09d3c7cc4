"""Beside a tag of earlier de-identification a learned model is not believed alone.

A model weighs the few words around a word. Where these are tags, which no note that it was trained on has,
it sees names in titles and places in labels ("**NAME[WWW VVV], psyd"), and de-identifying twice would take
more than once. What it proposes on the same line as a tag and near it stays doubtful: it is taken when
another detector agrees. What anybody proposes around a tag, or from inside it, is believed less still: of
"Address: **CITY NY **ZIP-CODE" the state would be left over and taken for the address.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from sfumato.text.detectors.patterns.already import LABEL, Already
from sfumato.text.span import DOUBTFUL, Span

NEAR = 24
"""characters: about as far as a model looks"""
_AROUND = 0.15
"""of what reaches over a tag: even three who agree on it are not believed"""
_MASK = "****"


def doubted(text: str, spans: Sequence[Span], learned: str = "learned") -> list[Span]:
    """Return proposals, those of a model near tags with less certainty.

    >>> from sfumato.text.kinds import Kind
    >>> text = "**NAME[AAA], psyd"
    >>> tag = Span(0, 11, Kind.CLINICAL, LABEL, 1.0, "already")
    >>> guess = Span(13, 17, Kind.NAME, "", 0.8, "learned")
    >>> [span.certainty for span in doubted(text, [tag, guess])]
    [1.0, 0.4]
    """
    tags = sorted(
        (span.start, span.end)
        for span in spans
        if span.label == LABEL and span.detector == Already.name and _is_tag(span.of(text))
    )
    if not tags:
        return [*spans]
    starts = [start for start, _ in tags]
    kept = []
    for span in spans:
        place = bisect_left(starts, span.start)
        around = place < len(tags) and tags[place][1] <= span.end
        around = span.kind.identifies and (around or _begins_inside(span, tags, place))
        if around:
            span = replace(span, certainty=min(span.certainty, _AROUND))
        elif span.detector == learned and _is_near(text, span, tags, place):
            span = replace(span, certainty=min(span.certainty, DOUBTFUL))
        kept.append(span)
    return kept


def _begins_inside(span: Span, tags: Sequence[tuple[int, int]], place: int) -> bool:
    """Say whether a span begins in a tag and reaches beyond it: "**ZIP-CODE Home"."""
    return place > 0 and span.start < tags[place - 1][1] < span.end


def _is_tag(shown: str) -> bool:
    """Say whether it says what stood there, or is the mask that is printed here; forms hold other blanks."""
    return shown == _MASK or any(letter.isalpha() and letter not in "xX" for letter in shown)


def _is_near(text: str, span: Span, tags: Sequence[tuple[int, int]], place: int) -> bool:
    """Say whether the tag before a span, or the one after its beginning, stands near it on its line."""
    if place and span.start - tags[place - 1][1] <= NEAR:
        return "\n" not in text[tags[place - 1][1] : span.start]
    if place < len(tags) and tags[place][0] - span.end <= NEAR:
        return "\n" not in text[span.end : tags[place][0]]
    return False
