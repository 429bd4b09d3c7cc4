"""A network to which edges are added, and taken back, while it is known whose neighbourhoods are alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.methods._kernels_neighbourhood import component_keys, neighbourhood_keys
from sfumato.graph.network import Network

Pair = tuple[int, int]
_WRAP = 2**64


@dataclass
class Step:
    """What was changed, so that it can be taken back."""

    pairs: list[Pair] = field(default_factory=list)
    labels: list[Pair] = field(default_factory=list)
    """(node, its label before)"""
    keys: dict[int, tuple[int, int]] = field(default_factory=dict)
    """key and inner edges before"""


class Growing:
    """A network that grows.

    An edge (a, b) changes three kinds of neighbourhoods: that of a gains b, that of b gains a, and those of
    all common neighbours of a and b gain an edge. Only these are looked at again.

    ``missing`` says how far the network is from k alike: the sum of c·(k − c)·√d³ over classes of c < k nodes
    with d neighbours. It falls when two small classes become one, also when that one is still small; and
    it is worth breaking some small neighbourhoods, which are mended at little cost, for a large one.
    """

    def __init__(self, network: Network, labels: NDArray[np.int64], k: int) -> None:
        n = network.nodes
        self.k = k
        self.nodes = n
        self.near: list[set[int]] = [set(network.neighbours_of(node).tolist()) for node in range(n)]
        self.added: set[Pair] = set()
        self.missing = 0
        self.classes: dict[int, set[int]] = {}
        self._weights: dict[int, int] = {}
        self.labels = labels.copy()
        self.bound: dict[int, tuple[int, ...]] = {}
        """nodes that are to stay twins: what happens to one happens to all"""
        self._counts = network.degrees().astype(np.int64)
        self._space = 2 * self._counts + 8
        self._starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._space)[:-1]])[:n]
        self._room = np.zeros(max(int(self._space.sum()), 1), np.int32)
        at = np.arange(len(network.neighbours)) - np.repeat(network.offsets[:-1], self._counts)
        self._room[np.repeat(self._starts, self._counts) + at] = network.neighbours
        self._used = len(self._room)
        self._mark = np.full(n, -1, np.int64)
        keys, inside = self._look(np.arange(n, dtype=np.int64))
        self.key: list[int] = keys
        self.inside: list[int] = inside
        for node in range(n):
            self._enter(node, self.key[node])

    def network(self, words: tuple[str, ...], labelled: bool) -> Network:
        """Return what has grown."""
        pairs = [(a, b) for a in range(self.nodes) for b in self.near[a] if a < b]
        labels = self.labels.astype(np.int32) if labelled else None
        return Network.of_edges(self.nodes, np.array(pairs, np.int64).reshape(-1, 2), labels, words)

    def alike(self, node: int) -> int:
        """Return how many nodes have the neighbourhood of this one."""
        return len(self.classes[self.key[node]])

    def short(self) -> list[int]:
        """Return the nodes whose class is too small, large neighbourhoods first."""
        found = [node for members in self.classes.values() if len(members) < self.k for node in members]
        return sorted(found, key=lambda node: (-len(self.near[node]), -self.inside[node], node))

    def components(self, node: int) -> tuple[list[int], list[int], list[int]]:
        """Return the neighbours of a node, the component of each, and the key of that component."""
        size = int(self._counts[node])
        component, key = np.empty(size, np.int64), np.empty(size, np.uint64)
        component_keys(
            np.int64(node),
            self._starts,
            self._counts,
            self._room,
            self.labels,
            self._mark,
            component,
            key,
        )
        low = int(self._starts[node])
        return self._room[low : low + size].tolist(), component.tolist(), key.tolist()

    def change(self, pairs: Iterable[Pair], labels: Iterable[Pair] = ()) -> Step:
        """Add edges (those that are there already are passed over), give nodes new labels."""
        done = Step()
        touched: set[int] = set()
        for a, b in self._for_all_bound(pairs):
            if b in self.near[a]:
                continue
            touched |= self.near[a] & self.near[b]
            touched.add(a)
            touched.add(b)
            self.near[a].add(b)
            self.near[b].add(a)
            self._append(a, b)
            self._append(b, a)
            pair = (a, b) if a < b else (b, a)
            self.added.add(pair)
            done.pairs.append(pair)
        for given, label in labels:
            for node in self.bound.get(given, (given,)):
                if label != self.labels[node]:
                    done.labels.append((node, int(self.labels[node])))
                    self.labels[node] = label
                    touched.add(node)
                    touched |= self.near[node]
        nodes = sorted(touched)
        keys, inside = self._look(np.array(nodes, np.int64))
        for node, key, edges in zip(nodes, keys, inside, strict=True):
            done.keys[node] = (self.key[node], self.inside[node])
            self._become(node, key, edges)
        return done

    def bind(self, twins: list[int]) -> None:
        """Keep some nodes, and those that were bound to them before, twins for ever."""
        all_of_them = tuple(sorted({other for one in twins for other in self.bound.get(one, (one,))}))
        for one in all_of_them:
            self.bound[one] = all_of_them

    def alike_bound(self, a: int, b: int) -> list[Pair]:
        """Return the added edges that stand for the same edge between twins."""
        both = self._for_all_bound([(a, b)])
        return sorted({(min(pair), max(pair)) for pair in both} & self.added)

    def _for_all_bound(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        for a, b in pairs:
            ours, theirs = self.bound.get(a), self.bound.get(b)
            if ours is None and theirs is None:
                yield a, b
                continue
            for one in ours or (a,):
                for other in theirs or (b,):
                    if one != other:
                        yield one, other

    def take_back(self, done: Step) -> None:
        """Undo the last change."""
        for a, b in done.pairs:
            self.near[a].remove(b)
            self.near[b].remove(a)
            self._drop(a, b)
            self._drop(b, a)
            self.added.remove((a, b))
        for node, label in reversed(done.labels):
            self.labels[node] = label
        for node, (key, edges) in done.keys.items():
            self._become(node, key, edges)

    def spare(self, pairs: list[Pair]) -> bool:
        """Take added edges away again if everybody is still alike enough; say whether they were."""
        touched: set[int] = set()
        for a, b in pairs:
            self.near[a].remove(b)
            self.near[b].remove(a)
            self._drop(a, b)
            self._drop(b, a)
            touched |= {a, b, *(self.near[a] & self.near[b])}
        nodes = sorted(touched)
        before = [(self.key[node], self.inside[node]) for node in nodes]
        for node, key, edges in zip(nodes, *self._look(np.array(nodes, np.int64)), strict=True):
            self._become(node, key, edges)
        if not self.missing:
            self.added.difference_update(pairs)
            return True
        for a, b in pairs:
            self.near[a].add(b)
            self.near[b].add(a)
            self._append(a, b)
            self._append(b, a)
        for node, (key, edges) in zip(nodes, before, strict=True):
            self._become(node, key, edges)
        return False

    def with_lone(self, node: int, lone: int) -> int:
        """Return how many nodes have the neighbourhood that a node gets with one more, lone neighbour."""
        return len(self.classes.get((self.key[node] + lone) % _WRAP, ()))

    def _become(self, node: int, key: int, edges: int) -> None:
        before = self.key[node]
        self.inside[node] = edges
        if before == key:
            return
        members = self.classes[before]
        members.remove(node)
        left = len(members)
        self.missing += (self._lack(left) - self._lack(left + 1)) * self._weights[before]
        if not members:
            del self.classes[before], self._weights[before]
        self.key[node] = key
        self._enter(node, key)

    def _enter(self, node: int, key: int) -> None:
        members = self.classes.setdefault(key, set())
        weight = self._weights.setdefault(key, _weight(len(self.near[node])))
        members.add(node)
        size = len(members)
        self.missing += (self._lack(size) - self._lack(size - 1)) * weight

    def _lack(self, size: int) -> int:
        return size * (self.k - size) if size < self.k else 0

    def _look(self, nodes: NDArray[np.int64]) -> tuple[list[int], list[int]]:
        keys, inside = np.empty(len(nodes), np.uint64), np.empty(len(nodes), np.int64)
        neighbourhood_keys(
            nodes, self._starts, self._counts, self._room, self.labels, self._mark, keys, inside
        )
        return keys.tolist(), inside.tolist()

    def _drop(self, node: int, other: int) -> None:
        low, last = int(self._starts[node]), int(self._starts[node] + self._counts[node]) - 1
        # Mostly it was appended last.
        at = last
        while self._room[at] != other:
            at -= 1
        if at < low:
            raise AssertionError("an edge that is not there is taken away")
        self._room[at] = self._room[last]
        self._counts[node] -= 1

    def _append(self, node: int, other: int) -> None:
        if self._counts[node] == self._space[node]:
            size = int(self._counts[node])
            space = 2 * size + 8
            while self._used + space > len(self._room):
                self._room = np.concatenate([self._room, np.zeros(len(self._room), np.int32)])
            low = int(self._starts[node])
            self._room[self._used : self._used + size] = self._room[low : low + size]
            self._starts[node] = self._used
            self._space[node] = space
            self._used += space
        self._room[self._starts[node] + self._counts[node]] = other
        self._counts[node] += 1


def _weight(neighbours: int) -> int:
    return 1 + math.isqrt(100 * neighbours**3)
