"""Frequent itemsets, level by level (R. Agrawal & R. Srikant, "Fast algorithms for mining association
rules", VLDB 1994): an itemset is no more frequent than any part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sfumato.codes._kernels_bits import bits_of, held_by
from sfumato.codes.sets import read_only
from sfumato.codes.utility.workload import Itemset
from sfumato.core.errors import BadInput

MOST_ITEMSETS = 2_000_000
"""candidates of one level that are still counted"""


@dataclass(frozen=True)
class Transactions:
    """Records of items in ragged arrays, whatever an item is."""

    starts: NDArray[np.int64] = field(repr=False)
    items: NDArray[np.int32] = field(repr=False)
    number: int
    """how many items there are"""
    apart: Callable[[int, int], bool] | None = None
    """says whether two items may stand in one itemset; all may when there is none"""


def frequent_itemsets(data: Transactions, support: int, largest: int) -> dict[Itemset, int]:
    """Return every itemset of up to ``largest`` items that at least ``support`` records hold.

    >>> data = Transactions(np.array([0, 2, 4, 5]), np.array([0, 1, 0, 1, 0], np.int32), 2)
    >>> frequent_itemsets(data, 2, 3)
    {(0,): 3, (1,): 2, (0, 1): 2}
    """
    found: dict[Itemset, int] = {}
    for level in _levels(data, largest, lambda: support):
        found |= level
    return found


def most_frequent_itemsets(data: Transactions, number: int, largest: int) -> dict[Itemset, int]:
    """Return the most frequent itemsets: ties go to the smaller itemset, then to the first by its items.

    >>> data = Transactions(np.array([0, 2, 4, 5]), np.array([0, 1, 0, 1, 0], np.int32), 2)
    >>> most_frequent_itemsets(data, 2, 3)
    {(0,): 3, (1,): 2}
    """
    best: list[tuple[int, int, Itemset]] = []

    def needed() -> int:
        # A larger itemset takes a place only with more records than the last that has one.
        return 1 if len(best) < number else 1 - best[-1][0]

    for level in _levels(data, largest, needed):
        best.extend((-support, len(itemset), itemset) for itemset, support in level.items())
        best.sort()
        del best[number:]
    return {itemset: -negative for negative, _, itemset in best}


def _levels(data: Transactions, largest: int, needed: Callable[[], int]) -> Iterator[dict[Itemset, int]]:
    """Yield the itemsets of one item, of two, …, that at least ``needed()`` records hold at that time."""
    supports = np.bincount(data.items, minlength=data.number)
    level: dict[Itemset, int]
    level = {(int(item),): int(supports[item]) for item in np.flatnonzero(supports >= max(needed(), 1))}
    yield level
    size = 1
    while level and size < largest:
        enough = max(needed(), 1)
        level = {itemset: support for itemset, support in level.items() if support >= enough}
        if size == 1:
            kept = [itemset[0] for itemset in level]
            bits, row = _bits(data, kept)
        size += 1
        candidates = _joined(list(level), set(level), data.apart)
        nodes = np.empty(size, np.int64)
        counted: dict[Itemset, int] = {}
        for itemset in candidates:
            nodes[:] = [row[item] for item in itemset]
            support = held_by(bits, nodes, size, len(data.starts))
            if support >= enough:
                counted[itemset] = support
        level = counted
        yield level


def _bits(data: Transactions, kept: list[int]) -> tuple[NDArray[np.uint64], dict[int, int]]:
    """Mark the records of the items that still matter, one row for each."""
    row = np.full(data.number, -1, np.int32)
    row[kept] = np.arange(len(kept), dtype=np.int32)
    rows = row[data.items]
    inside = rows >= 0
    before = np.concatenate([[0], np.cumsum(inside)])
    starts = read_only(before[data.starts], np.int64)
    bits = bits_of(starts, read_only(rows[inside], np.int32), max(len(kept), 1))
    return bits, {item: place for place, item in enumerate(kept)}


def _joined(
    level: list[Itemset], known: set[Itemset], apart: Callable[[int, int], bool] | None
) -> list[Itemset]:
    """Join itemsets that differ in their last item; keep those all of whose parts are frequent."""
    candidates: list[Itemset] = []
    for begin, first in enumerate(level):
        for second in level[begin + 1 :]:
            if first[:-1] != second[:-1]:
                break
            if apart is not None and not apart(first[-1], second[-1]):
                continue
            joined = (*first, second[-1])
            if all(part in known for part in combinations(joined, len(first))):
                candidates.append(joined)
        if len(candidates) > MOST_ITEMSETS:
            raise BadInput(
                f"there are more than {MOST_ITEMSETS:,} itemsets of {len(level[0]) + 1} codes to count",
                remedy="ask for a larger share, fewer itemsets or smaller ones",
            )
    return candidates
