"""Competition between proposals, slowly: every span is compared with every other."""

from __future__ import annotations

from sfumato.text.kinds import Kind
from sfumato.text.span import Span


def supported(spans: list[Span]) -> dict[tuple[int, int, Kind, str], float]:
    """Return how certain each place is after all other detectors were heard, the best of its proposals."""
    found: dict[tuple[int, int, Kind, str], float] = {}
    for span in spans:
        best: dict[str, float] = {}
        for other in spans:
            shared = min(other.end, span.end) - max(other.start, span.start)
            if shared > 0 and other.kind is span.kind and other.detector != span.detector:
                best[other.detector] = max(
                    best.get(other.detector, 0.0), other.certainty * shared / len(span)
                )
        doubt = 1.0 - span.certainty
        for certainty in best.values():
            doubt *= 1.0 - certainty
        key = (span.start, span.end, span.kind, span.detector)
        found[key] = max(found.get(key, 0.0), 1.0 - doubt)
    return found


def kinds_by_character(spans: list[Span], threshold: float) -> dict[int, Kind]:
    """Return what wins each character: the most certain proposal over it, the longer among equals."""
    certain = supported(spans)
    won: dict[int, tuple[float, int, int, bool, Kind]] = {}
    for (start, end, kind, _), certainty in certain.items():
        if certainty < threshold:
            continue
        rank = (-certainty, start - end, start, kind is Kind.CLINICAL, kind)
        for at in range(start, end):
            won[at] = min(won.get(at, rank), rank)
    return {at: rank[-1] for at, rank in won.items()}
