"""A network of which every degree occurs k times, by adding and deleting few edges (Liu and Terzi 2008).

Degrees move to the median of their group, some up and some down. Each round makes of the degrees as they are
what the search asks for:

1. nodes that lack edges are connected with each other, and edges between nodes that have too many are
   deleted;
2. a node that has too many hands the end of an edge over to one that lacks some: w–x becomes v–x;
3. others help out: they take or lose an edge where their class and the next both stay large enough.
4. of two that still have too many, v–x and w–y become x–y; for two that still lack some, an edge a–b becomes
   v–a and w–b: three changes for two ends, and nobody else's degree changes.

What is left over goes into the next round. Where rounds stop making progress, edges are added alone, which
always comes to an end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.graph.methods.degree_sequence import Search, anonymous_degrees
from sfumato.graph.methods.degree_supergraph import edges_to_add
from sfumato.graph.network import Network

_ROUNDS = 20
_WORK = 400_000
_ATTEMPTS = 32
_FALLBACKS = 8


def changed_edges(one: Network, other: Network) -> tuple[int, int]:
    """Return how many edges the second network has that the first has not, and the other way round.

    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> changed_edges(path, Network.of_edges(3, np.array([[0, 2], [1, 2]])))
    (1, 1)
    """
    size = max(one.nodes, 1)
    before, after = (np.dot(network.pairs(), [size, 1]) for network in (one, other))
    shared = len(np.intersect1d(before, after, assume_unique=True))
    return len(after) - shared, len(before) - shared


def swapped(
    network: Network, k: int, *, search: Search = "exact", seed: int = 0, progress: Progress = SILENT
) -> tuple[Network, int]:
    """Return a network in which every degree occurs k times or more, and the change that the search asks for.

    Small networks are tried several times; where adding edges alone changes fewer, that is returned.
    """
    asked = anonymous_degrees(network.degrees(), k, search=search, deletions=True).cost
    attempts = int(np.clip(_WORK // (network.nodes + network.edges + asked + 1), 1, _ATTEMPTS))
    best = _attempt(network, k, search, seed, 0, progress)
    least = sum(changed_edges(network, best))
    for number in range(1, attempts):
        if 2 * least <= asked + 1:
            break
        found = _attempt(network, k, search, seed, number, progress)
        changes = sum(changed_edges(network, found))
        if changes < least:
            best, least = found, changes
        progress.update(number / attempts)
    # Half of the ends that additions alone would need is the least that they could do with.
    if anonymous_degrees(network.degrees(), k, search=search).cost < 2 * least:
        pairs = edges_to_add(network, k, search=search, seed=seed).pairs
        if len(pairs) < least:
            best = Network.of_edges(network.nodes, np.concatenate([network.pairs(), pairs]))
    return best, asked


def _attempt(network: Network, k: int, search: Search, seed: int, number: int, progress: Progress) -> Network:
    chance = np.random.default_rng((seed, number, 1))
    current = network
    for turn in range(_ROUNDS):
        order = chance.permutation(current.nodes).astype(np.int64)
        target = anonymous_degrees(current.degrees(), k, search=search, deletions=True, order=order)
        if target.cost == 0:
            return current
        progress.update(0.0, f"round {turn + 1}: {target.cost:,} ends of edges are to change")
        after = _round(current, target.degrees, k, order)
        if sum(changed_edges(current, after)) == 0:
            break
        current = after
    pairs = edges_to_add(current, k, search=search, seed=seed, most=_FALLBACKS).pairs
    return Network.of_edges(current.nodes, np.concatenate([current.pairs(), pairs]))


def _round(network: Network, target: NDArray[np.int64], k: int, order: NDArray[np.int64]) -> Network:
    """Move towards the target degrees as far as classes allow."""
    from sfumato.graph.methods._kernels_degree_pairing import ask_for_help, pair_lacking
    from sfumato.graph.methods._kernels_degree_swap import (
        bridge_over,
        cut_between,
        cut_from_helpers,
        hand_over,
        reach_into,
    )

    n = network.nodes
    rows = (network.offsets, network.neighbours)
    wanted = target - network.degrees()
    lacking, surplus = np.maximum(wanted, 0), np.maximum(-wanted, 0)
    gone = np.zeros(len(network.neighbours), np.bool_)
    room = int(lacking.sum() + surplus.sum())
    end, after, before = (np.empty(2 * room, np.int64) for _ in range(3))
    lists = (end, np.full(n, -1, np.int64), after, before)
    edges = int(pair_lacking(*rows, order, lacking, 0, *lists))
    cut_between(*rows, order[np.argsort(-surplus[order], kind="stable")], surplus, gone)
    poor, rich = order[lacking[order] > 0], order[surplus[order] > 0]
    edges = int(hand_over(*rows, poor, rich, lacking, surplus, gone, edges, *lists))
    # The classes of those who are not finished count as what they are asked to be: others may rely on it only
    # if they get there, which the next round sees to.
    size = np.bincount(target, minlength=n + 1).astype(np.int64)
    degree = target.copy()
    cut_from_helpers(*rows, order, k, surplus, degree, size, gone)
    edges = int(ask_for_help(*rows, order, k, lacking, degree, size, edges, *lists))
    poor, rich = order[lacking[order] > 0], order[surplus[order] > 0]
    edges = int(bridge_over(*rows, rich, surplus, gone, edges, *lists))
    edges = int(reach_into(*rows, order, poor, lacking, gone, edges, *lists))
    one = np.repeat(np.arange(n, dtype=np.int64), network.degrees())
    other = network.neighbours.astype(np.int64)
    stay = ~gone & (one < other)
    pairs = np.concatenate([np.column_stack([one[stay], other[stay]]), end[: 2 * edges].reshape(-1, 2)])
    return Network.of_edges(n, pairs)
