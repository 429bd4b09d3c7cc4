"""What a measure of lost utility over sets is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class Measured:
    """What a measure found: one figure (lower is better), and those that it is made of."""

    value: float
    details: Mapping[str, int | float | str] = field(default_factory=dict)


class SetMeasure(Protocol):
    """A measure of what a release of sets has lost: lower is better."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def title(self) -> str:
        """What it is called in reports."""

    @property
    def range(self) -> str:
        """Between which figures it lies."""

    @property
    def meaning(self) -> str:
        """What the figure says, in one sentence."""

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Compare the original with the release; None where the measure does not apply."""


def same_records(original: CodeSets, published: PublishedSets) -> None:
    """Refuse a release that has not one record for each record of the original."""
    if len(original) != len(published):
        raise BadInput(
            f"the original has {len(original):,} records and the release {len(published):,}",
            remedy="compare the release in the order of the original, before it is shuffled",
        )
