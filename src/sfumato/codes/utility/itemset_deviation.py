"""tKd: which of the most frequent itemsets are no longer among the most frequent ones.

M. Terrovitis, N. Mamoulis & P. Kalnis, "Local and global recoding methods for anonymizing set-valued data"
(VLDB Journal, 2011); M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by
disassociation" (PVLDB, 2012).

    tKd = 1 − |F_K(D) ∩ F_K(D~)| / |F_K(D)|

F_K holds the K most frequent itemsets of up to ``largest`` items; of equally frequent ones the smaller come
first, then those whose items come first as text. Itemsets of items of which one holds the other ("401" beside
"401.1") say the same twice and are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.codes.utility.contract import same_records
from sfumato.codes.utility.covering import translated
from sfumato.codes.utility.frequent import Transactions, most_frequent_itemsets
from sfumato.codes.utility.workload import Itemset
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class ItemsetDeviation:
    """The share of the K most frequent itemsets of the original that are not among those of the release.

    At the level of ``codes`` an itemset survives when the release shows all of its codes as they are and they
    are still among its K most frequent itemsets: generalised items take the places of what they swallowed.
    At the level of ``items`` both sides are mined in the words of the release (a record of the original
    holds every item that covers one of its codes), so what is left is what suppression and local recoding
    did; merging codes everywhere costs nothing there.

    >>> original = CodeSets.of([["a", "b"], ["a", "c"], ["a"]])
    >>> published = PublishedSets.of([["a", ["b", "c"]], ["a", ["b", "c"]], ["a"]])
    >>> ItemsetDeviation(top=2).of(original, published).value
    0.5
    >>> ItemsetDeviation(top=2, level="items").of(original, published).value
    0.0
    """

    top: int = 100
    largest: int = 3
    level: Literal["codes", "items"] = "codes"
    name: ClassVar[str] = "itemset-deviation"
    title: ClassVar[str] = "top-K itemset deviation (tKd)"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the most frequent itemsets that are no longer the most frequent"

    def __post_init__(self) -> None:
        if self.top < 1 or self.largest < 1:
            raise BadInput("top and largest must be at least 1", where=self.name)
        if self.level not in ("codes", "items"):
            raise BadInput("the level is codes or items", where=self.name)

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Mine both; None where the original has no codes."""
        if not isinstance(published, PublishedSets) or not original.occurrences:
            return None
        same_records(original, published)
        items = published.items
        apart = _apart(items)
        shown = Transactions(published.starts, published.shown, len(items), apart)
        after = set(most_frequent_itemsets(shown, self.top, self.largest))
        if self.level == "items":
            before = set(most_frequent_itemsets(_in_items(original, items, apart), self.top, self.largest))
            kept = len(before & after)
        else:
            data = Transactions(original.starts, original.codes, len(original.domain))
            before = set(most_frequent_itemsets(data, self.top, self.largest))
            kept = len(before & _as_codes(after, original, items))
        if not before:
            return None
        return Measured(1 - kept / len(before), {"itemsets": len(before), "kept": kept})


def _as_codes(itemsets: set[Itemset], original: CodeSets, items: Items) -> set[Itemset]:
    """Return those itemsets that show codes as they are, by the positions of these in the original."""
    place = {code: position for position, code in enumerate(original.domain)}
    return {
        tuple(sorted(place.get(items.domain[items.under(item)[0]], -1) for item in itemset))
        for itemset in itemsets
        if all(items.singles[item] for item in itemset)
    }


def _in_items(original: CodeSets, items: Items, apart: Callable[[int, int], bool]) -> Transactions:
    """Read the original in the words of a release: a record holds every item that covers a code of it."""
    order = np.argsort(items.codes, kind="stable")
    cover = slots_of(items.starts)[order]
    starts = np.zeros(len(items.domain) + 1, np.int64)
    np.cumsum(np.bincount(items.codes, minlength=len(items.domain)), out=starts[1:])
    codes = translated(original, items).astype(np.int64)
    owner = slots_of(original.starts)[codes >= 0]
    codes = codes[codes >= 0]
    number = starts[codes + 1] - starts[codes]
    inside = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    held = cover[np.repeat(starts[codes], number) + inside]
    keys = np.unique(np.repeat(owner, number) * max(len(items), 1) + held)
    record = keys // max(len(items), 1)
    row_starts = np.zeros(len(original) + 1, np.int64)
    np.cumsum(np.bincount(record, minlength=len(original)), out=row_starts[1:])
    return Transactions(row_starts, (keys - record * max(len(items), 1)).astype(np.int32), len(items), apart)


def _apart(items: Items) -> Callable[[int, int], bool]:
    """Say of two items whether neither holds the other."""
    sets: dict[int, frozenset[int]] = {}

    def codes(item: int) -> frozenset[int]:
        if item not in sets:
            sets[item] = frozenset(items.under(item))
        return sets[item]

    return lambda one, other: not (codes(one) <= codes(other) or codes(other) <= codes(one))
