"""(k, k^m)-anonymity: nobody is found by what is known of their person and of their codes together.

G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos: "Anonymizing data with relational and
transaction attributes" (ECML PKDD 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.check import Answer, answer
from sfumato.codes.models.wording import check_whole, others
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.question import Family, ItemsetWitness, Question
from sfumato.codes.sets import distinct, slots_of
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.record.relational_codes.published import PublishedRecords

_FIRST_ROWS = 5


@dataclass(frozen=True)
class ClassWitness(ItemsetWitness):
    """Items that too few of a class hold. ``of`` is the size of the class."""

    of: int = 0

    def __str__(self) -> str:
        """Say how many of how many hold them, and where they are."""
        rows = ", ".join(str(row) for row in self.rows)
        what = "1 item" if len(self.items) == 1 else f"{len(self.items)} items"
        return f"{what} held by {self.size} of a class of {self.of} on {', '.join(self.columns)} (row {rows})"


@dataclass(frozen=True)
class KKmAnonymity:
    """Every class has k records, and so has every choice of at most m items that its records show.

    For all classes E of records with equal quasi-identifiers, and all itemsets S with |S| ≤ m:

        |{r ∈ E : S ⊆ r}| ≥ k   or   = 0.

    S = ∅ says that the classes are k-anonymous. Both parts protected apart do not give this: of the k
    records of a class one alone may show an item, although k others show it elsewhere. A record without
    items is a record of its class.

    Protects from finding a person's record by all quasi-identifiers and up to m codes. It does not protect
    from those who know more than m codes, nor from learning what all candidates share: an item that a whole
    class shows is learned of everybody in it.

    >>> import pyarrow as pa
    >>> apart = PublishedRecords(pa.table({"age": ["20", "20", "30", "30"]}),
    ...                          PublishedSets.of([["a"], ["b"], ["a"], ["b"]]))
    >>> print(KKmAnonymity(2, 1).check(apart))  # doctest: +ELLIPSIS
    k-km-anonymity does not hold: required k ≥ 2 in every class for any item, achieved k = 1; 1 item held ...
    """

    k: int
    m: int
    name: ClassVar[str] = "k-km-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        check_whole(self.m, "m", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        known = "any code" if self.m == 1 else f"any {self.m} codes"
        return f"everybody shares their quasi-identifiers together with {known} with {others(self.k)}"

    def question(self) -> Question:
        """What is asked of the items of every class."""
        return Question(Family.UP_TO, self.k, self.m, sensitive_known=True)

    def check(self, published: PublishedRecords) -> Verdict:
        """Count the classes, then the itemsets of every class."""
        sizes = published.class_sizes
        small = int((sizes < self.k).sum())
        inside = _Inside.of(published)
        found = answer(inside.sets, self.question())
        witness: Witness | None = None
        if small:
            smallest = int(np.argmin(sizes))
            rows = np.flatnonzero(published.class_of == smallest)[:_FIRST_ROWS] + 1
            witness = Witness(published.columns, tuple(rows.tolist()), int(sizes[smallest]))
        elif found.witness is not None and not found.holds:
            witness = inside.witness(found.witness, published)
        items = "item" if self.m == 1 else f"{self.m} items"
        return Verdict(
            self.name,
            not small and found.holds,
            required=f"k ≥ {self.k} in every class for any {items}",
            achieved=_reached(sizes, found),
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=small + found.violations,
        )


@dataclass(frozen=True)
class _Inside:
    """Records whose items are told apart by class: an itemset of them lies in one class, or nowhere.

    So k^m-anonymity of these sets is k^m-anonymity inside every class. Item i stands for item ``item[i]`` of
    the release in class ``owner[i]``.
    """

    sets: PublishedSets
    item: NDArray[np.int64]
    owner: NDArray[np.int64]

    @classmethod
    def of(cls, published: PublishedRecords) -> _Inside:
        sets = published.sets
        width = max(len(sets.items), 1)
        each = published.class_of[slots_of(sets.starts)] * width + sets.shown
        keys = distinct(each)
        number = len(keys)
        names = tuple(map(str, range(number)))
        items = Items(
            names,
            names,
            np.arange(number + 1),
            np.arange(number, dtype=np.int32),
            np.ones(number, np.int64),
            number,
            np.zeros(number, np.bool_),
        )
        told_apart = PublishedSets(items, sets.starts, np.searchsorted(keys, each).astype(np.int32))
        return cls(told_apart, keys % width, keys // width)

    def witness(self, found: ItemsetWitness, published: PublishedRecords) -> ClassWitness:
        """Say in which class an itemset breaks the promise."""
        some = list(found.items)
        owner = int(self.owner[some[0]])
        items = tuple(sorted(self.item[some].tolist()))
        size = int(published.class_sizes[owner])
        return ClassWitness(published.columns, found.rows, found.size, items, of=size)


def _reached(sizes: NDArray[np.int64], found: Answer) -> str:
    """Say how few share the worst class or itemset."""
    if not len(sizes):
        return "no records"
    smallest = int(sizes.min())
    if found.support is None or smallest < found.support:
        return f"k = {smallest}"
    sign = "=" if found.exact else "≥" if found.holds else "≤"
    return f"k {sign} {found.support}"
