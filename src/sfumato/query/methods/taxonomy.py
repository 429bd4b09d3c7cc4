"""Cuts through public hierarchies: how far each attribute has been specialised."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.query.methods.contract import Attribute


@dataclass(frozen=True)
class Node:
    """A generalised value: the positions that it stands for, and what it can be replaced by.

    ``children`` is empty where the node is one position, or where a number's split has not been chosen yet.
    """

    positions: tuple[int, ...]
    children: tuple[tuple[int, ...], ...] = ()
    level: int = 0
    """of the hierarchy from which the children were taken"""


@dataclass(frozen=True)
class Cut:
    """The nodes of one attribute that together stand for each position once, in order of first positions."""

    attribute: Attribute
    nodes: tuple[Node, ...]

    @classmethod
    def top(cls, attribute: Attribute) -> Cut:
        """Begin with one node for everything."""
        everything = tuple(range(attribute.size))
        return cls(attribute, (cls(attribute, ()).node(everything, len(attribute.parents)),))

    @property
    def ordered(self) -> bool:
        """Whether intervals are split, rather than the groups of a hierarchy."""
        return self.attribute.edges is not None

    @property
    def node_of(self) -> NDArray[np.int64]:
        """For each position the number of its node."""
        found = np.zeros(self.attribute.size, np.int64)
        for i, node in enumerate(self.nodes):
            found[list(node.positions)] = i
        return found

    def node(self, positions: tuple[int, ...], level: int) -> Node:
        """Return a node with its children in the hierarchy, the next level that tells them apart."""
        if self.ordered or len(positions) == 1:
            return Node(positions)
        for below in range(level - 1, -1, -1):
            groups = self.attribute.parents[below - 1] if below else tuple(range(self.attribute.size))
            split: dict[int, list[int]] = {}
            for p in positions:
                split.setdefault(groups[p], []).append(p)
            if len(split) > 1:
                return Node(positions, tuple(tuple(c) for c in split.values()), below)
        return Node(positions, tuple((p,) for p in positions), 0)

    def splits(self, number: int) -> list[tuple[tuple[int, ...], ...]]:
        """Return all ways to cut an interval in two."""
        positions = self.nodes[number].positions
        return [(positions[:i], positions[i:]) for i in range(1, len(positions))]

    def with_split(self, number: int, children: tuple[tuple[int, ...], ...]) -> Cut:
        """Return the cut with the split of an interval decided."""
        nodes = list(self.nodes)
        nodes[number] = replace(nodes[number], children=children)
        return replace(self, nodes=tuple(nodes))

    def specialised(self, number: int) -> Cut:
        """Return the cut with a node replaced by its children."""
        node = self.nodes[number]
        nodes = [n for i, n in enumerate(self.nodes) if i != number]
        nodes += [self.node(child, node.level) for child in node.children]
        return replace(self, nodes=tuple(sorted(nodes, key=lambda n: n.positions[0])))

    def generalised(self) -> Attribute:
        """Return the attribute whose positions are the nodes."""
        return Attribute(self.attribute.name, tuple(self._label(node) for node in self.nodes))

    def _label(self, node: Node) -> str:
        labels = self.attribute.labels
        if len(node.positions) == 1:
            return labels[node.positions[0]]
        if len(node.positions) == self.attribute.size:
            return "*"
        if self.ordered:
            return f"{labels[node.positions[0]]} … {labels[node.positions[-1]]}"
        return "{" + ", ".join(labels[p] for p in node.positions) + "}"
