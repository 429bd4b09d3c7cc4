"""How many records hold the itemsets of a policy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.policies._kernels_support import supports_of
from sfumato.codes.sets import CodeSets, slots_of


def itemsets_over(domain: Sequence[str], itemsets: Sequence[Sequence[int]]) -> CodeSets:
    """Lay itemsets out like records; the codes of each ascend."""
    starts = np.zeros(len(itemsets) + 1, np.int64)
    np.cumsum([len(itemset) for itemset in itemsets], out=starts[1:])
    return CodeSets(
        tuple(domain), starts, np.array([code for itemset in itemsets for code in itemset], np.int32)
    )


def supports(records: CodeSets, itemsets: CodeSets, enough: int) -> NDArray[np.int64]:
    """Count the records that hold each itemset, at most up to ``enough``; nobody holds the empty one.

    >>> sets = CodeSets.of([["a", "b"], ["a"], ["b"]])
    >>> supports(sets, itemsets_over(sets.domain, [(0,), (0, 1)]), 5).tolist()
    [2, 1]
    """
    holder_starts = np.zeros(len(records.domain) + 1, np.int64)
    np.cumsum(records.supports, out=holder_starts[1:])
    return supports_of(
        records.starts,
        records.codes,
        holder_starts,
        slots_of(records.starts)[np.argsort(records.codes, kind="stable")],
        itemsets.starts,
        itemsets.codes,
        min(enough, len(records) + 1),
    )
