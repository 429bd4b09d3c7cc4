"""The search for a cut that is k^m-anonymous: mend rare itemsets, then take back what was too much.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB 2008.

Lifting never lowers a support: an itemset of a higher cut is held by all who hold one of those that it came
from. So (1) sizes can be mended one after the other, (2) a cut is good as soon as a pass over the records
finds nothing rare, in whatever order and by whichever rule things were lifted, and (3) when a node of a
good cut is split, only itemsets with a part of that node can have become rare, and all who hold such an
itemset are records of that node, which makes it cheap to try. Once a split is bad it stays bad while other
nodes are split, so every node is tried once and what is left cannot be split anywhere.

A rare itemset is also mended by leaving a node of it out of all records. That lowers no support of what is
still shown, so all of this stays true; where leaves are left out a split may become possible later.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.methods import _kernels_apriori as kernels
from sfumato.codes.methods import _kernels_apriori_walk as walk
from sfumato.codes.methods.apriori_ground import Cut, Ground, nodes_of
from sfumato.codes.sets import CodeSets, read_only
from sfumato.core.progress import SILENT, Progress

Order = Literal["rare", "common", "cheap", "dear", "tree"]
"""which nodes come first: by their occurrences, by what showing the node above would cost, as in the tree"""
WAYS = 4096
"""up to so many ways to lift an itemset all are tried"""
RECORDS = 10_000
"""whole records that one call of a kernel looks at"""
SLICE = 20_000_000
"""itemsets that one call of a kernel walks through, about: some tenths of a second"""
_NOTHING = np.empty(0, np.int64)


class Stuck(Exception):
    """Some itemset is rare whatever is shown above its items, and none of them may be left out."""


@dataclass(frozen=True)
class Remedy:
    """How rare itemsets are mended: lifted, left out, or whichever loses less.

    ``most`` occurrences of codes may be left out in all.
    """

    how: int = kernels.LIFT
    most: int = 0


GENERALISE = Remedy()


@dataclass(frozen=True)
class Search:
    """Looks for cuts on which itemsets of ``i + 1`` items have ``enough[i]`` holders or none.

    ``whole`` is what itemsets of any size need, 0 if nothing is asked of them. It is looked at on whole
    records: no part of an itemset has fewer holders than the itemset.
    """

    ground: Ground
    enough: NDArray[np.int64]
    whole: int = 0
    progress: Progress = field(default=SILENT, repr=False)

    @property
    def sizes(self) -> int:
        """The most items that an adversary knows."""
        return len(self.enough)

    @cached_property
    def _all_rows(self) -> NDArray[np.int32]:
        rows: NDArray[np.int32] = read_only(np.arange(len(self.ground.weights)), np.int32)
        return rows

    @cached_property
    def _keys(self) -> dict[str, NDArray[np.int64]]:
        """For every order, what nodes are sorted by."""
        forest = self.ground.forest
        people = np.repeat(self.ground.weights, np.diff(self.ground.starts))
        at_leaf = np.bincount(self.ground.codes, people, self.ground.leaves).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(at_leaf)])
        occurrences = before[forest.end] - before[forest.first]
        above = np.where(forest.parent >= 0, forest.cost[forest.parent], forest.cost)
        return {
            "rare": occurrences,
            "common": -occurrences,
            "cheap": above,
            "dear": -above,
            "tree": forest.first.astype(np.int64),
        }

    def apriori(self, cut: Cut, order: Order, remedy: Remedy = GENERALISE) -> Cut:
        """Mend itemsets of one item, then of two, and so on."""
        # Codes that come back under a node may bring rare itemsets of fewer items with them.
        sizes = [(1 if remedy.most else size, size) for size in range(1, self.sizes + 1)]
        return self._mended(cut, order, sizes, remedy)

    def direct(self, cut: Cut, order: Order, remedy: Remedy = GENERALISE) -> Cut:
        """Mend itemsets of all sizes in one go."""
        return self._mended(cut, order, [(1, self.sizes)], remedy)

    def _mended(self, cut: Cut, order: Order, sizes: Sequence[tuple[int, int]], remedy: Remedy) -> Cut:
        """Mend itemsets of some sizes after each other, then whole records, until a pass finds none."""
        cut = cut.copy()
        for low, high in sizes:
            while self._pass(cut, order, low, high, remedy):
                pass
        while self.whole and self._pass_of_records(cut, remedy):
            while remedy.most and self._pass(cut, order, 1, self.sizes, remedy):
                pass
        return cut

    def rare_itemset(self, cut: Cut) -> tuple[int, ...]:
        """Return the nodes of an itemset that is rare, of as few as possible; none when the cut is good."""
        for size in range(1, self.sizes + 1):
            rare = np.full(size, -1, np.int64)
            if self._pass(cut, "rare", size, size, GENERALISE, rare):
                return tuple(rare.tolist())
        rare = np.full(self.ground.leaves, -1, np.int64)
        if self.whole and self._pass_of_records(cut, GENERALISE, rare):
            return tuple(rare[rare >= 0].tolist())
        return ()

    def _pass(
        self,
        cut: Cut,
        order: Order,
        low: int,
        high: int,
        remedy: Remedy,
        rare: NDArray[np.int64] | None = None,
    ) -> int:
        """Walk once through all records and mend rare itemsets; return how many. With ``rare`` only look."""
        nodes = nodes_of(cut)
        nodes = nodes[np.argsort(self._keys[order][nodes], kind="stable")]
        shown = self._shown(cut, nodes, self._all_rows, low)
        paid = kernels.paid_under(cut, self.ground.forest)
        left = self._left(cut, remedy.most)
        mended = 0
        for begin, stop in self._slices(shown, high):
            found = self._mend(begin, stop, low, high, nodes, shown, cut, paid, left, remedy.how, rare)
            if found == walk.RARE:
                return 1
            if found == walk.STUCK:
                raise Stuck
            mended += found
            self.progress.update(
                stop / max(len(nodes), 1), f"itemsets of up to {high} items, {mended} mended"
            )
        return mended

    def _pass_of_records(self, cut: Cut, remedy: Remedy, rare: NDArray[np.int64] | None = None) -> int:
        """Walk once through whole records and mend rare ones; return how many. With ``rare`` only look."""
        nodes = nodes_of(cut)
        starts, places = self._distinct(cut, nodes, self._all_rows)
        paid = kernels.paid_under(cut, self.ground.forest)
        left = self._left(cut, remedy.most)
        mended = 0
        for begin in range(0, len(starts) - 1, RECORDS):
            stop = min(begin + RECORDS, len(starts) - 1)
            found = self._mend_records(begin, stop, nodes, starts, places, cut, paid, left, remedy.how, rare)
            if found == walk.RARE:
                return 1
            if found == walk.STUCK:
                raise Stuck
            mended += found
            self.progress.update(stop / (len(starts) - 1), f"whole records, {mended} mended")
        return mended

    def _distinct(
        self, cut: Cut, nodes: NDArray[np.int32], rows: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the different records that a cut shows."""
        starts, places, _ = walk.recoded(
            self.ground.starts, self.ground.codes, self._places(cut, nodes), rows, 1
        )
        _, firsts = walk.distinct_records(read_only(starts, np.int64), read_only(places, np.int32))
        taken = CodeSets((), starts, places).take(firsts)
        return taken.starts, taken.codes

    def _mend_records(
        self,
        begin: int,
        stop: int,
        nodes: NDArray[np.int32],
        starts: NDArray[np.int64],
        places: NDArray[np.int32],
        cut: Cut,
        paid: NDArray[np.int64],
        left: NDArray[np.int64],
        how: int,
        rare: NDArray[np.int64] | None,
    ) -> int:
        return int(
            walk.mend_records(
                begin,
                stop,
                self.whole,
                WAYS,
                how,
                rare is None,
                _NOTHING if rare is None else rare,
                nodes,
                starts,
                places,
                cut,
                paid,
                left,
                self.ground.forest,
                self.ground.holders,
            )
        )

    def _places(self, cut: Cut, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return for every leaf the place of its node among ``nodes``, −1 where it is left out."""
        place = np.zeros(len(self.ground.parent) + 1, np.int32)
        place[nodes] = np.arange(len(nodes), dtype=np.int32)
        place[kernels.OUT] = -1
        return place[cut]

    def _shown(self, cut: Cut, nodes: NDArray[np.int32], rows: NDArray[np.int32], least: int) -> walk.Shown:
        starts, places, owners = walk.recoded(
            self.ground.starts, self.ground.codes, self._places(cut, nodes), rows, least
        )
        record, slot_starts, slots = walk.slots_by_place(starts, places, len(nodes))
        return walk.Shown(starts, places, self.ground.weights[owners], record, slot_starts, slots)

    def _slices(self, shown: walk.Shown, high: int) -> Iterator[tuple[int, int]]:
        """Cut the places into runs with about as many itemsets as one call should walk through."""
        behind = (shown.starts[shown.record.astype(np.int64) + 1] - np.arange(len(shown.places)) - 1).astype(
            np.float64
        )
        work = np.ones_like(behind)
        for step in range(1, high):
            work *= np.maximum(behind - step + 1, 0) / step
        by_place = np.concatenate([[0.0], np.cumsum(work[shown.slots])])[shown.slot_starts]
        marks = np.searchsorted(by_place, np.arange(1, by_place[-1] // SLICE + 1) * SLICE, side="left")
        bounds = np.unique(np.concatenate([[0], marks, [len(shown.slot_starts) - 1]])).tolist()
        return pairwise(bounds)

    def _mend(
        self,
        begin: int,
        stop: int,
        low: int,
        high: int,
        nodes: NDArray[np.int32],
        shown: walk.Shown,
        cut: Cut,
        paid: NDArray[np.int64],
        left: NDArray[np.int64],
        how: int,
        rare: NDArray[np.int64] | None,
    ) -> int:
        return int(
            walk.mend(
                begin,
                stop,
                low,
                high,
                self.enough,
                WAYS,
                how,
                rare is None,
                _NOTHING if rare is None else rare,
                nodes,
                shown,
                cut,
                paid,
                left,
                self.ground.forest,
                self.ground.holders,
            )
        )

    def _left(self, cut: Cut, most: int) -> NDArray[np.int64]:
        """Return what leaving codes out may cost yet when ``most`` occurrences may be left out in all."""
        return np.array([(most - self.ground.left_out(cut)) * self.ground.tree.total], np.int64)

    def trim(self, cut: Cut, most: int = 0) -> Cut:
        """Split nodes of a good cut, the dearest first, as long as it stays good.

        Where up to ``most`` occurrences may be left out, what a split makes rare is left out if all in all
        less is lost.
        """
        cut = cut.copy()
        ground = self.ground
        waiting = [(-int(ground.cost[node]), node) for node in np.unique(cut[cut >= ground.leaves]).tolist()]
        heapq.heapify(waiting)
        tried = 0
        while waiting:
            _, node = heapq.heappop(waiting)
            tried += 1
            if cut[ground.forest.first[node]] != node:
                continue
            parts = ground.children[node]
            split = self._with_these(cut, parts, node, most)
            if split is not None and (not most or ground.loss(split) < ground.loss(cut)):
                cut = split
                for part in parts[parts >= ground.leaves].tolist():
                    heapq.heappush(waiting, (-int(ground.cost[part]), part))
            self.progress.update(tried / (tried + len(waiting)), f"{tried} nodes tried to split")
        return cut

    def put_back(self, cut: Cut) -> Cut:
        """Show what a good cut leaves out, whole branches before single codes, as long as it stays good."""
        cut = cut.copy()
        forest = self.ground.forest
        out = np.concatenate([[0], np.cumsum(cut == kernels.OUT)])
        alone = (out[forest.end] - out[forest.first] == forest.end - forest.first) & (self.ground.held > 0)
        alone[self.ground.leaves :] &= np.isin(np.arange(self.ground.leaves, len(alone)), forest.parent)
        highest = alone & ~((forest.parent >= 0) & alone[forest.parent])
        waiting = [(-int(forest.gone[node]), node) for node in np.flatnonzero(highest).tolist()]
        heapq.heapify(waiting)
        while waiting:
            _, node = heapq.heappop(waiting)
            shown = self._with_these(cut, np.array([node]), node, 0)
            if shown is not None:
                cut = shown
            else:
                parts = self.ground.children[node].tolist()
                for part in parts:
                    heapq.heappush(waiting, (-int(forest.gone[part]), part))
        return cut

    def _rows_of(self, node: int) -> NDArray[np.int32]:
        holders = self.ground.holders
        rows: NDArray[np.int32] = read_only(
            holders.records[holders.starts[node] : holders.starts[node + 1]], np.int32
        )
        return rows

    def _with_these(self, cut: Cut, parts: NDArray[np.int64], node: int, most: int) -> Cut | None:
        """Return a good cut with ``parts`` shown for the leaves under a node; None where it would not be.

        What becomes rare is left out as long as ``most`` occurrences are not passed in all.
        """
        trial = cut.copy()
        forest = self.ground.forest
        for part in parts.tolist():
            trial[forest.first[part] : forest.end[part]] = part
        nodes = self._first_these(trial, parts)
        rows = self._rows_of(node)
        shown = self._shown(trial, nodes, rows, 1)
        paid = np.zeros(len(self.ground.parent), np.int64)
        left = np.maximum(self._left(trial, most), 0) if most else np.zeros(1, np.int64)
        out = kernels.LEAVE_OUT
        if self._mend(0, len(parts), 1, self.sizes, nodes, shown, trial, paid, left, out, None) < 0:
            return None
        found = self.whole
        while found > 0:
            starts, places = self._distinct(trial, nodes, rows)
            found = self._mend_records(
                0, len(starts) - 1, nodes, starts, places, trial, paid, left, out, None
            )
        return trial if found == 0 else None

    def _first_these(self, cut: Cut, these: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the nodes of a cut, some of them before all others, the most common of these first.

        What is rare even together with the most common ones has to go. The others stay in the order of the
        tree, in which records are nearly sorted.
        """
        nodes = nodes_of(cut)
        held = self.ground.held[nodes]
        return nodes[np.argsort(np.where(np.isin(nodes, these), -held, 1), kind="stable")]
