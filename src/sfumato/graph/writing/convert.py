"""A network as other libraries hold it: networkx, igraph, a sparse matrix of scipy."""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.graph.network import Network
from sfumato.graph.reading.parts import part
from sfumato.graph.reading.published import VALUE


def to_networkx(network: Network) -> Any:
    """Return a networkx graph; nodes are the numbers from 0, labels their attribute ``value``."""
    graph = part("networkx").Graph()
    graph.add_nodes_from(range(network.nodes))
    graph.add_edges_from(network.pairs().tolist())
    if network.labels is not None:
        for node, label in enumerate(network.labels.tolist()):
            graph.nodes[node][VALUE] = network.words[label]
    return graph


def to_igraph(network: Network) -> Any:
    """Return an igraph graph; labels are the attribute ``value`` of nodes."""
    graph = part("igraph").Graph(n=network.nodes, edges=network.pairs())
    if network.labels is not None:
        graph.vs[VALUE] = [network.words[label] for label in network.labels.tolist()]
    return graph


def to_scipy(network: Network) -> Any:
    """Return a symmetric sparse matrix of 0 and 1 in compressed rows."""
    ones = np.ones(len(network.neighbours), np.int8)
    return part("scipy.sparse").csr_array(
        (ones, network.neighbours.copy(), network.offsets.copy()), shape=(network.nodes, network.nodes)
    )
