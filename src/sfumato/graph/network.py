"""A network of people: who is connected to whom, as arrays.

Nodes are numbered from 0; edges have no direction, no weight, no node is its own neighbour and no pair is
connected twice: readers see to that, and say what they did. The neighbours of node v, ascending, are
``neighbours[offsets[v]:offsets[v + 1]]`` (compressed sparse rows), so every edge is there twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.int64]
Neighbours = NDArray[np.int32]
Labels = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Network:
    """Nodes and edges. Its arrays are read-only, so that kernels see one type.

    ``labels`` are what is published about each node beside its edges, as numbers: nodes are alike where the
    numbers are, and ``words[labels[v]]`` is what the number means.

    >>> triangle = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 0]]))
    >>> triangle.nodes, triangle.edges, triangle.degrees().tolist()
    (4, 3, [2, 2, 2, 0])
    """

    offsets: Offsets = field(repr=False)
    neighbours: Neighbours = field(repr=False)
    labels: Labels | None = field(default=None, repr=False)
    words: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        given = (("offsets", np.int64), ("neighbours", np.int32), ("labels", np.int32))
        for name, kind in given:
            array = getattr(self, name)
            if array is None:
                continue
            fixed = np.ascontiguousarray(array, kind)
            # A view is locked, not the array that the caller may still be writing to.
            fixed = fixed.view()
            fixed.flags.writeable = False
            object.__setattr__(self, name, fixed)
        if len(self.offsets) < 1 or self.offsets[0] != 0 or self.offsets[-1] != len(self.neighbours):
            raise AssertionError("the offsets of a network span its neighbours")
        if self.labels is not None and len(self.labels) != self.nodes:
            raise AssertionError("a network has a label for each node or none")

    @classmethod
    def of_edges(
        cls,
        nodes: int,
        edges: NDArray[np.integer],
        labels: Labels | None = None,
        words: tuple[str, ...] = (),
    ) -> Network:
        """Build a network from pairs of node numbers, each pair once, in any order and direction.

        Loops, repeated pairs and numbers out of range are errors of the caller.
        """
        pairs = np.asarray(edges, np.int64).reshape(-1, 2)
        if len(pairs) and (pairs.min() < 0 or pairs.max() >= nodes):
            raise AssertionError("an edge leads to a node that is not there")
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise AssertionError("a node is its own neighbour")
        both = np.concatenate([pairs[:, 0] * nodes + pairs[:, 1], pairs[:, 1] * nodes + pairs[:, 0]])
        both.sort()
        if (both[1:] == both[:-1]).any():
            raise AssertionError("a pair of nodes is connected twice")
        ends = np.bincount(both // max(nodes, 1), minlength=nodes)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends)])
        return cls(offsets, (both % max(nodes, 1)).astype(np.int32), labels, words)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.neighbours) // 2

    def degrees(self) -> NDArray[np.int64]:
        """Return the number of neighbours of each node."""
        return np.diff(self.offsets)

    def neighbours_of(self, node: int) -> Neighbours:
        """Return the neighbours of a node, ascending."""
        return self.neighbours[self.offsets[node] : self.offsets[node + 1]]

    def connected(self, one: int, other: int) -> bool:
        """Say whether two nodes are connected."""
        near = self.neighbours_of(one)
        at = int(np.searchsorted(near, other))
        return at < len(near) and int(near[at]) == other

    def pairs(self) -> NDArray[np.int64]:
        """Return the edges, one row each, the smaller number first, ascending."""
        source = np.repeat(np.arange(self.nodes, dtype=np.int64), self.degrees())
        once = source < self.neighbours
        return np.column_stack([source[once], self.neighbours[once].astype(np.int64)])

    def renumbered(self, number: NDArray[np.int64]) -> Network:
        """Return the same network where node v has the number ``number[v]``: a permutation.

        >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
        >>> path.renumbered(np.array([1, 0, 2])).pairs().tolist()
        [[0, 1], [0, 2]]
        """
        number = np.asarray(number, np.int64)
        labels = self.labels
        if labels is not None:
            moved = np.empty_like(labels)
            moved[number] = labels
            labels = moved
        return Network.of_edges(self.nodes, number[self.pairs()], labels, self.words)

    def induced(self, nodes: NDArray[np.int64]) -> Network:
        """Return the network of some nodes and the edges among them; the i-th of them gets number i."""
        chosen = np.asarray(nodes, np.int64)
        place = np.full(self.nodes, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        found = [
            (at, int(place[other]))
            for at, node in enumerate(chosen.tolist())
            for other in self.neighbours_of(node).tolist()
            if place[other] > at
        ]
        labels = None if self.labels is None else self.labels[chosen]
        return Network.of_edges(len(chosen), np.array(found, np.int64).reshape(-1, 2), labels, self.words)
