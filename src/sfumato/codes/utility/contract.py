"""What a measure of lost utility over sets is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measure, Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


class SetMeasure(Measure, Protocol):
    """A measure of what a release of sets has lost: lower is better."""

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Compare the original with the release; None where the measure does not apply."""


def same_records(original: CodeSets, published: PublishedSets) -> None:
    """Refuse a release that has not one record for each record of the original."""
    if len(original) != len(published):
        raise BadInput(
            f"the original has {len(original):,} records and the release {len(published):,}",
            remedy="compare the release in the order of the original, before it is shuffled",
        )
