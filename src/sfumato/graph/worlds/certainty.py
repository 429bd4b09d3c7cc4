"""What a grouping tells for sure: groups that are complete or empty, and links that are complete.

In every possible world all pairs of a complete group are connected and none of an empty one; between groups
with all possible edges everybody knows everybody. Whoever knows in which groups two people are (their degrees
may tell) then knows whether they are connected: the k of a grouping bounds who is found, not what is learned.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.graph.grouped import Grouped
from sfumato.graph.worlds.counts import cells_of


@dataclass(frozen=True)
class Certain:
    """Groups and links whose edges are the same in every possible world."""

    complete_groups: int
    """groups of two nodes or more that are all connected to each other"""
    empty_groups: int
    """groups of two nodes or more none of which is connected to another of them"""
    complete_links: int
    """pairs of groups where everybody of one is connected to everybody of the other"""
    edges: int
    """edges that are in every possible world"""
    of_edges: int
    """edges that the grouping counts"""

    @property
    def share(self) -> float | None:
        """The share of edges that are in every possible world; None where there are no edges."""
        return self.edges / self.of_edges if self.of_edges else None


def certain(grouped: Grouped) -> Certain:
    """Count what is certain. Links with no edge at all are certain as well, and nearly all are like that.

    >>> import numpy as np
    >>> from sfumato.graph.network import Network
    >>> from sfumato.graph.worlds.summary import grouped_of
    >>> triangles = Network.of_edges(6, np.array([[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [4, 5], [3, 5]]))
    >>> found = certain(grouped_of(triangles, np.array([0, 0, 0, 1, 1, 1])))
    >>> found.complete_groups, found.edges, found.of_edges
    (2, 6, 7)
    """
    pairs, edges = cells_of(grouped)
    groups = len(grouped.sizes)
    some = pairs[:groups] > 0
    full = edges == pairs
    return Certain(
        complete_groups=int((full[:groups] & some).sum()),
        empty_groups=int(((edges[:groups] == 0) & some).sum()),
        complete_links=int(full[groups:].sum()),
        edges=int(edges[full].sum()),
        of_edges=grouped.edges,
    )
