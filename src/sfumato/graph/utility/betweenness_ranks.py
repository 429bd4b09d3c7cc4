"""Who is in the middle: what became of the ranking of nodes by betweenness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network
from sfumato.graph.utility.ranks import spearman

_DIGITS = 6


@dataclass(frozen=True)
class BetweennessRanks:
    """How far the ranking of nodes by betweenness is from that of the original.

        1 − ρ,  ρ Spearman's correlation of b and b',  b(v) = Σ over s, t of paths(s, t | v) / paths(s, t)

    Paths are shortest ones (L. Freeman 1977), counted as by U. Brandes (2001) from ``pivots`` nodes s drawn
    with ``seed``, the same in both networks, to all t (Brandes & Pich 2007); from all nodes where there are
    no more, and b is then exact. The details say how many of the 1 % of nodes with the greatest betweenness
    are still among them.

    None for a grouping, which does not say which node is which, where in the original all nodes are equally
    between, and where more shortest paths connect two nodes than can be counted (10³⁰⁸: large grids). Where
    in what was published all nodes are equally between, the ranking is lost: 1.

    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> BetweennessRanks().of(path, path).value
    0.0
    """

    pivots: int = 50
    seed: int = 1
    name: ClassVar[str] = "betweenness-ranks"
    title: ClassVar[str] = "change of betweenness ranks"
    range: ClassVar[str] = "0 … 2"
    meaning: ClassVar[str] = "1 minus the rank correlation of betweenness before and after"

    def __post_init__(self) -> None:
        if self.pivots < 1:
            raise BadInput("at least one pivot is needed", where=f"{self.name}, pivots")

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the rankings."""
        if not isinstance(published, Network) or not original.nodes:
            return None
        if published.nodes < original.nodes:
            raise AssertionError("node v of what is published is node v of the original")
        from sfumato.graph.statistics import sampled_sources

        pivots = sampled_sources(original, self.pivots, self.seed)
        before = betweenness(original, pivots)
        after = betweenness(published, pivots)[: original.nodes]
        if before.min() == before.max() or not np.isfinite([before, after]).all():
            return None
        agreed = spearman(before, after)
        top = max(1, original.nodes // 100)
        still = len(np.intersect1d(_greatest(before, top), _greatest(after, top)))
        details: dict[str, int | float | str] = {
            "pivots": len(pivots),
            "greatest 1 %, in nodes": top,
            "share of these that still are": still / top,
        }
        return Measured(1.0 if agreed is None else 1 - agreed, details)


def betweenness(network: Network, pivots: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each node the shortest paths from pivots to all nodes that pass through it.

    Each pair of nodes counts in both directions where both are pivots.

    >>> betweenness(Network.of_edges(3, np.array([[0, 1], [1, 2]])), np.arange(3)).tolist()
    [0.0, 2.0, 0.0]
    """
    from sfumato.graph.utility._kernels_betweenness import add_betweenness

    found = np.zeros(network.nodes, np.float64)
    add_betweenness(network.offsets, network.neighbours, np.array(pivots, np.int64), found)
    # Sums of the same shares in another order are equal.
    return np.round(found, _DIGITS)


def _greatest(values: NDArray[np.float64], many: int) -> NDArray[np.int64]:
    return np.argsort(-values, kind="stable")[:many].astype(np.int64)
