"""A network with no node of more than θ neighbours, made so that one node changes little.

W.-Y. Day, N. Li & M. Lyu, "Publishing graph degree distribution with node differential privacy" (2016): π_θ
adds the edges one by one, each only where both ends have fewer than θ neighbours by then.

**Stability.** Let G′ be G and a node v⁺ with its edges; the edges of G come in the same order in both. Write
δ(w) for how many neighbours more w ≠ v⁺ has in π_θ(G′) than in π_θ(G), while both are built. An edge
(u, w) of both graphs that is added to both or to neither changes no δ. One added only to G was refused by
G′: one end, say u, has θ there and fewer in G, so δ(u) ≥ 1; now δ(u) and δ(w) fall by one, |δ(u)| falls and
|δ(w)| grows by one at most. One added only to G′ is the same with signs exchanged. An edge of v⁺ moves one δ
by one, if it is added. So at the end, with t ≤ θ the neighbours of v⁺,

    Σ |δ(w)| ≤ t ≤ θ.

Where G′ has one edge more among the same nodes, the same proof gives Σ |δ(w)| ≤ 2. What follows for numbers
computed from degrees is said where they are published. Which *edges* there are can change all along a path,
so nothing follows for triangles: their number is not published from a projection.

**The order** is drawn by chance, all orders equally likely: that of the edges of G is then distributed as in
G′, whatever their numbers are, so the proof holds order by order and hence for the mixture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random, SecretRandom
from sfumato.graph.network import Network

_KEYS = 2**62


def projected_degrees(network: Network, theta: int, random: Random | None = None) -> NDArray[np.int64]:
    """Return each node's neighbours in π_θ of the network, for an order of edges drawn by chance.

    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    >>> sorted(projected_degrees(star, 2).tolist())
    [0, 0, 1, 1, 2]
    """
    return degrees_in_order(network.nodes, network.pairs()[_any_order(network.edges, random)], theta)


def degrees_in_order(nodes: int, pairs: NDArray[np.int64], theta: int) -> NDArray[np.int64]:
    """Return each node's neighbours in π_θ when edges are added in the order in which they are given."""
    from sfumato.graph.methods._kernels_private import add_within

    degrees = np.zeros(nodes, np.int64)
    add_within(np.ascontiguousarray(pairs, np.int64), theta, degrees)
    return degrees


def _any_order(many: int, random: Random | None) -> NDArray[np.int64]:
    """Draw an order, all exactly equally likely: keys are drawn again until no two are equal."""
    source = SecretRandom() if random is None else random
    while True:
        keys = source.integers(_KEYS, many)
        order = np.argsort(keys, kind="stable")
        if not (np.diff(keys[order]) == 0).any():
            return order.astype(np.int64)
