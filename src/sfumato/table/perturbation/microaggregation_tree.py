"""Lay records out for the kernels of microaggregation: a tree of boxes, and blocks of neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.table.perturbation._kernels_microaggregation import LEAF

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


class Tree(NamedTuple):
    """Records in leaves, boxes around them; ``kinds`` says how each column counts in a distance."""

    values: F64
    records: I64
    left: I64
    low: F64
    high: F64
    leaf_of: I64
    place_of: I64
    kinds: I64
    stack: I64
    reach: F64
    distances: F64
    looks: I64
    """records that were measured in search of the furthest"""


class Crowd(NamedTuple):
    """Whose the records are: ``owner[record]``, how many records of each are left, all distinct or not."""

    owner: I64
    left: I64
    alone: I64


class Found(NamedTuple):
    """Nearest records, one for each person, nearest first; then all that are taken."""

    distances: F64
    records: I64
    taken: I64


class Middle(NamedTuple):
    """What the centre of the remaining records is computed from: sums, or how often each category is."""

    sums: F64
    counts: I64
    offsets: I64


class Rings(NamedTuple):
    """Records from the outside in, as seen from a fixed point that the centre does not stray far from.

    ``far[i]`` is how far ``order[i]`` lies from ``point``; ``values`` are blocks of records in that
    order, laid out as leaves are. ``work`` holds the first block that has records left, how many
    records are in the list, how many were measured since it was made, and the number of the round;
    ``costs`` what the last searches for the furthest cost in the tree and here.
    """

    point: F64
    order: I64
    far: F64
    values: F64
    work: I64
    costs: I64


def halved(data: F64, parts: int) -> list[I64]:
    """Part records into 2^m ≥ ``parts`` sets of equal size (± 1), at the median of the widest column.

    >>> [sorted(part.tolist()) for part in halved(np.array([[9.0], [1.0], [8.0], [2.0]]), 2)]
    [[1, 3], [0, 2]]
    """
    found = [np.arange(len(data), dtype=np.int64)]
    while len(found) < parts:
        found = [half for members in found for half in _halves(data, members)]
    return found


def _halves(data: F64, members: I64) -> tuple[I64, I64]:
    middle = len(members) // 2
    if middle == 0:
        return members, members[:0]
    some = data[members]
    widest = int(np.argmax(some.max(axis=0) - some.min(axis=0)))
    order = np.argpartition(some[:, widest], middle)
    return members[order[:middle]], members[order[middle:]]


def tree_of(data: F64, kinds: I64) -> Tree:
    """Build the tree over all rows of ``data``."""
    n, columns = data.shape
    leaves = 1
    while leaves * LEAF < n:
        leaves *= 2
    values = np.zeros((leaves, columns, LEAF), np.float64)
    records = np.zeros((leaves, LEAF), np.int64)
    left = np.zeros(2 * leaves - 1, np.int64)
    low = np.full((2 * leaves - 1, columns), np.inf)
    high = np.full((2 * leaves - 1, columns), -np.inf)
    leaf_of = np.empty(n, np.int64)
    place_of = np.empty(n, np.int64)
    for leaf, members in enumerate(halved(data, leaves)):
        size = len(members)
        node = leaf + leaves - 1
        records[leaf, :size] = members
        leaf_of[members] = leaf
        place_of[members] = np.arange(size)
        left[node] = size
        if size:
            values[leaf, :, :size] = data[members].T
            low[node], high[node] = data[members].min(axis=0), data[members].max(axis=0)
    for node in range(leaves - 2, -1, -1):
        children = [2 * node + 1, 2 * node + 2]
        left[node] = left[children].sum()
        low[node], high[node] = low[children].min(axis=0), high[children].max(axis=0)
    deep = 2 * leaves.bit_length() + 4
    return Tree(
        values,
        records,
        left,
        low,
        high,
        leaf_of,
        place_of,
        kinds,
        np.zeros(deep, np.int64),
        np.zeros(deep, np.float64),
        np.zeros(LEAF, np.float64),
        np.zeros(1, np.int64),
    )
