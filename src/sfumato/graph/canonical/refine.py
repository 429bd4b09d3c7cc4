"""Vertex refinement: what an adversary knows of a node who knows its neighbours, and theirs.

M. Hay, G. Miklau, D. Jensen, D. Towsley & P. Weis, "Resisting structural re-identification in anonymized
social networks" (VLDB 2008). H0 tells nothing, H1(v) is the degree of v, and

    Hi(v) = { Hi−1(u) : u is a neighbour of v }, a multiset.

Each tells at least as much as the one before. H* is what all rounds tell together: the classes that one more
round does not split (also called the coarsest equitable partition, or colour refinement). Multisets are
sorted, compared as they are and numbered: no hash decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.network import Network


def vertex_refinement(network: Network, rounds: int | None, *, labelled: bool = False) -> NDArray[np.int64]:
    """Return the class of each node by Hi after ``rounds`` rounds; by H* for None.

    Classes are numbered from 0 in the order in which they first appear. ``labelled``: the adversary also
    knows the labels of the nodes that a round reaches (H0 is then the label of the node). Numbers of two
    networks are compared by asking for both ``together``.

    >>> path = Network.of_edges(5, np.array([[0, 1], [1, 2], [2, 3], [3, 4]]))
    >>> vertex_refinement(path, 1).tolist(), vertex_refinement(path, 2).tolist()
    ([0, 1, 1, 1, 0], [0, 1, 2, 1, 0])
    """
    if rounds is not None and (isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0):
        raise BadInput("rounds must be a whole number of at least 0", remedy="try 2")
    from sfumato.graph.canonical._kernels_refine import rows_of_round, stable_classes
    from sfumato.graph.canonical._kernels_rows import number_rows

    classes = np.zeros(network.nodes, np.int64)
    if labelled and network.labels is not None:
        classes = in_order(network.labels.astype(np.int64))
    number = _count(classes)
    if rounds is None:
        return in_order(stable_classes(network.offsets, network.neighbours, classes, number))
    for _ in range(rounds):
        starts, values = rows_of_round(network.offsets, network.neighbours, classes, number)
        classes, firsts = number_rows(starts, values)
        if len(firsts) == number:
            # Every round refines the one before, so no class was split, and none ever will be.
            break
        number = len(firsts)
    return classes


def degree_classes(network: Network, *, labelled: bool = False) -> NDArray[np.int64]:
    """Return the class of each node by its degree, with ``labelled`` by its degree and its label.

    >>> star = Network.of_edges(4, np.array([[0, 1], [0, 2]]))
    >>> degree_classes(star).tolist()
    [0, 1, 1, 2]
    """
    degrees = network.degrees()
    if labelled and network.labels is not None:
        labels = in_order(network.labels.astype(np.int64))
        degrees = degrees * max(_count(labels), 1) + labels
    return in_order(degrees)


def in_order(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number values from 0 in the order in which they first appear.

    >>> in_order(np.array([7, 3, 7, 9])).tolist()
    [0, 1, 0, 2]
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[inverse]


def _count(classes: NDArray[np.int64]) -> int:
    return int(classes.max()) + 1 if len(classes) else 0
