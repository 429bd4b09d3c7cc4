"""Slow truth about neighbourhoods: every two are compared by the isomorphism test of networkx (VF2)."""

from __future__ import annotations

from collections.abc import Sequence

import networkx
from networkx.algorithms.isomorphism import categorical_node_match

Edges = Sequence[tuple[int, int]]


def fewest_alike(nodes: int, edges: Edges, labels: Sequence[int] | None = None) -> int:
    """Return how many nodes share the rarest neighbourhood, with labels of all and of the node if given."""
    graph = networkx.Graph()
    for node in range(nodes):
        graph.add_node(node, label=0 if labels is None else labels[node])
    graph.add_edges_from(edges)
    around = [graph.subgraph(graph[node]) for node in range(nodes)]
    same = categorical_node_match("label", 0)

    def alike(one: int, other: int) -> bool:
        own = graph.nodes[one]["label"] == graph.nodes[other]["label"]
        return bool(own and networkx.is_isomorphic(around[one], around[other], node_match=same))

    return min(sum(alike(one, other) for other in range(nodes)) for one in range(nodes))
