"""Groups to begin a search with: nodes in some order, cut into groups of k; the best order is taken.

Min-hashing (Broder 1997): each node gets a random number, and a node is known by the least number among its
neighbours. Two nodes are known by the same one with probability |N(u) ∩ N(v)| / |N(u) ∪ N(v)|, so that
sorting by a few such hashes brings together nodes that share neighbours. Counting a node among its own
neighbours brings together nodes that are connected as well.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.network import Network
from sfumato.graph.worlds.counts import log_worlds
from sfumato.graph.worlds.summary import grouped_of

I64 = NDArray[np.int64]
HASHES = 3


def cut(order: I64, k: int) -> I64:
    """Cut an order of nodes into groups of k; what is left over joins the last.

    >>> cut(np.array([4, 2, 0, 1, 3]), 2).tolist()
    [1, 1, 0, 1, 0]
    """
    group = np.empty(len(order), np.int64)
    group[order] = np.minimum(np.arange(len(order)) // k, max(len(order) // k, 1) - 1)
    return group


def orders(network: Network, seed: int) -> Iterator[I64]:
    """Give orders of nodes in which like nodes stand together; ties are drawn, lest the file's order show."""
    chance = np.random.default_rng(seed)
    n, degrees = network.nodes, network.degrees()
    ties = chance.permutation(n)
    yield np.lexsort([ties, degrees])
    for own in (False, True):
        hashes = [_least(network, chance.permutation(n), own=own) for _ in range(HASHES)]
        yield np.lexsort([ties, degrees, *hashes])


def start(network: Network, k: int, seed: int) -> tuple[I64, float]:
    """Return the best of the groups that the orders give, and its log W."""
    groups = [cut(order, k) for order in orders(network, seed)]
    worlds = [log_worlds(grouped_of(network, group)) for group in groups]
    best = int(np.argmin(worlds))
    return groups[best], worlds[best]


def _least(network: Network, hashes: I64, *, own: bool) -> I64:
    """Return the least hash among the neighbours of each node; nodes without any come last."""
    n = network.nodes
    least = np.full(n, n, np.int64)
    some = np.flatnonzero(network.degrees())
    if len(some):
        # Rows of nodes without neighbours are empty: the others' follow each other without a gap.
        least[some] = np.minimum.reduceat(hashes[network.neighbours], network.offsets[some])
    return np.minimum(least, hashes) if own else least
