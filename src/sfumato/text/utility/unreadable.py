"""Unreadable: how often nothing tells a reader what stood where something was replaced."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.measure import Measured
from sfumato.text.models.contract import Handled


@dataclass(frozen=True)
class Unreadable:
    """The share of replaced things of which the release does not say what they were.

    A tag (``**NAME[AAA]``), a made-up name, a year or a broader word can be read on; a blank, stars or
    nothing cannot: what was put there holds no letter and no digit, or is a run of one of them (``XXXX``).

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.note import Record
    >>> from sfumato.text.replace.contract import Change
    >>> from sfumato.text.span import Span
    >>> changes = (Change(Span(0, 3, Kind.NAME), "****"), Change(Span(8, 11, Kind.NAME), "**NAME[AAA]"))
    >>> measure = Unreadable()
    >>> handled = Handled(Record.of("Ada and Bob"), ("**** and **NAME[AAA]",), (changes,))
    >>> measure.measured(measure.counted(handled)).value
    0.5
    """

    name: ClassVar[str] = "unreadable"
    title: ClassVar[str] = "replaced things that nothing stands for"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of replaced things of which the release does not say what they were"

    def counted(self, handled: Handled) -> Counter[str]:
        """Count what was replaced, and what cannot be read."""
        counts: Counter[str] = Counter()
        for note, changes in zip(handled.record.notes, handled.changes, strict=True):
            for change in changes:
                if change.after != change.span.of(note.text):
                    counts["replaced"] += 1
                    told = [letter for letter in change.after if letter.isalnum()]
                    counts["unreadable"] += not told or (len(told) > 2 and len({*told}) == 1)
        return counts

    def measured(self, counts: Counter[str]) -> Measured | None:
        """Return the share."""
        if not counts["replaced"]:
            return None
        return Measured(counts["unreadable"] / counts["replaced"], {"replaced": counts["replaced"]})
