"""Slow, obvious truth about adversaries on networks: every map of nodes is tried."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.graph_isomorphism import Edges, adjacency

Pair = tuple[int, int]


def mean_of_picks(candidates: Sequence[set[int]], own: Sequence[int]) -> Fraction:
    """Return how often a pick among candidates is right."""
    chances = [
        Fraction(int(mine in some), max(len(some), 1)) for some, mine in zip(candidates, own, strict=True)
    ]
    return sum(chances, Fraction(0)) / len(chances)


def same_answer(answers: Sequence[object], asked: Sequence[object]) -> list[set[int]]:
    """Return for each question's answer the nodes that give it."""
    return [{node for node, answer in enumerate(answers) if answer == wanted} for wanted in asked]


def standing_for_first(nodes: int, edges: Edges, known: Sequence[Pair]) -> set[int]:
    """Return the nodes to which place 0 can be sent so that every known edge is sent to an edge."""
    near = adjacency(nodes, edges)
    places = max((max(pair) for pair in known), default=0) + 1
    return {
        image[0]
        for image in itertools.permutations(range(nodes), places)
        if all(image[one] in near[image[other]] for one, other in known)
    }


def places_of(
    nodes: int, edges: Edges, seen_nodes: int, seen_edges: Edges, members: Sequence[int]
) -> set[tuple[int, ...]]:
    """Return where nodes with the members' degrees have exactly the edges that the members have."""
    near, known = adjacency(nodes, edges), adjacency(seen_nodes, seen_edges)
    found = set()
    for image in itertools.permutations(range(nodes), len(members)):
        alike = all(len(near[at]) == len(known[one]) for at, one in zip(image, members, strict=True))
        pairs = itertools.combinations(zip(image, members, strict=True), 2)
        if alike and all((b in near[a]) == (y in known[x]) for (a, x), (b, y) in pairs):
            found.add(image)
    return found


def contacts(near: Sequence[set[int]], members: Sequence[int], node: int) -> tuple[int, ...]:
    return tuple(at for at, one in enumerate(members) if one in near[node])


def read_off(nodes: int, edges: Edges, members: Sequence[int]) -> dict[Pair, Fraction]:
    """Return the share of places at which each edge between two who can be told is read off, for a coalition
    whose network was published as it is."""
    near = adjacency(nodes, edges)

    def told(standing: Sequence[int]) -> dict[tuple[int, ...], int]:
        others = [node for node in range(nodes) if node not in standing]
        sets = [contacts(near, standing, node) for node in others]
        return {some: node for some, node in zip(sets, others, strict=True) if some and sets.count(some) == 1}

    mine = told(members)
    places = places_of(nodes, edges, nodes, edges, members)
    votes: dict[Pair, Fraction] = {}
    for place in places:
        there = told(place)
        for one, other in itertools.combinations(sorted(set(mine) & set(there)), 2):
            if there[other] in near[there[one]]:
                pair = min(mine[one], mine[other]), max(mine[one], mine[other])
                votes[pair] = votes.get(pair, Fraction(0)) + Fraction(1, len(places))
    return votes
