"""Put a text together again: changes in, everything else copied character by character."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.core.errors import BadInput
from sfumato.text.replace.contract import Change
from sfumato.text.span import Span, disjoint


def applied(text: str, changes: Sequence[Change]) -> tuple[str, tuple[Span, ...]]:
    """Return the new text, and where in it the replaced spans stand now (those that were not removed).

    >>> from sfumato.text.kinds import Kind
    >>> applied("Ada is well", [Change(Span(0, 3, Kind.NAME), "**NAME[AAA]")])[0]
    '**NAME[AAA] is well'
    """
    if not disjoint(change.span for change in changes) or (changes and changes[-1].span.end > len(text)):
        raise BadInput("changes overlap, or reach beyond the text", remedy="let spans compete first")
    parts: list[str] = []
    new: list[Span] = []
    at = length = 0
    for change in changes:
        span = change.span
        parts += (text[at : span.start], change.after)
        start = length + span.start - at
        length = start + len(change.after)
        at = span.end
        if change.after:
            new.append(Span(start, length, span.kind, span.label, span.certainty, span.detector))
    parts.append(text[at:])
    return "".join(parts), tuple(new)
