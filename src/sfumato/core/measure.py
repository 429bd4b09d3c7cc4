"""What measures of lost utility share, whatever the kind of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Measured:
    """What a measure found: one figure (lower is better), and those that it is made of."""

    value: float
    details: Mapping[str, int | float | str] = field(default_factory=dict)


class Measure(Protocol):
    """How a measure is called and read. What it compares depends on the kind of data."""

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
