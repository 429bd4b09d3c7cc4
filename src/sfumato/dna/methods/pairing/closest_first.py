"""Closest first: clusters of rows merge, those first whose merging adds least to the loss.

For k = 2 this is the pairing of the closest two rows that are left, again and again, but that a row joins a
pair where this is better than what is left. Identical rows of k persons or more cost nothing: they begin as
groups of their own, which others may join and whose surplus rows may leave (``exchange``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.methods._kernels_bits import Groups
from sfumato.dna.methods._kernels_pairing import merge_closest
from sfumato.dna.methods.pairing.distances import Bits
from sfumato.dna.methods.pairing.groups import grouped, merge_left_over
from sfumato.dna.methods.pairing.neighbours import Points


def closest_first(bits: Bits, owner: NDArray[np.int64], k: int, points: Points) -> Groups:
    """Merge points into groups of at least k persons."""
    groups = grouped(bits, owner, k, identical(points.of_row, owner, k))
    merge_closest(groups, *points.edges, False)
    merge_left_over(groups)
    return groups


def identical(of_row: NDArray[np.int64], owner: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Deal identical rows to as many groups as can have k persons each; all to one where none can.

    >>> identical(np.array([0, 0, 0, 0, 1]), np.array([0, 1, 2, 3, 4]), 2).tolist()
    [0, 1, 0, 1, 2]
    """
    held, pair_of_row = np.unique(np.stack([of_row, owner]), axis=1, return_inverse=True)
    point, persons = held[0], np.bincount(held[0])
    place = np.arange(len(point)) - np.searchsorted(point, point)
    deals = np.maximum(1, persons // k)
    first = np.concatenate([[0], np.cumsum(deals)[:-1]])
    dealt: NDArray[np.int64] = (first[point] + place % deals[point])[pair_of_row.ravel()]
    return dealt.astype(np.int64)
