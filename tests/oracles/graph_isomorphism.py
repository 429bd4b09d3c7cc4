"""Slow, obvious truth about networks that are alike: every permutation is tried."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

Edges = Iterable[tuple[int, int]]


def edge_set(edges: Edges) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in edges}


def maps_between(
    nodes: int, one: Edges, other: Edges, colours: Sequence[Sequence[int]] | None = None
) -> list[tuple[int, ...]]:
    """List every one-to-one map of nodes that turns the edges of one network into those of the other."""
    here, there = edge_set(one), edge_set(other)
    if len(here) != len(there):
        return []
    found = []
    for image in itertools.permutations(range(nodes)):
        if colours is not None and any(colours[0][v] != colours[1][image[v]] for v in range(nodes)):
            continue
        if {frozenset(image[v] for v in edge) for edge in here} == there:
            found.append(image)
    return found


def adjacency(nodes: int, edges: Edges) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(nodes)]
    for one, other in edges:
        near[one].add(other)
        near[other].add(one)
    return near


def neighbourhoods_alike(
    nodes: int, edges: Sequence[tuple[int, int]], one: int, other: int, labels: Sequence[int] | None = None
) -> bool:
    """Say whether the networks among the neighbours of two nodes are isomorphic."""
    near = adjacency(nodes, edges)
    inside, painted = [], []
    for node in (one, other):
        place = {v: at for at, v in enumerate(sorted(near[node]))}
        inside.append([(place[a], place[b]) for a, b in edges if a in place and b in place])
        painted.append([0 if labels is None else labels[v] for v in sorted(near[node])])
    if len(near[one]) != len(near[other]) or (labels is not None and labels[one] != labels[other]):
        return False
    return bool(maps_between(len(near[one]), inside[0], inside[1], painted))


def refinement(nodes: int, edges: Edges, rounds: int, labels: Sequence[int] | None = None) -> list[object]:
    """Return Hi of each node as it is written in the paper: multisets of multisets. Slow and large."""
    near = adjacency(nodes, edges)
    known: list[object] = [0] * nodes if labels is None else list(labels)
    for _ in range(rounds):
        known = [
            (known[v] if labels is not None else 0, tuple(sorted((known[u] for u in near[v]), key=repr)))
            for v in range(nodes)
        ]
    return known


def stable_refinement(nodes: int, edges: Edges) -> list[object]:
    """Return a number for each node by H*: as many rounds as there are nodes, numbered after each."""
    near = adjacency(nodes, edges)
    known = [0] * nodes
    for _ in range(nodes):
        looks = [(known[v], sorted(known[u] for u in near[v])) for v in range(nodes)]
        known = [looks.index(look) for look in looks]
    return list(known)


def partition(values: Sequence[object]) -> set[frozenset[int]]:
    """Return the classes of equal values, as sets of places."""
    return {frozenset(at for at, other in enumerate(values) if other == value) for value in values}
