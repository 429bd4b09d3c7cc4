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
_FEW = 1000
"""one in so many nodes: where fewer move, a large network is as good as settled"""
_PASSES = 100


@dataclass(frozen=True)
class Communities:
    """How far the communities of what was published are from those of the original.

        1 − ARI,  ARI the adjusted Rand index (Hubert & Arabie 1985) of two partitions of the nodes

    Communities are those of Blondel, Guillaume, Lambiotte and Lefebvre (2008), "Louvain": nodes move while
    modularity grows, communities become nodes, and so on, in an order drawn with ``seed``. Such searches are
    restless: from nothing, another order finds others in the same network (``ARI of two runs on the
    original`` in the details). So that only what was changed counts, those of the original are settled until
    nothing is gained by a move, a union or a split (in large networks: until fewer than one in 1,000 move),
    and the search goes on from there in both networks alike: where nothing was changed, the value is 0. The
    details also have the normalised mutual information of both.

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
        found, again = communities(original, self.seed), communities(original, self.seed + 1)
        start = settled(original, found, self.seed)
        before = settled(original, start, self.seed)
        more = np.arange(original.nodes, published.nodes, dtype=np.int64)
        after = settled(published, np.concatenate([start, more]), self.seed)
        common = after[: original.nodes]
        return Measured(
            1 - adjusted_rand_index(before, common),
            {
                "communities before": len(np.unique(before)),
                "communities after": len(np.unique(after)),
                "modularity before": modularity(original, before),
                "modularity after": modularity(published, after),
                "normalised mutual information": mutual_information(before, common),
                "ARI of two runs on the original": adjusted_rand_index(found, again),
            },
        )


def communities(network: Network, seed: int = 1) -> NDArray[np.int64]:
    """Return the community of each node, numbered from 0 in the order of their first nodes."""
    member, _ = _climbed(_weighted(network), np.random.default_rng(seed))
    return _in_order(member)


def settled(network: Network, member: NDArray[np.int64], seed: int = 1) -> NDArray[np.int64]:
    """Return communities that hang together and gain nothing by the move of a node, the union of two or a
    split, reached from others.

    Up to 1,000 nodes, whatever is settled stays as it is: splits are tried in one order only, and that no
    move and no union gains does not depend on the order. In larger networks a few may still move.

    >>> square = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]))
    >>> settled(square, np.array([7, 7, 9, 9])).tolist(), settled(square, np.array([7, 9, 7, 9])).tolist()
    ([0, 0, 1, 1], [0, 0, 1, 1])
    """
    from sfumato.graph.utility._kernels_communities import move_nodes

    generator = np.random.default_rng(seed)
    whole = _weighted(network)
    member = _in_order(member)
    for _ in range(_PASSES):
        parts = _split(network, connected_parts(network, member))
        changes = int(parts.max(initial=0)) - int(member.max(initial=0))
        member = parts
        if not network.edges:
            break
        # A node is looked at again when a neighbour moves; others gain, too, when a community shrinks.
        for _ in range(_PASSES):
            order = generator.permutation(network.nodes).astype(np.int64)
            moved = move_nodes(*whole, order, member, _ROUNDS, _FEW)
            changes += moved
            if not _many(moved, network):
                break
        member = _in_order(member)
        joined, merged = _climbed(_merged(*whole, member), generator)
        member = joined[member]
        if not _many(changes + merged, network):
            break
    return _in_order(member)


def _many(moved: int, network: Network) -> bool:
    return moved > 0 and moved * _FEW >= network.nodes


def connected_parts(network: Network, member: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return communities in which everybody can be reached through members: moves of single nodes leave some
    behind that do not hang together (V. Traag, L. Waltman and N. van Eck 2019).

    >>> path = Network.of_edges(4, np.array([[0, 1], [2, 3]]))
    >>> connected_parts(path, np.array([0, 0, 0, 1])).tolist()
    [0, 0, 1, 2]
    """
    from sfumato.graph.statistics import components

    offsets, within = _within(network, member)
    return components(Network(offsets, network.neighbours[within]))


def _split(network: Network, member: NDArray[np.int64]) -> NDArray[np.int64]:
    """Search for communities inside of each, from nothing, and keep those that are better than the whole."""
    if not network.edges:
        return member
    offsets, within = _within(network, member)
    degrees = network.degrees()
    # Edges that lead out of a community count for its nodes' strength alone, as loops do.
    outside = (degrees - np.diff(offsets)).astype(np.float64)
    neighbours = network.neighbours[within].astype(np.int64)
    inner, _ = _climbed((offsets, neighbours, np.ones(len(neighbours)), outside), np.random.default_rng(0))
    inner = _in_order(inner)
    total = len(network.neighbours)

    def worth(number: NDArray[np.int64]) -> NDArray[np.int64]:
        """Modularity of each community times total², in whole numbers."""
        starts = np.repeat(number, degrees)
        inside = np.bincount(starts[starts == number[network.neighbours]], minlength=int(number.max()) + 1)
        strength = np.bincount(number, degrees).astype(np.int64)
        return inside * total - strength**2

    community = np.zeros(int(inner.max()) + 1, np.int64)
    community[inner] = member
    gained = np.zeros(int(member.max()) + 1, np.int64)
    np.add.at(gained, community, worth(inner))
    better = gained > worth(member)
    return _in_order(np.where(better[member], inner + int(member.max()) + 1, member))


def _within(network: Network, member: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the offsets of the network that has only edges inside of communities, and which these are."""
    within = np.repeat(member, network.degrees()) == member[network.neighbours]
    upto = np.concatenate([np.zeros(1, np.int64), np.cumsum(within, dtype=np.int64)])
    return upto[network.offsets], within


_Weighted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""offsets and neighbours, the weights of edges, and twice the weight inside of each node"""


def _weighted(network: Network) -> _Weighted:
    neighbours = network.neighbours.astype(np.int64)
    return np.array(network.offsets), neighbours, np.ones(len(neighbours)), np.zeros(network.nodes)


def _in_order(member: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number communities from 0 in the order of their first nodes."""
    _, first, number = np.unique(member, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), np.int64)
    in_order[np.argsort(first)] = np.arange(len(first))
    return in_order[number]


def _climbed(whole: _Weighted, generator: np.random.Generator) -> tuple[NDArray[np.int64], int]:
    """Return the community of each node, found from nothing, and how many moves led there."""
    from sfumato.graph.utility._kernels_communities import move_nodes

    member = np.arange(len(whole[3]), dtype=np.int64)
    moves = 0
    while len(whole[1]):
        number = np.arange(len(whole[3]), dtype=np.int64)
        order = generator.permutation(len(number)).astype(np.int64)
        moved = move_nodes(*whole, order, number, _ROUNDS, _FEW)
        if not moved:
            break
        moves += moved
        _, number = np.unique(number, return_inverse=True)
        member = number[member]
        whole = _merged(*whole, number)
    return member, moves


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
