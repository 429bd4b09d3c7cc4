"""Spans that are asked, again and again, which of them stand over a stretch of text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from sfumato.text.span import Span


class Cover:
    """Spans in their order; they may overlap.

    >>> from sfumato.text.kinds import Kind
    >>> [len(span) for span in Cover([Span(0, 4, Kind.NAME), Span(6, 9, Kind.NAME)]).over(3, 6)]
    [4]
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]
        # With overlapping spans a long one may begin far before: how far back at most is kept.
        self._longest = max((len(span) for span in self._spans), default=0)

    def over(self, start: int, end: int) -> list[Span]:
        """Return the spans that share a character with ``text[start:end]``, in their order."""
        first = bisect_left(self._starts, start - self._longest + 1)
        last = bisect_left(self._starts, end)
        return [span for span in self._spans[first:last] if span.end > start]
