"""Automorphisms that differ at every node: how many a network has.

An automorphism is a one-to-one map f of the nodes with {u, v} an edge ⇔ {f(u), f(v)} an edge. Let a(G) be the
greatest number of automorphisms of G (with the identity) any two of which differ at every node.

A network of c copies of a connected network C has a = c · a(C). *At least*: move copies on by r, for each of
c values of r, and apply within them each of a(C) automorphisms of C. *At most*: of the maps that take the
first copy to the same place, any two differ everywhere, and undoing one of them makes them automorphisms of
C, so there are a(C) at most for each of c places. And as automorphisms permute the components of each
isomorphism class among themselves, a of a whole network is the least over its classes.

For a connected network: a(C) ≤ the smallest orbit, as the images of a node differ. What is found is a
*certificate*: an automorphism, checked edge by edge, whose cycles are all long enough, so that its powers
differ at every node; or a set of automorphisms, each checked edge by edge and any two node by node. If the
whole group was gone through the answer is final, else it may stay open.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.canonical.bliss import igraph
from sfumato.graph.network import Network

Map = NDArray[np.int64]
MOST_CELLS = 1_000_000
"""numbers in the automorphisms that are listed, before the group counts as too large to list"""
FEW = 32
"""automorphisms that are listed however many nodes they move"""
DRAWN = 300
"""automorphisms that are drawn from a group too large to list"""
MOST_WORK = 200_000_000
"""numbers that are compared before the search for a set gives up"""


@dataclass(frozen=True)
class Found:
    """What was found out about a(C): at least ``least``, at most ``most``."""

    least: int
    most: int


def disjoint_automorphisms(network: Network, wanted: int) -> Found:
    """Look for so many automorphisms of a connected network, any two of which differ at every node.

    ``most`` is less than ``wanted`` where it is sure that there are not so many.

    >>> ring = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]))
    >>> disjoint_automorphisms(ring, 4)
    Found(least=4, most=4)
    """
    if wanted <= 1 or network.nodes == 1:
        return Found(1, 1 if network.nodes == 1 else network.nodes)
    generators = [np.array(one, np.int64) for one in _generators(network)]
    smallest = int(np.bincount(orbits(network.nodes, generators)).min())
    if smallest < wanted:
        return Found(1, smallest)
    listed = _whole_group(network.nodes, generators)
    known = _drawn(network.nodes, generators) if listed is None else iter(listed)
    kept: list[Map] = []
    for one in known:
        # Powers f⁰ … f^(q−1) differ everywhere if and only if every cycle of f has q nodes or more, and they
        # are automorphisms if f is one: they need not be written down.
        if shortest_cycle(one) >= wanted and _is_certificate(network, [one]):
            return Found(wanted, smallest)
        if (one != np.arange(network.nodes)).all():
            kept.append(one)
    chosen, finished = _differing(network.nodes, np.array(kept).reshape(len(kept), network.nodes), wanted)
    least = len(chosen) if _is_certificate(network, chosen) else 1
    if least == wanted:
        return Found(wanted, smallest)
    return Found(least, wanted - 1 if listed is not None and finished else smallest)


def orbits(nodes: int, generators: list[Map]) -> NDArray[np.int64]:
    """Number the classes of nodes that the automorphisms map to each other.

    >>> orbits(4, [np.array([1, 0, 2, 3])]).tolist()
    [0, 0, 1, 2]
    """
    parent = list(range(nodes))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for one in generators:
        for node, image in enumerate(one.tolist()):
            if node != image:
                parent[root(node)] = root(image)
    return np.unique([root(node) for node in range(nodes)], return_inverse=True)[1].astype(np.int64)


def shortest_cycle(permutation: Map) -> int:
    """Return the length of the shortest cycle.

    >>> shortest_cycle(np.array([1, 0, 3, 4, 2]))
    2
    """
    image = permutation.tolist()
    seen = [False] * len(image)
    shortest = len(image)
    for start in range(len(image)):
        length, node = 0, start
        while not seen[node]:
            seen[node] = True
            node = image[node]
            length += 1
        if length:
            shortest = min(shortest, length)
    return shortest


def _generators(network: Network) -> list[list[int]]:
    pairs = network.pairs().tolist()
    found: list[list[int]] = igraph().Graph(network.nodes, pairs).automorphism_group()
    return found


def _whole_group(nodes: int, generators: list[Map]) -> list[Map] | None:
    """Return all products of generators, or None if they are too many to list."""
    most = max(MOST_CELLS // nodes, FEW)
    start = np.arange(nodes)
    seen = {start.tobytes()}
    listed = [start]
    for one in listed:
        for generator in generators:
            product = generator[one]
            key = product.tobytes()
            if key not in seen:
                if len(listed) >= most:
                    return None
                seen.add(key)
                listed.append(product)
    return listed


def _drawn(nodes: int, generators: list[Map]) -> Iterator[Map]:
    """Draw products of generators: a walk that multiplies entries of a list by each other."""
    random = np.random.default_rng(0)
    yield from generators
    bag = [generators[at % len(generators)] for at in range(max(10, len(generators)))]
    last = np.arange(nodes)
    for _ in range(min(DRAWN, max(10 * MOST_CELLS // nodes, FEW))):
        one, other = random.choice(len(bag), 2, replace=False).tolist()
        bag[one] = bag[other][bag[one]] if random.integers(2) else bag[one][bag[other]]
        last = bag[one][last]
        yield last


def _differing(nodes: int, known: NDArray[np.int64], wanted: int) -> tuple[list[Map], bool]:
    """Look for a set of the wanted size (with the identity) any two of which differ everywhere.

    Returns it, or a smaller one; and whether all sets were tried.
    """
    work = 0
    best: list[Map] = [np.arange(nodes)]
    waiting = [(best, known)]
    while waiting:
        chosen, left = waiting.pop()
        if len(chosen) > len(best):
            best = chosen
        if len(chosen) == wanted or work > MOST_WORK:
            break
        if len(chosen) + len(left) < wanted:
            continue
        one, rest = left[0], left[1:]
        work += rest.size + nodes
        waiting += [(chosen, rest), ([*chosen, one], rest[(rest != one).all(axis=1)])]
    return best, work <= MOST_WORK


def _is_certificate(network: Network, maps: list[Map]) -> bool:
    """Check each map edge by edge and any two node by node, whoever found them."""
    pairs = network.pairs()
    for one in maps:
        if len(np.unique(one)) != network.nodes:
            return False
        moved = np.sort(one[pairs], axis=1)
        if not np.array_equal(moved[np.lexsort((moved[:, 1], moved[:, 0]))], pairs):
            return False
    return all((one != other).all() for one, other in itertools.combinations(maps, 2))
