"""Items that grow by joining codes: the state that the set-based searches share.

Set-based anonymisation (G. Loukides, A. Gkoulalas-Divanis and B. Malin, PNAS 2010 and KAIS 2011) maps every
code to one set of codes, and the sets are disjoint; no hierarchy is needed. A code may also be suppressed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import bits_of
from sfumato.codes.methods._kernels_clusters import (
    cheapest_partner,
    common_node,
    gains_of,
    held,
    join,
    nearest_records,
)
from sfumato.codes.policies.partners import Partners
from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility.information_loss import log2_of_subsets


class Clusters:
    """Every code in an item of its own at first; items join or are suppressed, never part again.

    An item is named by one of its codes. Joining lets more records hold an item and suppressing one leaves
    the others alone, so what k records held once, k records hold for ever.
    """

    def __init__(
        self,
        sets: CodeSets,
        partners: Partners,
        tree: CodeTree | None = None,
        spared: NDArray[np.bool_] | None = None,
    ) -> None:
        codes = len(sets.domain)
        self.spared = np.zeros(codes, np.bool_) if spared is None else spared
        """codes to suppress only when nothing else helps; of a group all or none"""
        self.sets = sets
        self.partners = partners
        self.groups = partners.groups()
        shared = [number for number, group in enumerate(self.groups) if len(group) > 1]
        self.bits: NDArray[np.uint64] = bits_of(sets.starts, sets.codes, codes + len(shared))
        # The records that an item would reach if it took in its whole group have a row of their own.
        self.item_of = np.arange(codes, dtype=np.int64)
        self.reach_row = np.arange(codes, dtype=np.int64)
        for row, number in enumerate(shared, codes):
            self.reach_row[self.groups[number]] = row
            self._gather(number)
        self.size = np.ones(codes, np.int64)
        self.support: NDArray[np.int64] = np.array(sets.supports)
        self._room = np.zeros((3, codes), np.int64)
        self.changed = np.ones(codes, np.bool_)
        """codes whose item is another one than when somebody last looked"""
        self.joins = 0
        self._following = np.arange(codes, dtype=np.int64)
        self._top = np.zeros(codes, np.int64) if tree is None else np.arange(codes, dtype=np.int64)
        self._parent = np.full(1, -1, np.int64) if tree is None else tree.parent.astype(np.int64)
        self._log_weight = np.zeros(1) if tree is None else np.log2(tree.size / tree.total)
        self._log_subsets = np.array([log2_of_subsets(max(n, 1)) for n in range(codes + 1)])

    def items(self, codes: Sequence[int]) -> list[int]:
        """Return the different items that codes became, ascending; suppressed ones are left out."""
        return sorted({int(self.item_of[code]) for code in codes} - {SUPPRESSED})

    def held_by(self, items: Sequence[int], enough: int) -> int:
        """Count the records that hold all of some items, at most up to ``enough``."""
        return int(held(self.bits, np.array(items, np.int64), len(items), enough))

    def reach(self, items: Sequence[int], enough: int) -> int:
        """Count the records that would hold them all if each took in its whole group."""
        return int(held(self.bits, self.reach_row[list(items)], len(items), enough))

    def nearest(self, items: Sequence[int]) -> tuple[NDArray[np.uint64], int]:
        """Mark the records that lack fewest of some items and could come to hold all; count them."""
        near = np.zeros(self.bits.shape[1], np.uint64)
        rows = np.array(items, np.int64)
        return near, int(nearest_records(self.bits, rows, self.reach_row[rows], near))

    def cheapest(
        self, item: int, wanted: NDArray[np.uint64] | None = None, need: int = 1, below: float = math.inf
    ) -> tuple[int, float]:
        """Return the partner whose union with an item has the least UL, and that UL as a comparable log2.

        With ``wanted`` only partners that some of these records hold, which do not hold the item; ``need`` of
        them are asked for. (−1, ``below``) when there is none.
        """
        group = int(self.partners.group_of[item])
        if wanted is None:
            others = self.groups[group]
            others = others[(self.item_of[others] == others) & (others != item) & (self.support[others] > 0)]
            gains = np.ones(len(others), np.int64)
        else:
            others, gains = self._gaining(group, wanted & ~self.bits[item])
        partner, loss = cheapest_partner(
            self.bits,
            self.size,
            self.support,
            self._top,
            self._parent,
            self._log_weight,
            self._log_subsets,
            item,
            others,
            gains,
            need,
            below,
        )
        return int(partner), float(loss)

    def _gaining(self, group: int, wanted: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the items of a group that some of the wanted records hold, and how many do."""
        gain, seen, found = self._room
        number = gains_of(
            self.sets.starts,
            self.sets.codes,
            self.item_of,
            self.partners.group_of,
            group,
            wanted,
            gain,
            seen,
            found,
        )
        others = np.sort(found[:number])
        gains = gain[others]
        gain[others] = 0
        return others, gains

    def join(self, one: int, other: int) -> int:
        """Let two items become one; return its name."""
        into, item = min(one, other), max(one, other)
        self.support[into] = join(self.bits, self.item_of, self._following, into, item)
        self.size[into] += self.size[item]
        self._top[into] = common_node(self._parent, self._top[into], self._top[item])
        self.changed |= self.item_of == into
        self.joins += 1
        return into

    def suppress(self, item: int) -> None:
        """Leave an item out everywhere."""
        inside = self.item_of == item
        self.changed |= inside
        self.item_of[inside] = SUPPRESSED
        number = int(self.partners.group_of[item])
        if len(self.groups[number]) > 1:
            self._gather(number)

    def _gather(self, number: int) -> None:
        group = self.groups[number]
        row = self.bits[self.reach_row[group[0]]]
        row[:] = 0
        for code in group[self.item_of[group] != SUPPRESSED]:
            row |= self.bits[code]

    @property
    def suppressed(self) -> int:
        """How many codes are left out."""
        return int((self.item_of == SUPPRESSED).sum())

    @property
    def occurrences_suppressed(self) -> int:
        """How often records held what is left out."""
        return int(self.sets.supports[self.item_of == SUPPRESSED].sum())

    def published(self, sensitive: NDArray[np.bool_] | None) -> PublishedSets:
        """Show every record by its items."""
        names = np.unique(self.item_of[self.item_of != SUPPRESSED])
        groups: list[list[int]] = [[] for _ in names]
        number_of = np.full(len(self.item_of), SUPPRESSED, np.int64)
        shown = self.item_of != SUPPRESSED
        number_of[shown] = np.searchsorted(names, self.item_of[shown])
        for code in np.flatnonzero(shown).tolist():
            groups[number_of[code]].append(code)
        items = Items.of_groups(self.sets.domain, groups, sensitive=sensitive)
        return PublishedSets.by_code(self.sets, items, number_of)
