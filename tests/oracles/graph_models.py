"""Slow, obvious truth about promises of networks: counted by hand, every permutation tried."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from tests.oracles.graph_isomorphism import adjacency, maps_between, neighbourhoods_alike

Edges = Sequence[tuple[int, int]]


def degree_k(nodes: int, edges: Edges) -> int:
    """Return the size of the smallest class of equal degrees."""
    counted = Counter(len(near) for near in adjacency(nodes, edges))
    return min(counted.values())


def neighbourhood_k(nodes: int, edges: Edges, labels: Sequence[int] | None = None) -> int:
    """Return the size of the smallest class of isomorphic neighbourhoods."""
    return min(
        sum(neighbourhoods_alike(nodes, edges, one, other, labels) for other in range(nodes))
        for one in range(nodes)
    )


def has_automorphisms(nodes: int, edges: Edges, k: int) -> bool:
    """Say whether there are k automorphisms any two of which differ at every node: all sets are tried."""
    identity = tuple(range(nodes))
    known = [one for one in maps_between(nodes, edges, edges) if differ(one, identity)]

    def reached(chosen: int, left: list[tuple[int, ...]]) -> bool:
        return chosen >= k or any(
            reached(chosen + 1, [other for other in left[at + 1 :] if differ(one, other)])
            for at, one in enumerate(left)
        )

    return reached(1, known)


def differ(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(a != b for a, b in zip(one, other, strict=True))


def falls_into_lots(nodes: int, edges: Edges, k: int) -> bool:
    """Say whether nodes can be dealt to k lots without an edge between them, all isomorphic: all ways."""
    if nodes % k:
        return False
    size = nodes // k
    for lots in itertools.product(range(k), repeat=nodes):
        if any(lots[a] != lots[b] for a, b in edges) or any(lots.count(lot) != size for lot in range(k)):
            continue
        inside = []
        for lot in range(k):
            place = {node: at for at, node in enumerate(v for v in range(nodes) if lots[v] == lot)}
            inside.append([(place[a], place[b]) for a, b in edges if a in place])
        if all(maps_between(size, inside[0], other) for other in inside[1:]):
            return True
    return False
