"""The search for a cut that is k^m-anonymous: lift rare itemsets, take back what was too much, try otherwise.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Privacy-preserving anonymization of set-valued data", PVLDB 2008.

Lifting never lowers a support: an itemset of a higher cut is held by all who hold one of those that it came
from. So (1) sizes can be mended one after the other, (2) a cut is good as soon as a pass over the records
finds nothing rare, in whatever order and by whichever rule things were lifted, and (3) when a node of a
good cut is split, only itemsets with a part of that node can have become rare, and all who hold such an
itemset are records of that node. The last makes it cheap to try other cuts near a good one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.methods import _kernels_apriori as kernels
from sfumato.codes.methods.apriori_ground import Cut, Ground
from sfumato.codes.sets import read_only
from sfumato.core.progress import SILENT, Progress

ORDERS = ("rare", "common", "cheap", "dear", "tree")
"""in which order nodes come first: by occurrences, by what showing their parent costs, as in the tree"""
WAYS = 4096
"""up to so many ways to lift an itemset all are tried"""
SLICE = 20_000_000
"""itemsets that one call of a kernel walks through, about: some tenths of a second"""


class Stuck(Exception):
    """Some itemset is rare whatever is shown above its items; holds the size of such an itemset."""


@dataclass(frozen=True)
class Search:
    """Looks for cuts of a ground on which itemsets of ``i + 1`` items have ``enough[i]`` holders or none."""

    ground: Ground
    enough: NDArray[np.int64]
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

    def apriori(self, cut: Cut, order: str, from_size: int = 1) -> Cut:
        """Mend itemsets of one item, then of two, and so on."""
        cut = cut.copy()
        for size in range(from_size, self.sizes + 1):
            while self._pass(cut, order, size, size):
                pass
        return cut

    def direct(self, cut: Cut, order: str) -> Cut:
        """Mend itemsets of all sizes in one go."""
        cut = cut.copy()
        while self._pass(cut, order, 1, self.sizes):
            pass
        return cut

    def holds(self, cut: Cut) -> bool:
        """Say whether no itemset is rare."""
        return self._pass(cut.copy(), "rare", 1, self.sizes, change=False) == 0

    def _pass(self, cut: Cut, order: str, low: int, high: int, *, change: bool = True) -> int:
        """Walk once through all records; return how many itemsets were lifted."""
        nodes = np.unique(cut)
        nodes = nodes[np.argsort(self._keys[order][nodes], kind="stable")]
        shown = self._shown(cut, nodes, self._all_rows, low)
        paid = kernels.paid_under(cut, self.ground.forest)
        lifted = 0
        for begin, stop in self._slices(shown, high):
            found = self._mend(begin, stop, low, high, nodes, shown, cut, paid, self.ground.forest, change)
            if found == kernels.RARE:
                return 1
            if found == kernels.STUCK:
                raise Stuck
            lifted += found
            self.progress.update(
                stop / max(len(nodes), 1), f"itemsets of up to {high} items, {lifted} generalised"
            )
        return lifted

    def _shown(self, cut: Cut, nodes: NDArray[np.int32], rows: NDArray[np.int32], least: int) -> kernels.Shown:
        place = np.zeros(len(self.ground.parent), np.int32)
        place[nodes] = np.arange(len(nodes), dtype=np.int32)
        starts, places, owners = kernels.recoded(
            self.ground.starts, self.ground.codes, place[cut], rows, least
        )
        record, slot_starts, slots = kernels.slots_by_place(starts, places, len(nodes))
        return kernels.Shown(starts, places, self.ground.weights[owners], record, slot_starts, slots)

    def _slices(self, shown: kernels.Shown, high: int) -> Iterator[tuple[int, int]]:
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
        return zip(bounds[:-1], bounds[1:], strict=True)

    def _mend(
        self,
        begin: int,
        stop: int,
        low: int,
        high: int,
        nodes: NDArray[np.int32],
        shown: kernels.Shown,
        cut: Cut,
        paid: NDArray[np.int64],
        forest: kernels.Forest,
        change: bool,
    ) -> int:
        return int(
            kernels.mend(
                begin,
                stop,
                low,
                high,
                self.enough,
                WAYS,
                change,
                nodes,
                shown,
                cut,
                paid,
                forest,
                self.ground.holders,
            )
        )

    def trim(self, cut: Cut, nodes: Sequence[int] | None = None) -> Cut:
        """Split nodes of a good cut, the dearest first, as long as it stays good."""
        cut = cut.copy()
        waiting = sorted(np.unique(cut).tolist() if nodes is None else nodes, key=self._dearest)
        while waiting:
            node = waiting.pop(0)
            parts = self.ground.children[node]
            if len(parts) and self._split_holds(cut, node, parts):
                self._split(cut, parts)
                waiting = sorted([*waiting, *parts.tolist()], key=self._dearest)
        return cut

    def _dearest(self, node: int) -> tuple[int, int]:
        return -int(self.ground.cost[node]), node

    def _split(self, cut: Cut, parts: NDArray[np.int64]) -> None:
        forest = self.ground.forest
        for part in parts.tolist():
            cut[forest.first[part] : forest.end[part]] = part

    def _rows_of(self, node: int) -> NDArray[np.int32]:
        holders = self.ground.holders
        rows: NDArray[np.int32] = read_only(
            holders.records[holders.starts[node] : holders.starts[node + 1]], np.int32
        )
        return rows

    def _split_holds(self, cut: Cut, node: int, parts: NDArray[np.int64]) -> bool:
        trial = cut.copy()
        self._split(trial, parts)
        nodes = self._first_these(trial, parts)
        shown = self._shown(trial, nodes, self._rows_of(node), 1)
        paid = np.zeros(len(self.ground.parent), np.int64)
        found = self._mend(
            0, len(parts), 1, self.sizes, nodes, shown, trial, paid, self.ground.forest, False
        )
        return found == 0

    def _first_these(self, cut: Cut, these: NDArray[np.int64], order: str = "rare") -> NDArray[np.int32]:
        """Return the nodes of a cut, some of them before all others."""
        nodes = np.unique(cut)
        later = ~np.isin(nodes, these)
        found: NDArray[np.int32] = nodes[np.lexsort((self._keys[order][nodes], later))]
        return found

    def without(self, cut: Cut, node: int) -> Cut | None:
        """Find a good cut near a good one that does not show ``node``; None when there is none."""
        forest = self.ground.forest
        parts = self.ground.children[node]
        parent = self.ground.parent.copy()
        parent[parts] = -1
        allowed = forest._replace(parent=read_only(parent, np.int32))
        trial = cut.copy()
        self._split(trial, parts)
        rows = self._rows_of(node)
        low, high = int(forest.first[node]), int(forest.end[node])
        for size in range(1, self.sizes + 1):
            while True:
                under = np.unique(trial[low:high])
                nodes = self._first_these(trial, under)
                shown = self._shown(trial, nodes, rows, size)
                paid = kernels.paid_under(trial, allowed)
                found = self._mend(0, len(under), size, size, nodes, shown, trial, paid, allowed, True)
                if found < 0:
                    return None
                if not found:
                    break
        return trial

    def improve(self, cut: Cut, rounds: int) -> Cut:
        """Ask for every node of a good cut whether doing without it, and trimming the rest, is cheaper."""
        loss = self.ground.loss(cut)
        for _ in range(rounds):
            before = loss
            for node in sorted(np.unique(cut).tolist(), key=self._dearest):
                if not len(self.ground.children[node]) or not (cut == node).any():
                    continue
                trial = self.without(cut, node)
                if trial is None:
                    continue
                trial = self.trim(trial, np.setdiff1d(trial, cut).tolist())
                if self.ground.loss(trial) < loss:
                    cut, loss = trial, self.ground.loss(trial)
            if loss == before:
                break
        return cut
