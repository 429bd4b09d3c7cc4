"""Triangles, and how often two neighbours know each other (D. Watts & S. Strogatz 1998).

Cᵥ = triangles at v / pairs of neighbours of v,    transitivity = 3 · triangles / Σ pairs of neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.network import Network
from sfumato.graph.statistics.degrees import wedges


def triangles(network: Network) -> NDArray[np.int64]:
    """Return how many triangles each node lies in; their sum is three times the triangles of the network.

    >>> bow = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]]))
    >>> triangles(bow).tolist(), triangle_count(bow)
    ([1, 1, 2, 1, 1], 2)
    """
    from sfumato.graph.statistics._kernels_triangles import count_triangles

    found = np.zeros(network.nodes, np.int64)
    count_triangles(network.offsets, network.neighbours, found)
    return found


def triangle_count(network: Network) -> int:
    """Return how many triangles there are."""
    return int(triangles(network).sum()) // 3


def clustering(network: Network) -> NDArray[np.float64]:
    """Return for each node the share of pairs of its neighbours that are connected; 0 where there are none.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> clustering(kite).round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    return triangles(network) / np.maximum(wedges(network), 1)


def average_clustering(network: Network) -> float | None:
    """Return the mean of the nodes' clustering; None where there are no nodes."""
    return float(clustering(network).mean()) if network.nodes else None


def transitivity(network: Network) -> float | None:
    """Return the share of all paths of two edges that are closed; None where there is no such path.

    >>> kite = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
    >>> transitivity(kite)
    0.6
    """
    paths = int(wedges(network).sum())
    return int(triangles(network).sum()) / paths if paths else None
