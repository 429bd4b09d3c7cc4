"""What was lost: measures over notes before and after."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sfumato.core.measure import Measured
from sfumato.text.models.contract import Handled
from sfumato.text.utility.contract import TextMeasure
from sfumato.text.utility.intervals_lost import IntervalsLost
from sfumato.text.utility.over_redacted import over_redacted
from sfumato.text.utility.tokens_changed import OutsideChanged, TokensChanged
from sfumato.text.utility.unreadable import Unreadable

_ALL: tuple[type[Any], ...] = (TokensChanged, IntervalsLost, Unreadable, OutsideChanged)
UTILITIES: dict[str, type[Any]] = {measure.name: measure for measure in _ALL}
"""every measure by its name"""


def measures(language: str = "en") -> tuple[TextMeasure, ...]:
    """Return the measures that every release of notes is told by."""
    return (TokensChanged(), IntervalsLost(language), Unreadable(), OutsideChanged())


def counted_losses(handled: Handled, language: str = "en") -> Counter[str]:
    """Count in one record what all measures need, each under its name."""
    counts: Counter[str] = Counter()
    for measure in measures(language):
        for what, number in measure.counted(handled).items():
            counts[f"{measure.name}/{what}"] += number
    return counts


def measured_losses(counts: Counter[str], language: str = "en") -> dict[str, Measured]:
    """Read the sums over all records; measures that had nothing to look at are left out.

    >>> measured_losses(Counter({"tokens-changed/tokens": 10, "tokens-changed/changed": 1}))
    {'tokens-changed': Measured(value=0.1, details={'tokens': 10, 'changed': 1})}
    """
    found = {}
    for measure in measures(language):
        start = f"{measure.name}/"
        own = Counter({what[len(start) :]: n for what, n in counts.items() if what.startswith(start)})
        told = measure.measured(own)
        if told is not None:
            found[measure.name] = told
    return found


__all__ = [
    "UTILITIES",
    "IntervalsLost",
    "Measured",
    "OutsideChanged",
    "TextMeasure",
    "TokensChanged",
    "Unreadable",
    "counted_losses",
    "measured_losses",
    "measures",
    "over_redacted",
]
