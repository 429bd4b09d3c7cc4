"""How often the friends of a friend are friends: what became of clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network
from sfumato.graph.utility.behind import networks_behind


@dataclass(frozen=True)
class ClusteringChange:
    """How far the clustering coefficient moved.

        |C' − C|,  C = 3 · triangles / paths of two edges

    The details also have the mean over nodes of the share of connected pairs of neighbours (Watts & Strogatz
    1998), 0 for those with fewer than two. None where the original has no path of two edges. Where what was
    published has none, nothing is connected that could be: C' is 0.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> star = Network.of_edges(4, np.array([[1, 2], [2, 0], [2, 3]]))
    >>> ClusteringChange().of(kite, star).value
    0.6
    """

    seed: int = 1
    """of the possible worlds of a grouping"""
    name: ClassVar[str] = "clustering"
    title: ClassVar[str] = "change of clustering"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far the share of connected pairs of neighbours moved"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the coefficients."""
        from sfumato.graph.statistics import average_clustering, transitivity

        before, local = transitivity(original), average_clustering(original)
        networks = networks_behind(published, self.seed)
        if before is None or not networks:
            return None
        after = float(np.mean([transitivity(network) or 0.0 for network in networks]))
        local_after = float(np.mean([average_clustering(network) or 0.0 for network in networks]))
        details: dict[str, int | float | str] = {
            "clustering before": before,
            "clustering after": after,
            "mean over nodes before": local or 0.0,
            "mean over nodes after": local_after,
        }
        if not isinstance(published, Network):
            details["possible worlds"] = len(networks)
        return Measured(abs(after - before), details)
