"""Slow, obvious truth about degrees: counted from edges, all sequences and all sets of edges tried."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Sequence

Edges = Sequence[tuple[int, int]]


def degrees_of(nodes: int, edges: Edges) -> list[int]:
    """Count the ends of edges at each node; loops and double edges are no edges."""
    found = [0] * nodes
    seen = set()
    for one, other in edges:
        assert one != other
        assert frozenset((one, other)) not in seen
        seen.add(frozenset((one, other)))
        found[one] += 1
        found[other] += 1
    return found


def smallest_class(degrees: Sequence[int]) -> int:
    """Return how often the rarest degree occurs."""
    return min(Counter(degrees).values())


def least_change(degrees: Sequence[int], k: int, deletions: bool) -> int:
    """Return the least total change, trying every way to cut the sorted degrees into runs of k or more."""
    falling = sorted(degrees, reverse=True)

    @functools.cache
    def from_position(start: int) -> float:
        if start == len(falling):
            return 0
        best = float("inf")
        for end in range(start + k, len(falling) + 1):
            run = falling[start:end]
            values = run if deletions else run[:1]
            best = min(best, min(sum(abs(v - d) for d in run) for v in values) + from_position(end))
        return best

    return int(from_position(0))


def least_change_of_all(degrees: Sequence[int], k: int, deletions: bool) -> int:
    """Return the least total change, trying every sequence of numbers."""
    values = range(max(degrees) + 1)
    return min(
        sum(abs(new - old) for new, old in zip(found, degrees, strict=True))
        for found in itertools.product(values, repeat=len(degrees))
        if smallest_class(found) >= k
        and (deletions or all(new >= old for new, old in zip(found, degrees, strict=True)))
    )


def sequences_of_networks(nodes: int) -> set[tuple[int, ...]]:
    """Return the degrees of all networks with so many nodes."""
    pairs = list(itertools.combinations(range(nodes), 2))
    return {
        tuple(degrees_of(nodes, edges))
        for size in range(len(pairs) + 1)
        for edges in itertools.combinations(pairs, size)
    }


def fewest_added(nodes: int, edges: Edges, k: int) -> int:
    """Return how many edges must be added at least, trying all sets of absent ones, small sets first."""
    present = {frozenset(edge) for edge in edges}
    absent = [pair for pair in itertools.combinations(range(nodes), 2) if frozenset(pair) not in present]
    for size in range(len(absent) + 1):
        for more in itertools.combinations(absent, size):
            if smallest_class(degrees_of(nodes, [*edges, *more])) >= k:
                return size
    raise AssertionError("where all are connected all degrees are equal")
