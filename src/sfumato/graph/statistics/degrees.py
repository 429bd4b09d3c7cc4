"""How many neighbours there are, and how many pairs of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.network import Network


def degree_histogram(network: Network) -> NDArray[np.int64]:
    """Return how many nodes have 0, 1, 2, … neighbours, up to the most that a node has.

    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> degree_histogram(star).tolist()
    [1, 3, 0, 1]
    """
    return np.bincount(network.degrees()).astype(np.int64)


def wedges(network: Network) -> NDArray[np.int64]:
    """Return for each node the pairs of its neighbours: the paths of two edges that it is the middle of.

    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> wedges(star).tolist()
    [3, 0, 0, 0, 0]
    """
    degrees = network.degrees()
    return degrees * (degrees - 1) // 2
