"""Intervals lost: how many distances between the dates of a person the release does not keep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import ClassVar

from sfumato.core.measure import Measured
from sfumato.text.dates import read_date
from sfumato.text.kinds import Kind
from sfumato.text.models.contract import Handled


@dataclass(frozen=True)
class IntervalsLost:
    """The share of pairs of full dates of a person whose distance in days is not that of the original.

    Of n full dates of a person that were found, n_o were moved by o days (0 where they stay). Two of them
    keep their distance when both were moved alike: of n(n−1)/2 pairs, Σ n_o(n_o−1)/2 are kept. Dates that are
    no full dates any more (years, tags) keep nothing.

    >>> from sfumato.text.note import Record
    >>> from sfumato.text.replace.contract import Change
    >>> from sfumato.text.span import Span
    >>> changes = (Change(Span(0, 9, Kind.DATE), "8/21/2003"), Change(Span(10, 19, Kind.DATE), "8/24/2003"))
    >>> handled = Handled(Record.of("1/17/2003 1/20/2003"), ("8/21/2003 8/24/2003",), (changes,))
    >>> measure = IntervalsLost()
    >>> measure.measured(measure.counted(handled)).value
    0.0
    """

    language: str = "en"
    name: ClassVar[str] = "intervals-lost"
    title: ClassVar[str] = "distances between dates lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of pairs of a person's dates that lie otherwise apart than they did"

    def counted(self, handled: Handled) -> Counter[str]:
        """Count pairs of dates, and those that keep their distance."""
        moved: Counter[int] = Counter()
        dates = 0
        for note, changes in zip(handled.record.notes, handled.changes, strict=True):
            for change in changes:
                if change.span.kind is not Kind.DATE:
                    continue
                before = _day(change.span.of(note.text), self.language)
                if before is None:
                    continue
                dates += 1
                after = _day(change.after, self.language)
                if after is not None:
                    moved[(after - before).days] += 1
        return Counter(
            pairs=dates * (dates - 1) // 2, kept=sum(many * (many - 1) // 2 for many in moved.values())
        )

    def measured(self, counts: Counter[str]) -> Measured | None:
        """Return the share."""
        if not counts["pairs"]:
            return None
        lost = counts["pairs"] - counts["kept"]
        return Measured(lost / counts["pairs"], {"pairs": counts["pairs"], "kept": counts["kept"]})


@lru_cache(maxsize=4096)
def _day(text: str, language: str) -> date | None:
    parsed = read_date(text, language)
    return parsed.standing_for() if parsed is not None and parsed.precision == "day" else None
