"""A network from a list of pairs of names, in sets and loops: slow and obvious."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.graph.reading import Read

Pair = tuple[str, str]


@dataclass(frozen=True)
class Listed:
    """What a list of pairs says."""

    names: frozenset[str]
    edges: frozenset[frozenset[str]]
    loops: int
    repeated: int
    both_ways: int

    @property
    def directed(self) -> bool:
        """Whether some pairs stand both ways and others do not."""
        return 0 < self.both_ways < len(self.edges)


def listed(pairs: Sequence[Pair]) -> Listed:
    """Go through the pairs one by one."""
    names: set[str] = set()
    seen: set[Pair] = set()
    loops = repeated = 0
    for one, other in pairs:
        names |= {one, other}
        if one == other:
            loops += 1
        elif (one, other) in seen:
            repeated += 1
        else:
            seen.add((one, other))
    edges = frozenset(frozenset(pair) for pair in seen)
    both = sum((tuple(edge) in seen) and (tuple(edge)[::-1] in seen) for edge in edges)
    return Listed(frozenset(names), edges, loops, repeated, both)


def by_name(read: Read) -> tuple[frozenset[str], frozenset[frozenset[str]]]:
    """Return the names and the edges between names of what was read."""
    names = read.names.to_pylist()
    edges = frozenset(
        frozenset((names[node], names[other]))
        for node in range(read.network.nodes)
        for other in read.network.neighbours_of(node).tolist()
    )
    return frozenset(names), edges
