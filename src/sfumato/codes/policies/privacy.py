"""PPE: the privacy constraints that data themselves call for.

Privacy policy extraction after G. Loukides, A. Gkoulalas-Divanis and B. Malin, "Anonymization of electronic
medical records for validating genome-wide association studies" (PNAS 2010): what hospital discharge
summaries show of a visit, or a whole history, is what an adversary may know of a patient.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Constraint
from sfumato.codes.policies.support import itemsets_over, supports
from sfumato.codes.sets import CodeSets, Visits, slots_of
from sfumato.core.errors import BadInput

_WHERE = "extracting privacy constraints"
MOST_ITEMSETS = 20_000_000
"""more itemsets than this are not listed: the policy would be larger than the data"""


@dataclass(frozen=True)
class PrivacyPolicy:
    """Privacy constraints that were extracted. Its print shows counts alone: the codes are the steward's.

    ``looked_at`` counts the different itemsets that were looked at, ``rare`` those that fewer than k records
    hold; ``constraints`` are those of them that lie in no other one.
    """

    constraints: tuple[Constraint, ...] = field(repr=False)
    looked_at: int
    rare: int

    def __len__(self) -> int:
        return len(self.constraints)


def extract_privacy_constraints(
    sets: CodeSets,
    k: int,
    *,
    visits: Visits | None = None,
    codes: Iterable[str] | None = None,
    size: int | None = None,
) -> PrivacyPolicy:
    """List what may be known of a person and is held by fewer than k people.

    What may be known is the whole set of each person, or of each visit when ``visits`` are given; with
    ``codes`` only the part of it that lies in them; with ``size`` any so many codes of it (all of it where it
    has fewer). Support is counted in the sets of people. Itemsets inside another one are left out: who keeps
    the larger one protects the smaller, in the strict wording.

    >>> sets = CodeSets.of([["a", "b", "c"], ["a", "b"], ["a", "c"], ["a", "d"]])
    >>> extract_privacy_constraints(sets, 2).constraints
    (('a', 'b', 'c'), ('a', 'd'))
    >>> extract_privacy_constraints(sets, 2, size=2).constraints
    (('a', 'd'), ('b', 'c'))
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise BadInput("k must be a whole number of at least 2", where=_WHERE, remedy="try k: 5")
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
        raise BadInput(
            "size must be a whole number of at least 1", where=_WHERE, remedy="leave it out for all"
        )
    known = sets if visits is None else visits.sets
    if known.domain != sets.domain:
        raise BadInput("visits and people do not have the same codes", where=_WHERE)
    kept = np.ones(len(sets.domain), np.bool_)
    if codes is not None:
        wanted = list(codes)
        kept = np.isin(np.arange(len(sets.domain)), sets.positions(wanted))
        if not kept.any():
            raise BadInput("none of the identifying codes occurs in the data", where=_WHERE)
    itemsets = _whole_sets(known, kept) if size is None else _parts(known, kept, size)
    rare = itemsets.take(np.flatnonzero(supports(sets, itemsets, k) < k))
    # An itemset as long as the longest lies in no other one.
    lengths = np.diff(rare.starts)
    shorter = np.flatnonzero(lengths < lengths.max(initial=0))
    inside = np.zeros(len(rare), np.bool_)
    inside[shorter] = supports(rare, rare.take(shorter), 2) > 1
    constraints = rare.take(np.flatnonzero(~inside))
    return PrivacyPolicy(tuple(sorted(constraints)), len(itemsets), len(rare))


def _restricted(known: CodeSets, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the sets with only the codes that are kept."""
    inside = kept[known.codes]
    starts = np.zeros(len(known) + 1, np.int64)
    np.cumsum(np.bincount(slots_of(known.starts)[inside], minlength=len(known)), out=starts[1:])
    return starts, known.codes[inside]


def _whole_sets(known: CodeSets, kept: NDArray[np.bool_]) -> CodeSets:
    """Return the different sets, without the empty one."""
    starts, codes = _restricted(known, kept)
    listed, cuts = codes.tolist(), starts.tolist()
    return itemsets_over(known.domain, sorted({tuple(listed[a:b]) for a, b in pairwise(cuts) if a < b}))


def _parts(known: CodeSets, kept: NDArray[np.bool_], size: int) -> CodeSets:
    """Return every different choice of ``size`` codes of a set, and whole sets that are smaller."""
    starts, codes = _restricted(known, kept)
    lengths = np.diff(starts)
    number = sum(
        comb(int(n), size) * int(c) for n, c in zip(*np.unique(lengths, return_counts=True), strict=True)
    )
    if number > MOST_ITEMSETS:
        raise BadInput(
            f"there are {number} choices of {size} codes, more than {MOST_ITEMSETS}",
            where=_WHERE,
            remedy="choose a smaller size, name identifying codes, or use k-m-anonymity",
        )
    few = np.flatnonzero((lengths > 0) & (lengths < size))
    small = {tuple(codes[starts[r] : starts[r + 1]].tolist()) for r in few}
    chosen = [np.empty((0, size), np.int32)]
    for length in np.unique(lengths[lengths >= size]).tolist():
        rows = np.flatnonzero(lengths == length)
        block = codes[starts[rows][:, None] + np.arange(length)]
        picks = np.array(list(combinations(range(length), size)))
        for some in np.array_split(np.arange(len(rows)), max(1, len(rows) * len(picks) // 1_000_000)):
            chosen.append(_different(block[some][:, picks].reshape(-1, size), len(known.domain)))
    large = _different(np.concatenate(chosen), len(known.domain))
    collected = itemsets_over(known.domain, sorted(small))
    return CodeSets(
        known.domain,
        np.concatenate([collected.starts, collected.starts[-1] + size * np.arange(1, len(large) + 1)]),
        np.concatenate([collected.codes, large.ravel()]),
    )


def _different(rows: NDArray[np.int32], domain: int) -> NDArray[np.int32]:
    """Return the different rows; where they fit into one number each, by sorting these."""
    size = rows.shape[1]
    if domain**size >= 2**62:
        return np.unique(rows, axis=0)
    radix = np.array([domain**place for place in range(size - 1, -1, -1)], np.int64)
    keys = np.unique(rows.astype(np.int64) @ radix)
    return (keys[:, None] // radix % domain).astype(np.int32)
