"""Junction trees: the shape in which a graphical model can be computed exactly.

Attributes that were measured together are neighbours in a graph. A junction tree is a tree of cliques, such
that every set that was measured lies in one of them and that the cliques which hold an attribute hang
together; belief propagation over it is exact. S. L. Lauritzen & D. J. Spiegelhalter, "Local computations with
probabilities on graphical structures" (1988).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

Clique = tuple[int, ...]
"""positions of attributes, in ascending order"""


@dataclass(frozen=True)
class JunctionTree:
    """Cliques in an order in which every one but the first comes after its parent.

    ``parents[i]`` is the place of the parent of clique i (−1 for the first), ``separators[i]`` what both
    hold. Parts of the graph that have nothing to do with each other hang together by empty separators.

    >>> JunctionTree.over([(0, 1), (1, 2), (0, 2), (2, 3)], [2, 2, 2, 2]).cliques
    ((0, 1, 2), (2, 3))
    """

    cliques: tuple[Clique, ...]
    parents: tuple[int, ...]
    separators: tuple[Clique, ...]

    @classmethod
    def over(cls, sets: Collection[Clique], sizes: Sequence[int]) -> JunctionTree:
        """Build a tree whose cliques cover all sets, and every attribute."""
        cliques = _maximal(_eliminated(sets, sizes))
        order, parents = _spanning_tree(cliques)
        place = {old: new for new, old in enumerate(order)}
        ordered = tuple(cliques[old] for old in order)
        above = tuple(place[parents[old]] if parents[old] >= 0 else -1 for old in order)
        between = tuple(
            () if parent < 0 else tuple(sorted(set(clique) & set(ordered[parent])))
            for clique, parent in zip(ordered, above, strict=True)
        )
        return cls(ordered, above, between)

    def cells(self, sizes: Sequence[int]) -> int:
        """Return how many cells all cliques have together: what computing costs."""
        return sum(math.prod(sizes[a] for a in clique) for clique in self.cliques)

    def holding(self, wanted: Collection[int]) -> int | None:
        """Return the place of the first clique that holds all these attributes."""
        return next((i for i, clique in enumerate(self.cliques) if set(wanted) <= set(clique)), None)


def _eliminated(sets: Collection[Clique], sizes: Sequence[int]) -> list[Clique]:
    """Return the cliques of a triangulation: attributes leave one by one, their neighbours are joined.

    The one whose clique has the fewest cells leaves first, which keeps cliques small; ties go to the first.
    """
    neighbours: dict[int, set[int]] = {a: set() for a in range(len(sizes))}
    for together in sets:
        for a in together:
            neighbours[a] |= set(together) - {a}
    found: list[Clique] = []
    while neighbours:
        leaves = min(neighbours, key=lambda a: (sizes[a] * math.prod(sizes[b] for b in neighbours[a]), a))
        around = neighbours.pop(leaves)
        for a in around:
            neighbours[a] |= around - {a}
            neighbours[a].discard(leaves)
        found.append(tuple(sorted(around | {leaves})))
    return found


def _maximal(cliques: list[Clique]) -> list[Clique]:
    largest_first = sorted(set(cliques), key=lambda clique: (-len(clique), clique))
    kept: list[Clique] = []
    for clique in largest_first:
        if not any(set(clique) <= set(other) for other in kept):
            kept.append(clique)
    return kept


def _spanning_tree(cliques: list[Clique]) -> tuple[list[int], list[int]]:
    """Join cliques by the largest separators (Prim 1957): of cliques of a triangulation, a junction tree."""
    order, parents = [0], [-1] * len(cliques)
    shared = [len(set(clique) & set(cliques[0])) for clique in cliques]
    nearest = [0] * len(cliques)
    waiting = set(range(1, len(cliques)))
    while waiting:
        found = max(waiting, key=lambda i: (shared[i], -i))
        waiting.remove(found)
        order.append(found)
        parents[found] = nearest[found]
        for i in waiting:
            common = len(set(cliques[i]) & set(cliques[found]))
            if common > shared[i]:
                shared[i], nearest[i] = common, found
    return order, parents
