"""Average relative error of COUNT queries over codes, answered from the release.

G. Loukides, A. Gkoulalas-Divanis & B. Malin, "Anonymization of electronic medical records for validating
genome-wide association studies" (PNAS, 2010) and COAT (2011) ask how many records hold all codes of a set;
the measure is that of K. LeFevre, D. DeWitt & R. Ramakrishnan, "Workload-aware anonymization" (KDD, 2006).

An item of n codes says that its record holds at least one of them. With every non-empty subset equally
likely, r given codes of it are all in the record with chance 2^(n−r) / (2^n − 1); for n = 2, r = 1 that is
2/3. Items of one record are taken as independent, so

    est(q) = Σ_records Π_items P(codes of q in the item),      RE(q) = |act(q) − est(q)| / max(act(q), δ).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.possible_worlds import possible_original
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.codes.utility._kernels_covers import expected_counts
from sfumato.codes.utility.frequent import Transactions, frequent_itemsets
from sfumato.codes.utility.workload import Itemset, Queries, drawn_itemsets
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured


class Reading(StrEnum):
    """How a COUNT reads an item of several codes."""

    NON_EMPTY_SUBSET = "non-empty-subset"
    """every non-empty subset of its codes is equally likely"""
    UNIFORM = "uniform"
    """each of its n codes is there with chance 1/n, independently"""


def counted(
    published: PublishedSets, queries: Sequence[Sequence[str]], reading: Reading = Reading.NON_EMPTY_SUBSET
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Answer COUNT queries: the expected number of records, and how many records could match.

    A record could match when every code of the query lies under one of its items (a leaf match). A code that
    no item knows is held by nobody; a query of no codes counts every record.

    >>> published = PublishedSets.of([[["401.1", "401.2"]], [["401.1", "401.2"], "401.3"], ["401.3"]])
    >>> expected, possible = counted(published, [["401.2"], ["401.1", "401.2"], ["401.3", "401.2"]])
    >>> expected.round(3).tolist(), possible.tolist()
    ([1.333, 0.667, 0.667], [2, 2, 1])
    """
    items = published.items
    place = {code: position for position, code in enumerate(items.domain)}
    asked = Queries.of([[place.get(code, -1) for code in dict.fromkeys(query)] for query in queries])
    cover_starts, cover_items = _turned(items.starts, items.codes, len(items.domain))
    holder_starts, holders = _turned(published.starts, published.shown, len(items))
    expected, possible = expected_counts(
        asked.starts,
        asked.codes,
        cover_starts,
        cover_items,
        holder_starts,
        holders,
        items.sizes,
        len(published),
        reading is Reading.UNIFORM,
    )
    nothing = np.diff(asked.starts) == 0
    return np.where(nothing, float(len(published)), expected), np.where(nothing, len(published), possible)


def _turned(
    starts: NDArray[np.int64], values: NDArray[np.int32], number: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Turn a ragged array around: for every value the rows that hold it, ascending."""
    order = np.argsort(values, kind="stable")
    turned = np.zeros(number + 1, np.int64)
    np.cumsum(np.bincount(values, minlength=number), out=turned[1:])
    return read_only(turned, np.int64), read_only(slots_of(starts)[order], np.int32)


@dataclass(frozen=True)
class QueryError:
    """The mean over a workload of the relative error of COUNT queries (ARE, AvgRE).

    The workload is ``given`` (sets of codes), or with ``share`` the itemsets of up to ``largest`` codes that
    at least this share of the records hold (``queries`` of them drawn when there are more), else ``queries``
    itemsets of 1 to ``largest`` codes drawn from the records. ``sanity`` is δ, the scale for rare itemsets,
    as a share of the records: 0 divides by the true count. Queries that count nobody in the original are
    scaled by one record. Disassociated sets are answered by the mean over ``worlds`` originals that they may
    have come from.

    It says how well counts survive; drawn itemsets are mostly rare ones, on which any protection errs most.

    >>> original = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"]])
    >>> published = PublishedSets.of([[["401.0", "401.2"], "401.1"], [["401.0", "401.2"], "401.3"]])
    >>> round(QueryError(given=(("401.2",),)).of(original, published).value, 3)
    0.333
    """

    queries: int = 1000
    largest: int = 4
    share: float | None = None
    given: tuple[tuple[str, ...], ...] = ()
    reading: str = Reading.NON_EMPTY_SUBSET.value
    sanity: float = 0.0
    seed: int = 0
    worlds: int = 5
    name: ClassVar[str] = "query-error"
    title: ClassVar[str] = "average relative error of queries (ARE)"
    range: ClassVar[str] = "0 …"
    meaning: ClassVar[str] = "by which part of the true count a count of code sets from the release is off"

    def __post_init__(self) -> None:
        if min(self.queries, self.largest, self.worlds) < 1:
            raise BadInput("queries, largest and worlds must be at least 1", where=self.name)
        if self.share is not None and not 0 < self.share <= 1:
            raise BadInput("share must lie between 0 and 1", where=self.name, remedy="for example 0.1")
        if not 0 <= self.sanity <= 1:
            raise BadInput("sanity must lie between 0 and 1", where=self.name, remedy="for example 0.001")
        if self.reading not in set(Reading):
            raise BadInput(
                "there are two readings of an item",
                where=self.name,
                remedy=f"choose {' or '.join(Reading)}",
            )
        if any(not query for query in self.given):
            raise BadInput("a query needs at least one code", where=self.name)

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Answer the workload from both; None where no itemset is frequent enough to ask for."""
        if not original.occurrences:
            return None
        if len(original) != len(published):
            raise BadInput(
                f"the original has {len(original):,} records and the release {len(published):,}",
                where=self.name,
                remedy="compare the release with the data that it was made from",
            )
        asked = self.workload(original)
        if not asked:
            return None
        actual, _ = counted(PublishedSets.as_it_is(original), asked)
        expected = self._answers(published, asked)
        return relative_errors(actual, expected, float(Fraction(str(self.sanity)) * len(original)))

    def _answers(
        self, published: PublishedSets | Disassociated, asked: Sequence[Sequence[str]]
    ) -> NDArray[np.float64]:
        if isinstance(published, PublishedSets):
            return counted(published, asked, Reading(self.reading))[0]
        total = np.zeros(len(asked), np.float64)
        for draw in range(self.worlds):
            world = PublishedSets.as_it_is(possible_original(published, self.seed + draw))
            total += counted(world, asked)[0]
        return total / self.worlds

    def workload(self, original: CodeSets) -> list[tuple[str, ...]]:
        """Return the queries, as codes."""
        if self.given:
            return list(self.given)
        chosen: list[Itemset]
        if self.share is None:
            chosen = drawn_itemsets(original, self.queries, range(1, self.largest + 1), self.seed)
        else:
            exact = Fraction(str(self.share)) * len(original)
            support = max(-(-exact.numerator // exact.denominator), 1)
            data = Transactions(original.starts, original.codes, len(original.domain))
            chosen = list(frequent_itemsets(data, support, self.largest))
            if len(chosen) > self.queries:
                picked = np.random.default_rng(self.seed).choice(len(chosen), self.queries, replace=False)
                chosen = [chosen[place] for place in np.sort(picked)]
        return [tuple(original.domain[code] for code in itemset) for itemset in chosen]


def relative_errors(
    actual: NDArray[np.float64], expected: NDArray[np.float64], sanity: float = 0.0
) -> Measured:
    """Average |act − est| / max(act, δ); where nothing is counted and δ = 0, one record is the scale.

    >>> relative_errors(np.array([1.0, 4.0]), np.array([2.0, 4.0])).value
    0.5
    """
    scale = np.maximum(actual, sanity)
    errors = np.abs(actual - expected) / np.where(scale > 0, scale, 1.0)
    return Measured(
        float(errors.mean()),
        {
            "queries": len(errors),
            "median": float(np.median(errors)),
            "worst": float(errors.max()),
        },
    )
