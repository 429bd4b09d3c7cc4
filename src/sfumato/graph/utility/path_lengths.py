"""How far people are apart: what became of the lengths of paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network
from sfumato.graph.utility.behind import networks_behind

_MOST = 0.9


@dataclass(frozen=True)
class PathLengths:
    """How far closeness moved, for each part of it that there was.

        |E' − E| / E,  E the mean of 1 / d(u, v) over pairs of nodes, 0 for those that no path connects

    E is the efficiency of Latora & Marchiori (2001): unlike the mean distance it also tells of pairs that are
    no longer connected. The details have the mean distance of connected pairs, the distance within which
    90 % of them lie (interpolated, Leskovec, Kleinberg and Faloutsos 2005) and the share of pairs that are
    connected.

    Distances are those from ``sources`` nodes drawn with ``seed``, the same in both networks, to all others;
    all nodes are sources where there are no more, and the figures are then exact. None where the original
    has no edges.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> triangle = Network.of_edges(3, np.array([[0, 1], [1, 2], [0, 2]]))
    >>> round(PathLengths().of(path, triangle).value, 3)
    0.2
    """

    sources: int = 50
    seed: int = 1
    name: ClassVar[str] = "path-lengths"
    title: ClassVar[str] = "change of path lengths"
    range: ClassVar[str] = "0 … ∞"
    meaning: ClassVar[str] = "how far closeness (the mean of 1 / distance) moved, relative to the original's"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the distances."""
        if not original.edges:
            return None
        networks = networks_behind(published, self.seed)
        known, first = self._figures(original, original)
        if not networks or not known:
            return None
        seen = [self._figures(network, original) for network in networks]
        after = float(np.mean([one for one, _ in seen]))
        details: dict[str, int | float | str] = {
            "sources": min(self.sources, original.nodes),
            "closeness before": known,
            "closeness after": after,
        }
        for name, figure in first.items():
            details[f"{name} before"] = figure
            figures = [more[name] for _, more in seen if name in more]
            if figures:
                details[f"{name} after"] = float(np.mean(figures))
        if not isinstance(published, Network):
            details["possible worlds"] = len(networks)
        return Measured(abs(after - known) / known, details)

    def _figures(self, network: Network, original: Network) -> tuple[float, dict[str, float]]:
        """Return E, and what else is told; no distances where nobody is connected."""
        from sfumato.graph.statistics import distance_histogram, sampled_sources

        # Where some are drawn, they are the same people, also if nodes were added.
        drawn = self.sources < original.nodes <= network.nodes
        sources = sampled_sources(original if drawn else network, self.sources, self.seed)
        many = distance_histogram(network, sources)
        steps = np.arange(len(many))
        reached, pairs = int(many.sum()), len(sources) * (network.nodes - 1)
        if not reached:
            return 0.0, {"share of connected pairs": 0.0}
        figures = {
            "share of connected pairs": reached / pairs,
            "mean distance": float((many * steps).sum() / reached),
            "effective diameter": effective_diameter(many),
        }
        return float((many[1:] / steps[1:]).sum() / pairs), figures


def effective_diameter(many: NDArray[np.int64]) -> float:
    """Return the distance within which 90 % of pairs lie; ``many[d]`` pairs are d apart.

    >>> effective_diameter(np.array([0, 8, 2]))
    1.5
    """
    within = np.cumsum(many)
    wanted = _MOST * int(within[-1])
    at = int(np.searchsorted(within, wanted))
    below = int(within[at - 1]) if at else 0
    return at - 1 + (wanted - below) / (int(within[at]) - below)
