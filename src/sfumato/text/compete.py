"""Competing detectors: the most certain wins, agreement raises certainty, nothing that was proposed leaks.

Proposals p₁ … pₙ of one kind on overlapping text, by different detectors, support each other:
certainty = 1 − Π (1 − cᵢ) over the detectors, each with its best proposal. Then spans are taken from the most
certain on (longer first among equals). What a taken span leaves over of a weaker one that is certain enough
by itself is taken too: of "Ada **Lovelace**" beside "**Ada Lovelace**" no half stays behind, and the parts of
one name are one span. A clinical span that wins keeps its text from all weaker ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate

from sfumato.text.kinds import Kind
from sfumato.text.span import THRESHOLD, Span

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
MOST_NEIGHBOURS = 200
"""proposals of one kind that a proposal shares text with, on average, before support is only estimated"""
_TAIL = 3
"""so many capitals beside medicine are a numeral or a grade, and no name"""
_INSTITUTIONS = ("hospital", "organisation")
_INSIDE = ("state", "country")
"""places that institutions are called after, and that policies keep where they stand alone"""
_NUMBERS = (Kind.ID, Kind.IP, Kind.PHONE, Kind.SSN)
_SHORTEST_DATE = 6
"""characters: what is shorter is a year"""
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
    best: list[dict[str, float]] = [{} for _ in group]
    labels: list[tuple[float, Span] | None] = [None] * len(group)
    kinds: dict[Kind, list[int]] = {}
    for place, span in enumerate(group):
        kinds.setdefault(span.kind, []).append(place)
    for kind, places in kinds.items():
        if _neighbours([group[place] for place in places]) > MOST_NEIGHBOURS * len(places):
            if kind.identifies:
                _estimate(group, places, best)
            continue
        for one, two in _pairs(group, places):
            shared = min(group[one].end, group[two].end) - group[two].start
            _hear(group, one, two, shared, best, labels)
            if one != two:
                _hear(group, two, one, shared, best, labels)
    raised = []
    for span, others, label in zip(group, best, labels, strict=True):
        doubt = 1.0 - span.certainty
        for certainty in others.values():
            doubt *= 1.0 - certainty
        named = span.label or (label[1].label if label is not None else "")
        raised.append(replace(span, certainty=1.0 - doubt, label=named))
    return raised


def _neighbours(spans: list[Span]) -> int:
    """Count, for all spans together, those that they share text with."""
    starts = sorted(span.start for span in spans)
    ends = sorted(span.end for span in spans)
    return sum(bisect_left(starts, span.end) - bisect_right(ends, span.start) for span in spans)


def _pairs(group: list[Span], places: list[int]) -> Iterator[tuple[int, int]]:
    """Yield all pairs that share text, the one that begins first before the other; also each with itself."""
    open_still: list[int] = []
    for place in places:
        start = group[place].start
        open_still = [other for other in open_still if group[other].end > start]
        open_still.append(place)
        for other in open_still:
            yield other, place


def _hear(
    group: list[Span],
    place: int,
    other: int,
    shared: int,
    best: list[dict[str, float]],
    labels: list[tuple[float, Span] | None],
) -> None:
    """Let one span be supported by another, and called what the most certain one calls the same thing."""
    span, by = group[place], group[other]
    if by.detector != span.detector:
        certainty = by.certainty * (shared / len(span))
        best[place][by.detector] = max(best[place].get(by.detector, 0.0), certainty)
    if by.label and not span.label and 2 * shared > len(span):
        said = (by.certainty, by)
        labels[place] = max(labels[place] or said, said)


def _estimate(group: list[Span], places: list[int], best: list[dict[str, float]]) -> None:
    """Support all by the best proposal of every other detector, wherever in the group it stands.

    Where thousands lie upon each other nobody can compare each with each. This is never too little, and so
    nothing leaks; clinical spans, which keep text, go without support instead.
    """
    most: dict[str, float] = {}
    for place in places:
        by = group[place]
        most[by.detector] = max(most.get(by.detector, 0.0), by.certainty)
    for place in places:
        best[place] = {name: certainty for name, certainty in most.items() if name != group[place].detector}


class _Reach:
    """How far to the right spans reach that begin before a place."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def over(self, first: int, last: int) -> bool:
        """Say whether some span covers both characters."""
        began = bisect_right(self._starts, first)
        return began > 0 and self._ends[began - 1] > last


class _Taken:
    """Spans that were taken in a group, and which of its characters they cover."""

    def __init__(self, group: list[Span]) -> None:
        self.spans: list[Span] = []
        self._base = group[0].start
        self._covered = bytearray(max(span.end for span in group) - self._base)
        self._by_start: dict[int, int] = {}
        self._by_end: dict[int, int] = {}

    def add(self, span: Span) -> None:
        """Take a span that shares no text with those taken."""
        self._put(len(self.spans), span)

    def put(self, place: int, span: Span) -> None:
        """Let a taken span reach further."""
        del self._by_start[self.spans[place].start], self._by_end[self.spans[place].end]
        self._put(place, span)

    def _put(self, place: int, span: Span) -> None:
        self.spans[place : place + 1] = [span]
        self._by_start[span.start] = self._by_end[span.end] = place
        self._covered[span.start - self._base : span.end - self._base] = b"\1" * len(span)

    def left_over(self, span: Span) -> list[tuple[int, int]]:
        """Return the parts of a span that are not covered."""
        parts = []
        start, end = span.start - self._base, span.end - self._base
        while (start := self._covered.find(0, start, end)) >= 0:
            after = self._covered.find(1, start, end)
            after = end if after < 0 else after
            parts.append((start + self._base, after + self._base))
            start = after
        return parts

    def beside(self, part: Span, span: Span) -> list[int]:
        """Return the taken spans next to a part of a span that lie inside the span, the first taken first."""
        left = self._covered.rfind(1, span.start - self._base, part.start - self._base)
        right = self._covered.find(1, part.end - self._base, span.end - self._base)
        found = [] if left < 0 else [self._by_end[left + self._base + 1]]
        found += [] if right < 0 else [self._by_start[right + self._base]]
        return [
            place
            for place in sorted(found)
            if span.start <= self.spans[place].start and self.spans[place].end <= span.end
        ]


def _winners(text: str, group: list[Span], threshold: float) -> list[Span]:
    ranked = sorted(
        group, key=lambda span: (-span.certainty, -len(span), span.start, span.kind is Kind.CLINICAL)
    )
    taken = _Taken(group)
    for span in ranked:
        if span.certainty < threshold:
            break
        for start, end in taken.left_over(span):
            trimmed = _trimmed(text, start, end)
            if trimmed is None:
                continue
            part = replace(span, start=trimmed[0], end=trimmed[1])
            if end - start == len(span):
                taken.add(part)
            elif _says_something(text, *trimmed) and not _is_tail_of_medicine(text, part, span, taken):
                _add_part(text, part, span, taken)
    names = _Reach(span for span in group if span.kind is Kind.NAME and span.certainty >= threshold)
    won = [span for span in _joined(taken.spans, names) if span.kind is not Kind.CLINICAL]
    return [*_with_brackets(text, won, group)]


def _add_part(text: str, part: Span, span: Span, taken: _Taken) -> None:
    """Add what is left over of a span: to the taken one that it surrounds and that is the same thing, if any.

    Of "en el año 2004" and the more certain "2004" one date comes, not two of which one cannot be read.
    Names are joined in the end. A town behind a street, after a comma or in brackets, is another thing; a
    state inside the name of an institution is a part of it.
    """
    if span.kind not in (Kind.NAME, Kind.CLINICAL):
        for place in taken.beside(part, span):
            other = taken.spans[place]
            between = text[min(part.end, other.end) : max(part.start, other.start)]
            if _is_year_inside(other, span, between):
                start, end = min(part.start, other.start), max(part.end, other.end)
                taken.put(place, replace(span, start=start, end=end))
                return
            if other.kind is span.kind and _may_be_one(other, span, between):
                start, end = min(part.start, other.start), max(part.end, other.end)
                label = span.label if span.label in _INSTITUTIONS else other.label or span.label
                taken.put(place, replace(other, start=start, end=end, label=label))
                return
    taken.add(part)


def _is_year_inside(one: Span, number: Span, between: str) -> bool:
    """Return whether a year is four digits of a longer number: policies show years, and half would stay."""
    return (
        number.kind in _NUMBERS
        and one.kind is Kind.DATE
        and len(one) < _SHORTEST_DATE
        and not _says_something(between, 0, len(between))
    )


def _is_tail_of_medicine(text: str, part: Span, span: Span, taken: _Taken) -> bool:
    """Say whether all that medicine left over of a name is a few capitals: the II of "Salter-Harris II"."""
    if span.kind is not Kind.NAME or len(part) > _TAIL or not part.of(text).isupper():
        return False
    beside = [taken.spans[place] for place in taken.beside(part, span)]
    # A capital that begins a word of which medicine took the rest is no numeral.
    inside = text[part.start - 1 : part.start].isalnum() or text[part.end : part.end + 1].isalnum()
    return not inside and any(other.kind is Kind.CLINICAL for other in beside)


def _may_be_one(one: Span, other: Span, between: str) -> bool:
    """Say whether two spans of a kind may be one thing: their labels agree, or one has none."""
    if one.kind is Kind.LOCATION:
        named = one.label == other.label != "" or (other.label in _INSTITUTIONS and one.label in _INSIDE)
        return named and not between.strip(" -")
    return not _says_something(between, 0, len(between)) and (
        one.label == other.label or not (one.label and other.label)
    )


def _says_something(text: str, start: int, end: int) -> bool:
    """Say whether there is a letter or a digit: a hyphen that is left over of a name tells nothing."""
    return any(letter.isalnum() for letter in text[start:end])


def _with_brackets(text: str, won: list[Span], group: list[Span]) -> Iterator[Span]:
    """Take the bracket before a span as well when its other half stands inside and somebody proposed it."""
    proposed: dict[Kind, _Reach] = {}
    for span in won:
        before = span.start - 1
        closing = _CLOSING.get(text[before], "") if before >= 0 else ""
        if (
            closing
            and text.find(closing, span.start, span.end) >= 0
            and text.find(text[before], span.start, span.end) < 0
        ):
            if span.kind not in proposed:
                proposed[span.kind] = _Reach(other for other in group if other.kind is span.kind)
            if proposed[span.kind].over(before, before):
                yield replace(span, start=before)
                continue
        yield span


def _joined(taken: list[Span], names: _Reach) -> list[Span]:
    """Join parts of a name that somebody proposed as one, unless something else stands between them."""
    joined: list[Span] = []
    for span in sorted(taken):
        last = joined[-1] if joined else None
        if last is not None and last.kind is span.kind is Kind.NAME and names.over(last.end - 1, span.start):
            sure = max(last, span, key=lambda part: part.certainty)
            joined[-1] = replace(sure, start=last.start, end=span.end)
        else:
            joined.append(span)
    return joined


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave white space and punctuation at both ends outside, and what holds nothing else altogether.

    A bracket whose other half stands inside is part of it: ``(615) 555-0142``.
    """
    closing = {sort: text.rfind(sort, start, end - 1) for sort in _OPENING} if text[start] in _TRIMMED else {}
    while start < end and text[start] in _TRIMMED:
        if text[start] in _CLOSING and closing[_CLOSING[text[start]]] > start:
            break
        start += 1
    opening = {sort: text.find(sort, start, end) for sort in _CLOSING} if text[end - 1] in _TRIMMED else {}
    while end > start and text[end - 1] in _TRIMMED:
        if text[end - 1] in _OPENING and 0 <= opening[_OPENING[text[end - 1]]] < end - 1:
            break
        end -= 1
    return (start, end) if start < end else None
