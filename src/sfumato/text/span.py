"""A span: where in a text something stands, what it is, and how certain the finder is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sfumato.core.errors import BadInput
from sfumato.text.kinds import Kind

SURE = 0.99
"""a checksum that fits, or an own label beside it (``SSN: 411-16-8757``)"""
LIKELY = 0.9
"""a form that little else has, or a telling word beside it (``Dr. Respighi``)"""
PROBABLE = 0.7
"""a form that other things share (``8/4/2022``, two names from the lexicon side by side)"""
DOUBTFUL = 0.4
"""alone it is not taken; with another detector that agrees it is"""
THRESHOLD = 0.5
"""from this certainty on a span is taken, unless somebody asks for another"""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """``text[start:end]``: offsets count code points of the text as it came, and never bytes.

    >>> Span(0, 3, Kind.NAME).of("Ada Lovelace")
    'Ada'
    """

    start: int
    end: int
    kind: Kind
    label: str = ""
    certainty: float = 1.0
    detector: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise BadInput("a span must hold at least one character", remedy="check its start and its end")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return what stands there. For replacing and showing to the steward; never for messages."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Say whether the two share a character."""
        return self.start < other.end and other.start < self.end


def disjoint(spans: Iterable[Span]) -> bool:
    """Say whether no two spans share a character, and they stand in their order."""
    listed: Sequence[Span] = list(spans)
    return all(one.end <= two.start for one, two in pairwise(listed))
