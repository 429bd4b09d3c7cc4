"""Competing detectors: the most certain wins, agreement raises certainty, nothing that was proposed leaks.

Proposals p₁ … pₙ of one kind on overlapping text, by different detectors, support each other:
certainty = 1 − Π (1 − cᵢ) over the detectors, each with its best proposal. Then spans are taken from the most
certain on (longer first among equals). What a taken span leaves over of a weaker one that is certain enough
by itself is taken too: of "Ada **Lovelace**" beside "**Ada Lovelace**" no half stays behind, and the parts of
one name are one span. A clinical span that wins keeps its text from all weaker ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sfumato.text.kinds import Kind
from sfumato.text.span import THRESHOLD, Span

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_TRIMMED = " \t\r\n\f\v.,;:()[]{}\"'"


def compete(text: str, proposed: Iterable[Span], threshold: float = THRESHOLD) -> tuple[Span, ...]:
    """Return the spans that win: apart from each other, in their order, identifying, certain enough.

    >>> from sfumato.text.span import DOUBTFUL, LIKELY
    >>> text = "Foley seen by Dr. Foley"
    >>> proposals = [Span(0, 5, Kind.CLINICAL, "eponym", 0.8), Span(0, 5, Kind.NAME, "", 0.7),
    ...              Span(18, 23, Kind.NAME, "doctor", LIKELY)]
    >>> [span.of(text) for span in compete(text, proposals)]
    ['Foley']
    """
    groups = _groups(sorted(proposed))
    taken: list[Span] = []
    for group in groups:
        taken += _winners(text, _supported(group) if len(group) > 1 else group, threshold)
    return tuple(sorted(taken))


def _groups(spans: list[Span]) -> list[list[Span]]:
    """Part spans where no text is shared."""
    groups: list[list[Span]] = []
    reach = -1
    for span in spans:
        if span.start >= reach:
            groups.append([])
        groups[-1].append(span)
        reach = max(reach, span.end)
    return groups


def _supported(group: list[Span]) -> list[Span]:
    """Raise the certainty of every span by the other detectors that propose the same kind over it."""
    raised = []
    for span in group:
        best: dict[str, float] = {}
        for other in group:
            if other.kind is span.kind and other.detector != span.detector and other.overlaps(span):
                share = (min(other.end, span.end) - max(other.start, span.start)) / len(span)
                best[other.detector] = max(best.get(other.detector, 0.0), other.certainty * share)
        doubt = 1.0 - span.certainty
        for certainty in best.values():
            doubt *= 1.0 - certainty
        raised.append(replace(span, certainty=1.0 - doubt, label=span.label or _label(span, group)))
    return raised


def _label(span: Span, group: list[Span]) -> str:
    """Return what the most certain detector that knows more calls the same thing."""
    named = [
        other
        for other in group
        if other.kind is span.kind
        and other.label
        and 2 * (min(other.end, span.end) - max(other.start, span.start)) > len(span)
    ]
    return max(named, key=lambda other: (other.certainty, other)).label if named else ""


def _winners(text: str, group: list[Span], threshold: float) -> list[Span]:
    taken: list[Span] = []
    ranked = sorted(
        group, key=lambda span: (-span.certainty, -len(span), span.start, span.kind is Kind.CLINICAL)
    )
    for span in ranked:
        if span.certainty < threshold:
            break
        for start, end in _left_over(span, taken):
            trimmed = _trimmed(text, start, end)
            if trimmed is not None and (end - start == len(span) or _says_something(text, *trimmed)):
                taken.append(replace(span, start=trimmed[0], end=trimmed[1]))
    whole = [span for span in group if span.kind is Kind.NAME and span.certainty >= threshold]
    return [
        _with_bracket(text, span, group) for span in _joined(taken, whole) if span.kind is not Kind.CLINICAL
    ]


def _says_something(text: str, start: int, end: int) -> bool:
    """Say whether there is a letter or a digit: a hyphen that is left over of a name tells nothing."""
    return any(letter.isalnum() for letter in text[start:end])


def _with_bracket(text: str, span: Span, group: list[Span]) -> Span:
    """Take the bracket before a span as well when its other half stands inside and somebody proposed it."""
    before = span.start - 1
    if (
        before >= 0
        and text[before] in _CLOSING
        and _CLOSING[text[before]] in text[span.start : span.end]
        and text[before] not in text[span.start : span.end]
        and any(other.kind is span.kind and other.start <= before < other.end for other in group)
    ):
        return replace(span, start=before)
    return span


def _joined(taken: list[Span], whole: list[Span]) -> list[Span]:
    """Join parts of a name that somebody proposed as one, unless something else stands between them."""
    joined: list[Span] = []
    for span in sorted(taken):
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind is span.kind is Kind.NAME
            and any(name.start < last.end and span.start < name.end for name in whole)
        ):
            sure = max(last, span, key=lambda part: part.certainty)
            joined[-1] = replace(sure, start=last.start, end=span.end)
        else:
            joined.append(span)
    return joined


def _left_over(span: Span, taken: list[Span]) -> list[tuple[int, int]]:
    """Return the parts of a span that no taken one covers."""
    parts = [(span.start, span.end)]
    for other in taken:
        parts = [
            piece
            for start, end in parts
            for piece in ((start, min(end, other.start)), (max(start, other.end), end))
            if piece[0] < piece[1]
        ]
    return parts


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave white space and punctuation at both ends outside, and what holds nothing else altogether.

    A bracket whose other half stands inside is part of it: ``(615) 555-0142``.
    """
    while start < end and text[start] in _TRIMMED and not _closed_inside(text, start, end):
        start += 1
    while end > start and text[end - 1] in _TRIMMED and not _opened_inside(text, start, end):
        end -= 1
    return (start, end) if start < end else None


def _closed_inside(text: str, start: int, end: int) -> bool:
    return text[start] in _CLOSING and text.find(_CLOSING[text[start]], start + 1, end - 1) > 0


def _opened_inside(text: str, start: int, end: int) -> bool:
    return text[end - 1] in _OPENING and text.find(_OPENING[text[end - 1]], start, end - 1) >= 0
