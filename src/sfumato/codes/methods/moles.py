"""Itemsets that tell too much: the moles of Xu, Wang, Fu and Yu (KDD 2008), and codes that break them.

An itemset β of known codes is a mole when 0 < sup(β) < k, or when more than a share C of its records hold one
sensitive code outside β, or when the share of them that hold one lies further than t from its share in all
records. It is minimal when none of its subsets is a mole. Leaving a code out everywhere (global suppression)
changes no support of the itemsets that remain: once every minimal mole has lost a code there is no mole, so
they are found once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.question import Question
from sfumato.codes.sets import read_only
from sfumato.core.progress import Progress

_SLICE = 4_000_000
"""occurrences looked at between two notes of progress"""


@dataclass(frozen=True)
class Known:
    """What may be known of each record, and what must not be told: two ragged lists over one domain."""

    domain: int
    starts: NDArray[np.int64] = field(repr=False)
    items: NDArray[np.int32] = field(repr=False)
    told_starts: NDArray[np.int64] = field(repr=False)
    told: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(
        cls,
        starts: NDArray[np.int64],
        codes: NDArray[np.int32],
        may_be_known: NDArray[np.bool_],
        sensitive: NDArray[np.bool_],
    ) -> Known:
        """Take of every record the codes that may be known, and the sensitive ones."""
        return cls(len(sensitive), *_only(starts, codes, may_be_known), *_only(starts, codes, sensitive))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def without(self, codes: NDArray[np.int64]) -> Known:
        """Leave codes out everywhere."""
        kept = np.ones(self.domain, np.bool_)
        kept[codes] = False
        return Known(
            self.domain,
            *_only(self.starts, self.items, kept),
            *_only(self.told_starts, self.told, kept),
        )

    def telling_nothing(self) -> Known:
        """Leave out what must not be told."""
        return Known(
            self.domain,
            self.starts,
            self.items,
            read_only(np.zeros(len(self) + 1), np.int64),
            read_only(np.zeros(0), np.int32),
        )

    def singles(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Return the codes that occur as itemsets of one, and the records of each."""
        order = np.argsort(self.items, kind="stable")
        owner = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        supports = np.bincount(self.items, minlength=self.domain)
        codes = np.flatnonzero(supports)
        starts = np.concatenate([[0], np.cumsum(supports[codes])])
        return (
            read_only(codes.reshape(-1, 1), np.int32),
            read_only(starts, np.int64),
            read_only(owner[order], np.int32),
        )


Cohorts = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]
"""itemsets as rows, and ragged: the records that hold each"""


@dataclass(frozen=True)
class Closeness:
    """How far the sensitive codes of those who hold an itemset may be from those of all records.

    With N records, sup(β) = s and a bound t: | N · sup(β ∪ {e}) − s · sup({e}) | ≤ ⌊t · s · N⌋ = ``most[s]``,
    all of it in whole numbers. A code that nobody of them has counts with sup(β ∪ {e}) = 0.
    """

    known: Known = field(repr=False)
    totals: NDArray[np.int64] = field(repr=False)
    most: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, known: Known, spread: Fraction) -> Closeness:
        """Count the sensitive codes of all records."""
        records = len(known)
        totals = np.bincount(known.told, minlength=known.domain)
        return cls(
            known, read_only(totals, np.int64), read_only(_shares(spread * records, records), np.int64)
        )

    def split(
        self, sets: NDArray[np.int32], starts: NDArray[np.int64], tids: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], Cohorts]:
        """Return the itemsets whose records are too far from all, and the others with their records."""
        from sfumato.codes.methods._kernels_moles import far_from_all

        far = far_from_all(
            read_only(starts, np.int64), read_only(tids, np.int32), self.known.told_starts, self.known.told,
            self.totals, self.most,
        )  # fmt: skip
        lengths = np.diff(starts)
        begins = np.concatenate([[0], np.cumsum(lengths[~far])])
        return sets[far], (
            read_only(sets[~far], np.int32),
            read_only(begins, np.int64),
            read_only(tids[np.repeat(~far, lengths)], np.int32),
        )


def limits(question: Question, records: int) -> NDArray[np.int64]:
    """Return for each support how many of its records may hold one sensitive code; −1 for too few records.

    >>> from fractions import Fraction
    >>> from sfumato.codes.question import Family
    >>> half = Question(Family.UP_TO, support=2, size=1, confidence=Fraction(1, 2))
    >>> limits(half, 5).tolist()
    [-1, -1, 1, 1, 2, 2]
    """
    share = question.confidence
    if share is None:
        allowed = np.arange(records + 1)
    else:
        allowed = np.maximum(_shares(share, records, question.below), 0 if not question.below else -1)
    allowed[: min(question.support, records + 1)] = -1
    return read_only(allowed, np.int64)


def _shares(share: Fraction, records: int, below: bool = False) -> NDArray[np.int64]:
    """Return the greatest whole number up to (``below``: less than) a share of 0, 1, … records."""
    # Python's whole numbers where the product would not fit: the bound is exact in every case.
    large = max(share.numerator * records, share.denominator) >= 2**62
    supports = np.arange(records + 1)
    product = share.numerator * (supports.astype(object) if large else supports)
    reached = (product - 1) // share.denominator if below else product // share.denominator
    whole: NDArray[np.int64] = reached.astype(np.int64)
    return whole


def minimal_moles(known: Known, question: Question, size: int, progress: Progress) -> NDArray[np.int32]:
    """Return every minimal mole of at most ``size`` codes as a row, filled up with −1."""
    from sfumato.codes.methods._kernels_moles import index_of_sets, next_level

    limit = limits(question, len(known))
    close = None if question.spread is None else Closeness.of(known, question.spread)
    told = known if question.confidence is not None else known.telling_nothing()
    found = [_with_one_code(told, limit)]
    left = told.without(found[0][:, 0].astype(np.int64))
    sets, starts, tids = left.singles()
    if close is not None:
        far, (sets, starts, tids) = close.split(sets, starts, tids)
        found.append(far)
        left = left.without(far[:, 0].astype(np.int64))
    for level in range(2, size + 1):
        if not len(sets):
            break
        table = read_only(index_of_sets(sets), np.int64)
        # Each itemset is looked at through its records: slices of about equally many.
        cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]) + _SLICE, _SLICE)).clip(0, len(sets))
        parts: list[Cohorts] = []
        for low, high in zip(cuts.tolist(), [*cuts[1:].tolist(), len(sets)], strict=True):
            bad, held, begins, holders = next_level(
                low, high, sets, starts, tids, table, left.starts, left.items, left.told_starts,
                left.told, left.domain, limit, False, level < size or close is not None,
            )  # fmt: skip
            found.append(bad)
            rest: Cohorts = held, begins, holders
            if close is not None:
                far, rest = close.split(*rest)
                found.append(far)
            if level < size:
                parts.append(rest)
            progress.update(high / len(sets), f"itemsets of {level} codes")
        if level < size:
            sets = read_only(np.concatenate([part[0] for part in parts]), np.int32)
            lengths = np.concatenate([np.diff(part[1]) for part in parts])
            starts = read_only(np.concatenate([[0], np.cumsum(lengths)]), np.int64)
            tids = read_only(np.concatenate([part[2] for part in parts]), np.int32)
    return stacked(found)


def stacked(found: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    """Put rows of several widths under each other, filled up with −1."""
    width = max(part.shape[1] for part in found)
    rows = np.full((sum(len(part) for part in found), width), -1, np.int32)
    at = 0
    for part in found:
        rows[at : at + len(part), : part.shape[1]] = part
        at += len(part)
    return rows


def codes_that_break(
    rows: NDArray[np.int32], loss: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], int]:
    """Choose codes so that every row has one, those in most rows for their loss first.

    Also returns how many rows hold no code that may be chosen.

    >>> rows = np.array([[0, 1], [1, 2], [2, -1]])
    >>> codes_that_break(rows, np.array([1, 1, 3]), np.array([True, True, True]))
    (array([1, 2]), 0)
    """
    from sfumato.codes.methods._kernels_moles import break_all

    chosen, hopeless = break_all(
        read_only(rows, np.int32), read_only(np.maximum(loss, 1), np.int64), read_only(allowed, np.bool_)
    )
    return chosen, int(hopeless)


def joint_counts(known: Known) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Count the records that hold a known and another, sensitive code: the two codes, and how many."""
    lengths = np.diff(known.starts)
    told_by = np.repeat(np.arange(len(known)), np.diff(known.told_starts))
    each = lengths[told_by]
    offset = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
    first = known.items[np.repeat(known.starts[told_by], each) + offset].astype(np.int64)
    second = np.repeat(known.told.astype(np.int64), each)
    keys, number = np.unique((first * known.domain + second)[first != second], return_counts=True)
    return keys // max(known.domain, 1), keys % max(known.domain, 1), number


def _with_one_code(known: Known, limit: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the moles of one code."""
    supports = np.bincount(known.items, minlength=known.domain)
    bad = (supports > 0) & (limit[supports] < 0)
    first, _, together = joint_counts(known)
    bad[first[together > limit[supports[first]]]] = True
    return np.flatnonzero(bad).astype(np.int32).reshape(-1, 1)


def _only(
    starts: NDArray[np.int64], codes: NDArray[np.int32], wanted: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Keep some codes in every record."""
    kept = wanted[codes]
    before = np.concatenate([[0], np.cumsum(kept)])
    return read_only(before[starts], np.int64), read_only(codes[kept], np.int32)
