"""Who can be reached from whom, and in how many steps: components and distances by breadth-first search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network


def components(network: Network) -> NDArray[np.int64]:
    """Return the number of each node's component, numbered from 0 in the order of their first nodes.

    >>> components(Network.of_edges(5, np.array([[0, 2], [3, 4]]))).tolist()
    [0, 1, 0, 2, 2]
    """
    from sfumato.graph.statistics._kernels_walks import label_components

    found = np.full(network.nodes, -1, np.int64)
    label_components(network.offsets, network.neighbours, found)
    return found


def distances(network: Network, sources: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return a row for each source: the steps from it to every node, −1 where no path leads.

    Many sources of a large network fill the memory: see ``distance_histogram``.

    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2]]))
    >>> distances(path, np.array([0, 1])).tolist()
    [[0, 1, 2, -1], [1, 0, 1, -1]]
    """
    from sfumato.graph.statistics._kernels_walks import steps_from

    chosen = _sources(network, sources)
    found = np.empty((len(chosen), network.nodes), np.int32)
    queue = np.empty(network.nodes, np.int32)
    for row, source in zip(found, chosen, strict=True):
        steps_from(network.offsets, network.neighbours, source, row, queue)
    return found


def distance_histogram(network: Network, sources: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many pairs of a source and another node are 0, 1, 2, … steps apart, up to the farthest.

    Pairs without a path are not counted: there are sources · (nodes − 1) pairs in all. The first number
    (0 steps) is always 0.

    >>> path = Network.of_edges(4, np.array([[0, 1], [1, 2]]))
    >>> distance_histogram(path, np.array([0, 1])).tolist()
    [0, 3, 1]
    """
    from sfumato.graph.statistics._kernels_walks import count_steps

    pairs = np.zeros(max(network.nodes, 1), np.int64)
    count_steps(network.offsets, network.neighbours, _sources(network, sources), pairs)
    farthest = np.flatnonzero(pairs)
    return pairs[: int(farthest[-1]) + 1 if len(farthest) else 1]


def sampled_sources(network: Network, many: int, seed: int = 1) -> NDArray[np.int64]:
    """Draw so many nodes, each once, ascending: all of them where there are no more."""
    if many < 1 or seed < 0:
        raise BadInput("at least one source and a seed of at least 0 are needed", where="sampled paths")
    if many >= network.nodes:
        return np.arange(network.nodes, dtype=np.int64)
    chance = np.random.default_rng(seed)
    return np.sort(chance.choice(network.nodes, many, replace=False)).astype(np.int64)


def _sources(network: Network, sources: NDArray[np.int64]) -> NDArray[np.int64]:
    # A copy, since kernels know an array that may not be written as another type.
    chosen = np.array(sources, np.int64).reshape(-1)
    if len(chosen) and (chosen.min() < 0 or chosen.max() >= network.nodes):
        raise AssertionError("a source is not a node of the network")
    return chosen
