"""The search for few edges that make neighbourhoods alike.

Nodes with large neighbourhoods first, as Zhou and Pei (2008): there are few of them, and what is added to
small ones later can be chosen so that large ones are left alone. For each node whose class is too small some
ways to enlarge the class are tried out (``alignment`` with the classes that look closest, ``made_twins`` with
the nodes that share most neighbours), and the one is kept that lowers ``Growing.missing`` most for its cost.
Where none lowers it, the one that does least harm is taken, so that no round ends as it began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import Progress
from sfumato.graph.methods.neighbourhood_aligned import alignment
from sfumato.graph.methods.neighbourhood_growing import Growing, Step
from sfumato.graph.methods.neighbourhood_lenders import Lenders
from sfumato.graph.methods.neighbourhood_twins import Change, closest, grouped, made_twins, twins_of
from sfumato.graph.methods.neighbourhood_words import Words

LOOKED_AT = 48
"""classes that are compared by their components"""
HARM = 0.03
"""edges that mending one unit of ``Growing.missing`` takes, about"""
PATIENCE = 40
"""how often twins are made by force before things must have become better than ever before"""
THINNED = 20_000
"""added edges that are tried to be taken back, those between small neighbourhoods first"""
TINY = 1e-9
"""a change that costs nothing is better than all others, and by how much does not matter"""


@dataclass(frozen=True)
class Weights:
    """What a change costs."""

    label: float
    edge: float


class Search:
    """Adds edges until the classes of all nodes are large enough, by their keys."""

    def __init__(
        self, growing: Growing, words: Words, weights: Weights, tries: int, chance: np.random.Generator
    ) -> None:
        self.growing = growing
        self.words = words
        self._weights = weights
        self._tries = tries
        self._lenders = Lenders(growing, chance)
        self._parts: dict[int, Counter[tuple[int, int, int]]] = {}
        self._classes: NDArray[np.int64] = np.zeros((0, 3), np.int64)
        self._fresh: set[int] = set()
        self.forced = 0

    def cost(self) -> float:
        """Return what all changes so far cost."""
        growing = self.growing
        lost = self.words.loss(growing.labels, range(growing.nodes))
        return self._weights.edge * len(growing.added) + self._weights.label * lost

    def take(self, change: Change, groups: list[list[int]]) -> None:
        """Make a change that makes some groups twins, and keep them so."""
        self.growing.change(*change)
        for group in groups:
            self.growing.bind(group)

    def begin(self, share: float) -> None:
        """Make a share of those whose class is too small twins of each other, large neighbourhoods first."""
        growing = self.growing
        short = growing.short()
        hard = set(short[: round(share * len(short))])
        groups = []
        for pool in self.words.pools():
            chosen = [node for node in short if node in hard and node in pool]
            groups += grouped(growing.near, chosen, growing.k) if len(chosen) >= growing.k else []
        for group in groups:
            change = made_twins(growing, group, self.words)
            # Without a word for all of them they are left to the search.
            if change is not None:
                growing.change(*change)
                growing.bind(group)

    def settle(self, stop: Callable[[], bool], progress: Progress) -> bool:
        """Add edges until nobody's class is too small; False if ``stop`` said so or nothing got better."""
        growing = self.growing
        at_first = max(growing.missing, 1)
        least, patience = growing.missing, PATIENCE
        self._fresh = set(range(growing.nodes))
        while growing.missing:
            self._index()
            waiting = [node for node in growing.short() if node in self._fresh]
            for node in waiting:
                self._fresh.discard(node)
                if growing.alike(node) < growing.k:
                    if stop():
                        return False
                    self.improve(node)
                    done = 1 - growing.missing / at_first
                    progress.update(max(0.0, done), f"{len(growing.added):,} edges added")
            if growing.missing < least:
                least, patience = growing.missing, PATIENCE
            if not waiting:
                patience -= 1
                if not patience or stop() or not self.force(growing.short()[0]):
                    return False
        return True

    def improve(self, node: int) -> bool:
        """Try out ways to enlarge the class of a node, keep the best; False if there is none."""
        growing = self.growing
        best: Change | None = None
        most = 0.0
        for change in self._ways(node):
            cost, gain, done = self._tried(change)
            growing.take_back(done)
            if gain > 0 and (best is None or gain / cost > most):
                best, most = change, gain / cost
        if best is None:
            return False
        self._fresh.update(growing.change(*best).keys)
        return True

    def force(self, node: int) -> bool:
        """Make a node one of k twins and keep them so; False where labels stand against it."""
        growing = self.growing
        best: tuple[Change, list[int]] | None = None
        least = 0.0
        mine = list(growing.bound.get(node, (node,)))
        near = closest(growing, node, self._tries + growing.k)
        near = [one for one in near if self.words.may_share(node, one)]
        near += [one for one in self._others(node) if one not in near]
        for first in range(min(self._tries, len(near))):
            group = list(mine)
            for other in near[first:]:
                if len(group) < growing.k and other not in group:
                    group += growing.bound.get(other, (other,))
            found = made_twins(growing, group, self.words) if len(group) >= growing.k else None
            if found is None:
                continue
            cost, gain, done = self._tried(found)
            growing.take_back(done)
            worth = HARM * self._weights.edge * gain / (growing.k - 1) - cost
            if best is None or worth > least:
                best, least = (found, group), worth
        if best is None:
            return False
        self.forced += 1
        self._fresh.update(growing.change(*best[0]).keys)
        growing.bind(best[1])
        return True

    def thin(self, progress: Progress) -> None:
        """Take away added edges that turn out not to be needed, those of bound nodes together."""
        growing = self.growing
        near = growing.near
        edges = sorted(growing.added, key=lambda pair: (len(near[pair[0]]) + len(near[pair[1]]), pair))
        del edges[THINNED:]
        for at, (a, b) in enumerate(edges):
            if at % 64 == 0:
                progress.update(at / len(edges), "edges that are not needed")
            if (a, b) in growing.added:
                together = growing.alike_bound(a, b)
                if not growing.spare(together) and len(together) > 1:
                    growing.spare([(a, b)])

    def _others(self, node: int) -> list[int]:
        """Return nodes with about as many neighbours, for those who have none near them."""
        size = len(self.growing.near[node])
        everybody = np.argsort(np.abs(self._degrees() - size), kind="stable").tolist()
        others = (one for one in everybody if one != node and self.words.may_share(node, one))
        return list(islice(others, self._tries + self.growing.k))

    def _degrees(self) -> NDArray[np.int64]:
        return np.array([len(near) for near in self.growing.near], np.int64)

    def _tried(self, change: Change) -> tuple[float, int, Step]:
        """Make a change; return what it costs, what it gains, and how to take it back."""
        growing = self.growing
        before = growing.missing
        pairs, labels = change
        was = self.words.loss(growing.labels, [one for one, _ in labels])
        done = growing.change(pairs, labels)
        now = self.words.loss(growing.labels, [one for one, _ in labels])
        cost = self._weights.edge * len(done.pairs) + self._weights.label * (now - was)
        return max(cost, TINY), before - growing.missing, done

    def _ways(self, node: int) -> Iterator[Change]:
        """Yield changes that may make a node like enough others."""
        growing = self.growing
        k = growing.k
        own = [node, *sorted(growing.classes[growing.key[node]] - {node})]
        near = self._nearest(node)
        for key in near[: self._tries]:
            theirs = sorted(growing.classes.get(key, ()))
            if not theirs:
                continue
            if len(theirs) < k:
                yield from self._aligned([*theirs, *own], len(theirs) + len(own))
                continue
            yield from self._aligned([theirs[0], *own], 1)
            needed = k - len(own)
            if len(theirs) >= k + needed:
                yield from self._aligned([*theirs[:needed], *own], k)
        if k > 2 and len(own) < k:
            group = list(own)
            for key in near:
                theirs = sorted(growing.classes.get(key, ()))
                if len(theirs) < k and len(group) < k:
                    group += theirs
            if len(group) > len(own):
                yield from self._aligned(group, len(group))
        yield from self._twins(node, own)
        for other in self._lenders.short_too(node, 2 * self._tries):
            yield [(node, other)], []

    def _aligned(self, members: list[int], growable: int) -> Iterator[Change]:
        pairs = alignment(self.growing, members, self._lenders, growable)
        if pairs:
            yield pairs, []

    def _twins(self, node: int, own: list[int]) -> Iterator[Change]:
        growing = self.growing
        mine = twins_of(growing, node)
        near = [one for one in closest(growing, node, self._tries + growing.k) if one not in mine]
        for other in near[: self._tries]:
            found = made_twins(growing, [*mine, *twins_of(growing, other)], self.words)
            if found:
                yield found
        group = list(mine)
        for other in near:
            if len(group) < growing.k and other not in group:
                group += [one for one in twins_of(growing, other) if one not in group]
        if growing.k > 2 and len(group) > len(mine):
            found = made_twins(growing, group, self.words)
            if found:
                yield found

    def _index(self) -> None:
        """Note for each class how many neighbours its nodes have, and how many edges lie among these."""
        growing = self.growing
        self._lenders.refresh()
        first = [next(iter(members)) for members in growing.classes.values()]
        rows = [(len(growing.near[node]), growing.inside[node], node) for node in first]
        self._classes = np.array(rows, np.int64).reshape(-1, 3)

    def _nearest(self, node: int) -> list[int]:
        """Return the keys of classes whose neighbourhoods look closest to that of a node."""
        growing = self.growing
        size, edges = len(growing.near[node]), growing.inside[node]
        far = np.abs(self._classes[:, 0] - size) + np.abs(self._classes[:, 1] - edges)
        few = np.argsort(far, kind="stable")[:LOOKED_AT]
        own = self._parts_of(node)
        costs = {}
        for one in self._classes[few, 2].tolist():
            if growing.key[one] != growing.key[node] and growing.labels[one] == growing.labels[node]:
                costs[growing.key[one]] = _difference(own, self._parts_of(one))
        return sorted(costs, key=lambda key: (costs[key], key))

    def _parts_of(self, node: int) -> Counter[tuple[int, int, int]]:
        """Return the components of a neighbourhood as (size, edges, key) with how often they occur."""
        key = self.growing.key[node]
        if key not in self._parts:
            neighbours, component, keys = self.growing.components(node)
            sizes = Counter(component)
            whole = dict(zip(component, keys, strict=True))
            ends = Counter[int]()
            if len(sizes) < len(neighbours):
                number = dict(zip(neighbours, component, strict=True))
                for one in neighbours:
                    ends[number[one]] += sum(1 for other in self.growing.near[one] if other in number)
            self._parts[key] = Counter(
                (size, ends[number] // 2, whole[number]) for number, size in sizes.items()
            )
        return self._parts[key]


def _difference(one: Counter[tuple[int, int, int]], other: Counter[tuple[int, int, int]]) -> int:
    """Return by how many nodes and edges the components of two neighbourhoods differ at least, about."""
    left = sorted((one - other).elements(), reverse=True)
    right = sorted((other - one).elements(), reverse=True)
    return sum(
        abs(a[0] - b[0]) + abs(a[1] - b[1]) + 1 for a, b in zip_longest(left, right, fillvalue=(0, 0, 0))
    )
