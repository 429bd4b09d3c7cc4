"""Who belongs together: what became of communities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network

_ROUNDS = 50


@dataclass(frozen=True)
class Communities:
    """How far the communities of what was published are from those of the original.

        1 − ARI,  ARI the adjusted Rand index (Hubert & Arabie 1985) of two partitions of the nodes

    Communities are those of Blondel, Guillaume, Lambiotte and Lefebvre (2008), "Louvain": nodes move while
    modularity grows, communities become nodes, and so on. The order of moves is drawn with ``seed``, the same
    for both. Such searches are restless: ``ARI of two runs on the original`` in the details compares another
    order with the first, and says how much of the value is due to the search. The details also have the
    normalised mutual information of both.

    None for a grouping, which does not say which node is which, and for an original without edges.

    >>> two = Network.of_edges(6, np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [2, 3]]))
    >>> Communities().of(two, two).value, communities(two).tolist()
    (0.0, [0, 0, 0, 1, 1, 1])
    """

    seed: int = 1
    name: ClassVar[str] = "communities"
    title: ClassVar[str] = "change of communities"
    range: ClassVar[str] = "0 … about 1"
    meaning: ClassVar[str] = "1 minus the adjusted Rand index of the communities before and after"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the communities."""
        if not isinstance(published, Network) or not original.edges:
            return None
        if published.nodes < original.nodes:
            raise AssertionError("node v of what is published is node v of the original")
        before, again = communities(original, self.seed), communities(original, self.seed + 1)
        after = communities(published, self.seed)
        common = after[: original.nodes]
        return Measured(
            1 - adjusted_rand_index(before, common),
            {
                "communities before": len(np.unique(before)),
                "communities after": len(np.unique(after)),
                "modularity before": modularity(original, before),
                "modularity after": modularity(published, after),
                "normalised mutual information": mutual_information(before, common),
                "ARI of two runs on the original": adjusted_rand_index(before, again),
            },
        )


def communities(network: Network, seed: int = 1) -> NDArray[np.int64]:
    """Return the community of each node, numbered from 0 in the order of their first nodes."""
    from sfumato.graph.utility._kernels_communities import move_nodes

    generator = np.random.default_rng(seed)
    member = np.arange(network.nodes, dtype=np.int64)
    offsets, neighbours = np.array(network.offsets), network.neighbours.astype(np.int64)
    weights, loops = np.ones(len(neighbours)), np.zeros(network.nodes)
    while len(neighbours):
        number = np.arange(len(loops), dtype=np.int64)
        order = generator.permutation(len(loops)).astype(np.int64)
        if not move_nodes(offsets, neighbours, weights, loops, order, number, _ROUNDS):
            break
        _, number = np.unique(number, return_inverse=True)
        member = number[member]
        offsets, neighbours, weights, loops = _merged(offsets, neighbours, weights, loops, number)
    _, first, number = np.unique(member, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), np.int64)
    in_order[np.argsort(first)] = np.arange(len(first))
    return in_order[number]


_Weighted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]


def _merged(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    weights: NDArray[np.float64],
    loops: NDArray[np.float64],
    number: NDArray[np.int64],
) -> _Weighted:
    """Make a node of each community; what is inside becomes a loop."""
    many = int(number.max()) + 1
    starts = np.repeat(number, np.diff(offsets))
    ends = number[neighbours]
    inner = np.bincount(number, loops, many).astype(np.float64)
    same = starts == ends
    inner += np.bincount(starts[same], weights[same], many)
    keys, place = np.unique(starts[~same] * many + ends[~same], return_inverse=True)
    between = np.bincount(place, weights[~same], len(keys)).astype(np.float64)
    counts = np.bincount(keys // many, minlength=many)
    merged: NDArray[np.int64] = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return merged, keys % many, between, inner


def modularity(network: Network, member: NDArray[np.int64]) -> float:
    """Return the share of edges inside communities beyond that expected by degrees (Newman & Girvan 2004)."""
    if not network.edges:
        return 0.0
    starts = np.repeat(member, network.degrees())
    inside = int(np.count_nonzero(starts == member[network.neighbours]))
    total = len(network.neighbours)
    degrees = np.bincount(member, network.degrees())
    return inside / total - float(((degrees / total) ** 2).sum())


def adjusted_rand_index(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return how far two partitions agree on pairs: 1 for equal ones, 0 on average for those by chance.

    >>> adjusted_rand_index(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    both, first, second = _counts(one, other)
    pairs = len(one) * (len(one) - 1) // 2
    in_both, in_first, in_second = _pairs(both), _pairs(first), _pairs(second)
    if in_first == in_second and in_first in (0, pairs):
        return 1.0
    expected = Fraction(in_first * in_second, pairs)
    return float((in_both - expected) / (Fraction(in_first + in_second, 2) - expected))


def mutual_information(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return 2·I / (H + H') of two partitions, 1 where both put everybody together.

    >>> mutual_information(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.0
    """
    both, first, second = (_entropy(counts) for counts in _counts(one, other))
    if not first + second:
        return 1.0
    return max(0.0, 2 * (first + second - both) / (first + second))


def _counts(
    one: NDArray[np.int64], other: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    _, joint = np.unique(one * (int(other.max()) + 1) + other, return_counts=True)
    first, second = np.bincount(one), np.bincount(other)
    return joint, first[first > 0], second[second > 0]


def _pairs(counts: NDArray[np.int64]) -> int:
    return sum(many * (many - 1) // 2 for many in counts.tolist())


def _entropy(counts: NDArray[np.int64]) -> float:
    total = int(counts.sum())
    return math.fsum(many / total * math.log(total / many) for many in counts.tolist())
