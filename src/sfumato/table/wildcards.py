"""Frequencies under the wildcard reading: a missing value agrees with every value.

M. Templ, A. Kowarik and B. Meindl, "Statistical disclosure control for micro-data using the R package
sdcMicro" (2015). Two records match when in every column their values are equal or one of them is missing,

    f(r) = number of records (r included) that match r.

Matching is not transitive, so there are no classes: a record may match two that do not match each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_LARGEST = 2**62
"""keys below this fit into 64 bits, with room to spare"""


def wildcard_frequencies(
    codes: NDArray[np.integer], missing: NDArray[np.bool_], weights: NDArray[np.integer] | None = None
) -> Ints:
    """Count for each record the records that match it.

    ``codes[j, r]`` is the value of record r in column j and ``missing[j, r]`` says that there is none.
    ``weights[r]`` counts record r so many times (once without).

    Records with the same missing columns are one pattern. Two patterns are compared by the columns
    that both of them have: there the records agree or not, and this is counted by sorting.

    >>> codes = np.array([[0, 0, 1], [5, 6, 6]])
    >>> missing = np.array([[False, False, False], [False, True, False]])
    >>> wildcard_frequencies(codes, missing)
    array([2, 2, 1])
    """
    records = codes.shape[1]
    counted = np.ones(records, np.int64) if weights is None else np.asarray(weights, np.int64)
    frequencies = np.zeros(records, np.int64)
    dense = _dense(codes, missing)
    patterns, pattern_of = np.unique(missing, axis=1, return_inverse=True)
    pattern_of = pattern_of.reshape(-1)
    members = [np.flatnonzero(pattern_of == p) for p in range(patterns.shape[1])]
    for p, mine in enumerate(members):
        for q in range(p + 1):
            theirs = members[q]
            both = np.flatnonzero(~(patterns[:, p] | patterns[:, q]))
            some = mine if p == q else np.concatenate([mine, theirs])
            key = _numbered(dense[both][:, some])
            size = int(key.max(initial=-1)) + 1
            ours, others = key[: len(mine)], key[: len(mine)] if p == q else key[len(mine) :]
            frequencies[mine] += _sums(others, counted[theirs], size)[ours]
            if p != q:
                frequencies[theirs] += _sums(ours, counted[mine], size)[others]
    return frequencies


def _dense(codes: NDArray[np.integer], missing: NDArray[np.bool_]) -> Ints:
    """Number the values of each column from 0; what stands where a value is missing plays no part."""
    dense = np.zeros(codes.shape, np.int64)
    for j, column in enumerate(codes):
        _, dense[j] = np.unique(np.where(missing[j], column.min(initial=0), column), return_inverse=True)
    return dense


def _numbered(columns: Ints) -> Ints:
    """Number the different columns of a matrix."""
    number = np.zeros(columns.shape[1], np.int64)
    room = 1
    for row in columns:
        values = int(row.max(initial=0)) + 1
        if room * values >= _LARGEST:
            _, number = np.unique(number, return_inverse=True)
            room = int(number.max(initial=0)) + 1
        number = number * values + row
        room *= values
    _, number = np.unique(number, return_inverse=True)
    return number


def _sums(numbers: Ints, weights: Ints, size: int) -> Ints:
    total = np.zeros(size, np.int64)
    np.add.at(total, numbers, weights)
    return total
