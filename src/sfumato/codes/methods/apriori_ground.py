"""What searches for a cut stand on: records over the leaves of a tree, and who lies under each node."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem
from sfumato.codes.methods import _kernels_apriori as kernels
from sfumato.codes.methods import _kernels_apriori_walk as walk
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.codes.tree import CodeTree

Cut = NDArray[np.int32]
"""for every leaf of the tree, in the tree's order, the node that is shown for it, or ``OUT``"""


@dataclass(frozen=True)
class Ground:
    """Distinct records with the number of people who have each, over leaves in the tree's order.

    Node v < ``leaves`` is the leaf at place v of the tree (the code ``tree.order[v]``); inner nodes are
    those of the tree. Only ``covered`` codes are looked at. A node over codes of several ``kinds`` (public
    and sensitive ones) is never shown, so its children have nobody above them.
    """

    tree: CodeTree
    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.int64] = field(repr=False)
    parent: NDArray[np.int32] = field(repr=False)
    cost: NDArray[np.int64] = field(repr=False)
    held: NDArray[np.int64] = field(repr=False)
    """how many occurrences of codes lie under each node"""
    occurrences: int

    @classmethod
    def of(
        cls, sets: CodeSets, tree: CodeTree, kinds: NDArray[np.int64], covered: NDArray[np.bool_]
    ) -> Ground:
        """Lay records over a tree."""
        leaves = tree.leaves
        place = np.empty(leaves, np.int64)
        place[tree.order] = np.arange(leaves)
        keep = covered[sets.codes]
        owner = slots_of(sets.starts)[keep]
        order = np.lexsort((place[sets.codes[keep]], owner))
        at = read_only(place[sets.codes[keep]][order], np.int32)
        starts = np.zeros(len(sets) + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=len(sets)), out=starts[1:])
        number, firsts = walk.distinct_records(read_only(starts, np.int64), at)
        people = np.bincount(number, minlength=len(firsts))
        firsts, people = _without_empty(firsts, people, starts)
        taken = CodeSets(sets.domain, starts, at).take(firsts)
        held = _held(tree, np.bincount(at, minlength=leaves))
        return cls(
            tree,
            taken.starts,
            taken.codes,
            read_only(people, np.int64),
            _forest(tree, kinds),
            _costs(tree, held),
            held,
            len(at),
        )

    @property
    def leaves(self) -> int:
        """How many codes there are."""
        return self.tree.leaves

    @property
    def people(self) -> int:
        """How many records hold at least one covered code."""
        return int(self.weights.sum())

    @cached_property
    def forest(self) -> kernels.Forest:
        """The nodes as kernels take them."""
        first, end = self.tree.first.copy(), self.tree.end.copy()
        first[: self.leaves] = np.arange(self.leaves)
        end[: self.leaves] = np.arange(self.leaves) + 1
        return kernels.Forest(
            self.parent,
            read_only(first, np.int32),
            read_only(end, np.int32),
            self.cost,
            read_only(self.held * self.tree.total, np.int64),
        )

    @cached_property
    def holders(self) -> kernels.Holders:
        """Who lies under each node. A node is kept as bits where these take less room than a list."""
        starts, records = kernels.holders_of(self.starts, self.codes, self.parent, len(self.tree))
        common = np.diff(starts) > len(self.weights) // 64
        row = np.where(common, np.cumsum(common) - 1, -1).astype(np.int32)
        bits = kernels.bits_of_common(starts, records, row, int(common.sum()), len(self.weights))
        return kernels.Holders(starts, records, row, bits, self.weights)

    @cached_property
    def children(self) -> list[NDArray[np.int64]]:
        """The nodes right under each node."""
        order = np.argsort(self.parent, kind="stable")
        bounds = np.searchsorted(self.parent[order], np.arange(len(self.parent) + 1))
        return [order[low:high] for low, high in pairwise(bounds.tolist())]

    def leaf_cut(self) -> Cut:
        """The cut that shows every code as it is."""
        return np.arange(self.leaves, dtype=np.int32)

    def left_out(self, cut: Cut) -> int:
        """How many occurrences of codes a cut leaves out."""
        return int(self.held[: self.leaves][cut == kernels.OUT].sum())

    def loss(self, cut: Cut) -> int:
        """What a cut costs: Σ over occurrences of the size of the shown node, of the root if left out."""
        return int(self.cost[nodes_of(cut)].sum()) + self.left_out(cut) * self.tree.total

    def ncp(self, cut: Cut) -> float:
        """NCP over original occurrences (He and Naughton, 2009)."""
        return self.loss(cut) / (self.tree.total * self.occurrences) if self.occurrences else 0.0

    def by_code(self, cut: Cut) -> NDArray[np.int64]:
        """Return for every code the node of the tree that a cut shows, or ``SUPPRESSED``."""
        shown = np.empty(self.leaves, np.int64)
        shown[self.tree.order] = np.where(
            cut < self.leaves, self.tree.order[np.minimum(cut, self.leaves - 1)], cut
        )
        shown[self.tree.order[cut == kernels.OUT]] = SUPPRESSED
        return shown


def nodes_of(cut: Cut) -> NDArray[np.int32]:
    """Return the nodes that a cut shows, ascending."""
    nodes: NDArray[np.int32] = np.unique(cut[cut != kernels.OUT])
    return nodes


def _without_empty(
    firsts: NDArray[np.int64], people: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    holds = starts[firsts + 1] > starts[firsts]
    return firsts[holds], people[holds]


def _forest(tree: CodeTree, kinds: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return who is above each node, nobody where that would mix codes of several kinds."""
    changes = np.concatenate([[0], np.cumsum(np.diff(kinds[tree.order]) != 0)])
    mixed = changes[tree.end - 1] > changes[tree.first]
    parent = tree.parent.copy()
    parent[: tree.leaves] = tree.parent[tree.order]
    parent[(parent >= 0) & mixed[parent]] = -1
    return read_only(parent, np.int32)


def _held(tree: CodeTree, occurrences: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for every node the occurrences under it, given those of the leaves at their places."""
    before = np.concatenate([[0], np.cumsum(occurrences)])
    held = before[tree.end] - before[tree.first]
    held[: tree.leaves] = occurrences
    return read_only(held, np.int64)


def _costs(tree: CodeTree, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for every node its size times the occurrences under it; a code as it is costs nothing."""
    cost = held * tree.size
    cost[: tree.leaves] = 0
    return read_only(cost, np.int64)


def publish(problem: Problem, tree: CodeTree, shown: NDArray[np.int64]) -> PublishedSets:
    """Publish for every occurrence of a code (a slot of the sets) a node of the tree, or nothing."""
    kept = shown != SUPPRESSED
    used, number = np.unique(shown[kept], return_inverse=True)
    items = Items.of_nodes(problem.sets.domain, tree, used.tolist(), sensitive=problem.marked)
    item_of = np.full(len(shown), SUPPRESSED, np.int64)
    item_of[kept] = number
    return PublishedSets.by_slot(problem.sets, items, item_of)
