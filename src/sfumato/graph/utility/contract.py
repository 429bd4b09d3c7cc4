"""What a measure of lost utility over networks is."""

from __future__ import annotations

from typing import Protocol

from sfumato.core.measure import Measure, Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network


class GraphMeasure(Measure, Protocol):
    """A measure of what a published network has lost: lower is better."""

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the original with what is published (node v of a network is node v of the original);
        None where the measure does not apply."""
