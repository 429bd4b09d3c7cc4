"""The canonical form of a network: the same bytes if and only if two networks are isomorphic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.canonical.bliss import canonical_numbers
from sfumato.graph.network import Network


def form(network: Network, colours: NDArray[np.integer] | None = None) -> bytes:
    """Return bytes that two networks share if and only if they are isomorphic.

    That is: there is a one-to-one map f of their nodes with {u, v} an edge of the one ⇔ {f(u), f(v)} an edge
    of the other, and colour(v) = colour(f(v)) where colours are given. ``colours`` is a number for each node;
    without it only edges count, also in a network that has labels (give ``network.labels`` to respect them).

    The bytes list the colours and the edges of the canonically renumbered network, so that equal bytes are
    isomorphic networks whatever BLISS does; that isomorphic networks have equal bytes rests on BLISS.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> form(path) == form(Network.of_edges(3, np.array([[2, 0], [0, 1]])))
    True
    >>> ends, middle = np.array([1, 0, 0]), np.array([0, 1, 0])
    >>> form(path, ends) == form(path, middle), form(path, ends) == form(path, ends[::-1])
    (False, True)
    """
    given = None if colours is None else np.asarray(colours, np.int64)
    if given is not None and len(given) != network.nodes:
        raise AssertionError("there is a colour for each node")
    return form_of_pairs(network.nodes, network.pairs(), given)


def form_of_pairs(nodes: int, pairs: NDArray[np.int64], colours: NDArray[np.int64] | None = None) -> bytes:
    """Return the canonical form of a network given by its edges: see ``form``."""
    number = canonical_numbers(nodes, pairs, colours)
    ends = number[pairs.reshape(-1, 2)]
    codes = ends.min(axis=1) * nodes + ends.max(axis=1) if len(ends) else np.zeros(0, np.int64)
    codes.sort()
    painted = np.zeros(0, np.int64)
    if colours is not None:
        painted = np.empty(nodes, np.int64)
        painted[number] = colours
    head = np.array([nodes, len(codes), len(painted)], np.int64)
    return np.concatenate([head, painted, codes]).tobytes()
