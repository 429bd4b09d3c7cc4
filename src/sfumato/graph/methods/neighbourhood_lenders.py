"""Nodes far away that can become a new neighbour at no harm: few neighbours, large classes."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from sfumato.graph.methods._kernels_neighbourhood import component_keys
from sfumato.graph.methods.neighbourhood_growing import Growing

LOOKED_AT = 3_000
"""nodes that are looked at before somebody who is merely far away is taken"""


class Lenders:
    """Finds new neighbours for a node.

    An edge (u, x) where u and x have no common neighbour gives both a lone neighbour and changes nobody else.
    The best x is one whose own class can spare it (or is too small anyway) and whose neighbourhood with one
    more lone neighbour is that of enough others.
    """

    def __init__(self, growing: Growing, chance: np.random.Generator) -> None:
        self._growing = growing
        self._chance = chance
        self._lone: dict[int, int] = {}
        self._order: list[int] = []
        self._short: list[int] = []
        self._with_degree: dict[int, list[int]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Look again who has few neighbours."""
        growing = self._growing
        shuffled = self._chance.permutation(growing.nodes).tolist()
        self._order = sorted(shuffled, key=lambda node: len(growing.near[node]))
        self._with_degree = defaultdict(list)
        for node in self._order:
            self._with_degree[len(growing.near[node])].append(node)
        self._short = sorted(growing.short(), key=lambda node: len(growing.near[node]))

    def one(self, member: int, label: int, taken: set[int]) -> int | None:
        """Return somebody with this label who is not a neighbour yet; None if there is nobody."""
        growing = self._growing
        near, k = growing.near[member], growing.k
        lone = self._key_of_lone(int(growing.labels[member]))
        far: int | None = None
        for looked, node in enumerate((*self._short, *self._order)):
            if node in taken or node in near or node == member or growing.labels[node] != label:
                continue
            if not near.isdisjoint(growing.near[node]):
                continue
            if not taken.isdisjoint(growing.near[node]):
                continue
            size = growing.alike(node)
            if (size > k or size < k) and growing.with_lone(node, lone) >= k - 1:
                return node
            if far is None:
                far = node
            if looked > LOOKED_AT and far is not None:
                break
        if far is not None:
            return far
        others = (
            node
            for node in self._order
            if node not in taken and node not in near and node != member and growing.labels[node] == label
        )
        return min(
            others, key=lambda node: (len(near & growing.near[node]), len(growing.near[node])), default=None
        )

    def short_too(self, node: int, most: int) -> list[int]:
        """Return some who are alike to too few as well, and not connected to a node."""
        growing = self._growing
        size = len(growing.near[node])
        found = [
            other
            for other in self._short
            if other != node and other not in growing.near[node] and growing.alike(other) < growing.k
        ]
        return sorted(found, key=lambda other: (abs(len(growing.near[other]) - size), other))[:most]

    def clique(self, member: int, labels: list[int], taken: set[int]) -> list[int] | None:
        """Return nodes far away, with these labels, all connected, one of whom is connected to no others."""
        growing = self._growing
        size = len(labels)
        near = growing.near[member]
        wanted = sorted(labels)
        for node in self._with_degree.get(size - 1, ()):
            degree = len(growing.near[node])
            if degree != size - 1 or growing.inside[node] * 2 != degree * (degree - 1) or node == member:
                continue
            whole = [node, *sorted(growing.near[node])]
            if any(one in taken or one in near or not near.isdisjoint(growing.near[one]) for one in whole):
                continue
            if sorted(int(growing.labels[one]) for one in whole) != wanted or growing.alike(node) < growing.k:
                continue
            by_label: dict[int, list[int]] = {}
            for one in whole:
                by_label.setdefault(int(growing.labels[one]), []).append(one)
            return [by_label[label].pop() for label in labels]
        return None

    def _key_of_lone(self, label: int) -> int:
        """Return what a lone neighbour with this label adds to the key of a neighbourhood."""
        if label not in self._lone:
            starts, counts = np.array([0, 1], np.int64), np.array([1, 1], np.int64)
            labels, key = np.full(2, label, np.int64), np.empty(1, np.uint64)
            mark, component = np.full(2, -1, np.int64), np.empty(1, np.int64)
            component_keys(
                np.int64(0), starts, counts, np.array([1, 0], np.int32), labels, mark, component, key
            )
            self._lone[label] = int(key[0])
        return self._lone[label]
