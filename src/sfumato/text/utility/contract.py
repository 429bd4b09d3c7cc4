"""What measures of lost utility of notes share: they look at record after record, so that notes stream.

``counted`` returns small whole numbers of one record; they are added up over all of them, in any order, and
``measured`` reads the sums. No number is about one person.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from sfumato.core.measure import Measure, Measured
from sfumato.text.models.contract import Handled


class TextMeasure(Measure, Protocol):
    """A measure over notes before and after: lower is better."""

    def counted(self, handled: Handled) -> Counter[str]:
        """Count in one record what ``measured`` needs."""

    def measured(self, counts: Counter[str]) -> Measured | None:
        """Read the sums over all records; None where there was nothing to measure."""
