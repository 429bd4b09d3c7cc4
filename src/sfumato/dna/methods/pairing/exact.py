"""The pairing of least loss of all: minimum-weight perfect matching (Edmonds 1965).

Solved by PyMatching (Higgott and Gidney 2023; extra ``matching``), which matches marked nodes of a graph by
shortest paths. With all nodes marked this is a matching by distances as long as no way round is shorter than
an edge. Distances of a lattice are a metric, so that holds. Where a person has several rows, some pairs are
forbidden and their weight is prohibitive; then, and where the distance is no metric, the same is added to
every edge: each pairing has as many edges as any other, and no way of two edges is shorter than one.

Of an odd number of rows one is left over and joins the pair that it adds least to. Which one is chosen as if
it joined two rows like the one nearest to it: the pairing of the others is exact, the choice need not be.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, MissingPart
from sfumato.dna.methods._kernels_bits import Groups
from sfumato.dna.methods.pairing.distances import Bits
from sfumato.dna.methods.pairing.groups import grouped, merge_left_over

MOST_ROWS = 5000
"""of different rows: the graph has an edge for every two"""
MOST_WEIGHT = 2**23
"""whole numbers up to here are exact in PyMatching"""


def exact(bits: Bits, owner: NDArray[np.int64]) -> Groups:
    """Pair rows of different persons at the least sum of distances."""
    n = len(bits)
    repeated = len(np.unique(owner)) < n
    group = np.arange(n, dtype=np.int64)
    left = group if repeated or not bits.metric else _pair_identical(bits, group)
    if len(left) > MOST_ROWS:
        raise BadInput(
            f"exact pairing is for {MOST_ROWS:,} different rows at most and there are {len(left):,}",
            remedy="take pairing: closest-first",
        )
    for i, j in left[_matched(bits, owner, left, repeated)].tolist():
        if owner[i] != owner[j]:
            group[j] = group[i]
    groups = grouped(bits, owner, 2, group)
    merge_left_over(groups)
    return groups


def _pair_identical(bits: Bits, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pair identical rows, which costs nothing and by the triangle inequality is never wrong; return the
    rows that are left, at most one of each."""
    as_bytes = bits.words.view(np.dtype((np.void, 8 * bits.words.shape[1]))).ravel()
    _, point = np.unique(as_bytes, return_inverse=True)
    order = np.argsort(point, kind="stable")
    place = np.arange(len(order)) - np.searchsorted(point[order], point[order])
    second = np.flatnonzero(place % 2)
    group[order[second]] = group[order[second - 1]]
    alone = np.ones(len(order), np.bool_)
    alone[second] = alone[second - 1] = False
    return np.sort(order[alone]).astype(np.int64)


def _matched(
    bits: Bits, owner: NDArray[np.int64], rows: NDArray[np.int64], repeated: bool
) -> NDArray[np.int64]:
    """Return pairs of places in ``rows``; of an odd number one is in none."""
    n = len(rows)
    if n < 2:
        return np.empty((0, 2), np.int64)
    weights = Bits(np.ascontiguousarray(bits.words[rows]), bits.plus).distances().astype(np.int64)
    if n % 2:
        joining = np.sort(weights + np.diag(np.full(n, weights.max())), axis=1)[:, 0] * 3 // 2
        weights = np.block([[weights, joining[:, None]], [joining[None, :], np.zeros((1, 1), np.int64)]])
    if repeated:
        alike = np.zeros(weights.shape, np.bool_)
        alike[:n, :n] = owner[rows][:, None] == owner[rows][None, :]
        weights = np.where(alike, int(weights.max()) * len(weights) + 1, weights)
    if repeated or n % 2 or not bits.metric:
        weights += int(np.abs(weights).max())
    if weights.max() >= MOST_WEIGHT:
        raise BadInput("the distances are too large for exact pairing", remedy="take pairing: closest-first")
    pairs = _solved(weights)
    return pairs[(pairs < n).all(axis=1)]


def _solved(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pair all nodes of a complete graph at the least sum of weights."""
    try:
        import pymatching
        from scipy.sparse import csc_matrix
    except ImportError:
        raise MissingPart(
            "exact pairing needs PyMatching", remedy="pip install 'sfumato[matching]'"
        ) from None
    n = len(weights)
    one, two = np.triu_indices(n, 1)
    ends = np.stack([one, two], axis=1).ravel()
    graph: Any = csc_matrix(
        (np.ones(len(ends), np.uint8), ends, np.arange(0, len(ends) + 1, 2)), shape=(n, len(one))
    )
    matching = pymatching.Matching.from_check_matrix(graph, weights=weights[one, two].astype(np.float64))
    pairs: NDArray[np.int64] = matching.decode_to_matched_dets_array(np.ones(n, np.uint8)).astype(np.int64)
    return pairs
