"""Groups and possible worlds of tiny networks, by trying all of them. Edges are pairs of plain numbers."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

Edge = tuple[int, int]
Part = tuple[int, ...]


def partitions(nodes: Sequence[int], k: int) -> Iterator[list[Part]]:
    """Give every way to put nodes into groups of k or more."""
    if not nodes:
        yield []
        return
    first, rest = nodes[0], nodes[1:]
    for more in range(k - 1, len(rest) + 1):
        for others in itertools.combinations(rest, more):
            left = [node for node in rest if node not in others]
            for tail in partitions(left, k):
                yield [(first, *others), *tail]


def counts_of(edges: Sequence[Edge], group: Sequence[int]) -> Counter[tuple[int, int]]:
    """Count edges by the groups of their ends."""
    return Counter((min(group[a], group[b]), max(group[a], group[b])) for a, b in edges)


def number_of_worlds(edges: Sequence[Edge], parts: Sequence[Part]) -> int:
    """Multiply the ways to place the edges of each group and each pair of groups."""
    total = 1
    for at, one in enumerate(parts):
        inner = sum(a in one and b in one for a, b in edges)
        total *= math.comb(len(one) * (len(one) - 1) // 2, inner)
        for other in parts[at + 1 :]:
            between = sum((a in one and b in other) or (a in other and b in one) for a, b in edges)
            total *= math.comb(len(one) * len(other), between)
    return total


def fewest_worlds(nodes: int, edges: Sequence[Edge], k: int) -> int:
    """Return the least number of worlds over all groups of k nodes or more."""
    return min(number_of_worlds(edges, parts) for parts in partitions(range(nodes), k))


def all_worlds(group: Sequence[int], edges: Sequence[Edge]) -> list[frozenset[Edge]]:
    """Give every network whose edges by group are those of the given one."""
    pairs = list(itertools.combinations(range(len(group)), 2))
    wanted = counts_of(edges, group)
    some = itertools.combinations(pairs, len(edges))
    return [frozenset(chosen) for chosen in some if counts_of(chosen, group) == wanted]
