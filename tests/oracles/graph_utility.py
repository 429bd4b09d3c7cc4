"""Slow, obvious truth about figures of networks: straight from definitions, or from another library."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import networkx
import numpy as np
from numpy.typing import NDArray

from tests.oracles.graph_isomorphism import Edges


def graph_of(nodes: int, edges: Edges) -> networkx.Graph:
    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    return graph


def mean_move(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the earth mover's distance of two samples: both repeated to one length, sorted, paired."""
    first = np.sort(np.repeat(one, len(other)))
    second = np.sort(np.repeat(other, len(one)))
    return float(np.abs(first - second).mean())


def distances(nodes: int, edges: Edges) -> list[int]:
    """Return how far connected pairs are apart, each in both directions."""
    graph = graph_of(nodes, edges)
    steps = dict(networkx.all_pairs_shortest_path_length(graph))
    return [far for here, row in steps.items() for there, far in row.items() if here != there]


def betweenness(nodes: int, edges: Edges) -> list[float]:
    found = networkx.betweenness_centrality(graph_of(nodes, edges), normalized=False)
    return [2 * found[node] for node in range(nodes)]


def greatest_eigenvalues(nodes: int, edges: Edges) -> NDArray[np.float64]:
    matrix = np.zeros((nodes, nodes))
    for one, other in edges:
        matrix[one, other] = matrix[other, one] = 1
    return np.linalg.eigvalsh(matrix)[::-1][:2].astype(np.float64)


def rand_index(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the adjusted Rand index by looking at every pair."""
    both = first = second = pairs = 0
    for a, b in itertools.combinations(range(len(one)), 2):
        here, there = one[a] == one[b], other[a] == other[b]
        both += here and there
        first += here
        second += there
        pairs += 1
    expected = first * second / pairs if pairs else 0.0
    most = (first + second) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)
