"""A network with anonymous degrees from nothing, then moved towards the original (Liu and Terzi 2008).

ConstructGraph: the anonymous degrees are made those of a network (Erdős and Gallai 1960): an odd sum is
mended by one node that moves up into another class where both stay large enough, and where that is not enough
the least degrees get a little noise and the search begins anew (*Probing*). A network with these degrees is
built (Havel 1955, Hakimi 1962), and pairs of edges are swapped as long as that brings back edges of the
original (*GreedySwap*): a–b, c–d become a–c, b–d, which leaves all degrees as they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.methods.degree_sequence import (
    Search,
    anonymous_degrees,
    is_graphic,
    whole_degrees,
)
from sfumato.graph.methods.degree_supergraph import edges_to_add
from sfumato.graph.network import Network

_PROBES = 40
_PASSES = 10
_TRIES = 60
_WORTHWHILE = 1_000


def havel_hakimi(degrees: ArrayLike) -> Network:
    """Build a network with these degrees.

    >>> havel_hakimi([2, 2, 1, 1]).degrees().tolist()
    [2, 2, 1, 1]
    """
    from sfumato.graph.methods._kernels_degree_pairing import pair_lacking

    lacking = whole_degrees(degrees).copy()
    if not is_graphic(lacking):
        raise BadInput(
            "no network has these degrees", remedy="mend them first: their sum is odd or hubs too large"
        )
    n, edges = len(lacking), int(lacking.sum()) // 2
    nothing = Network.of_edges(n, np.empty((0, 2), np.int64))
    end, after, before = (np.empty(2 * edges, np.int64) for _ in range(3))
    head = np.full(n, -1, np.int64)
    order = np.arange(n, dtype=np.int64)
    made = pair_lacking(nothing.offsets, nothing.neighbours, order, lacking, 0, end, head, after, before)
    if made != edges:
        raise AssertionError("Havel and Hakimi build every graphic sequence")
    return Network.of_edges(n, end.reshape(-1, 2))


def graphic_degrees(
    network: Network, k: int, *, search: Search = "exact", seed: int = 0
) -> tuple[NDArray[np.int64], int]:
    """Return anonymous degrees that some network has, and how often noise was needed."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(network.nodes).astype(np.int64)
    degrees = network.degrees()
    noisy = degrees.copy()
    for probe in range(_PROBES):
        found = anonymous_degrees(noisy, k, search=search, order=order)
        target = _even(found.degrees, k)
        if is_graphic(target):
            return target, probe
        least = order[np.argsort(noisy[order], kind="stable")][: 1 << min(probe, 40)]
        noisy[least] = np.minimum(noisy[least] + 1, network.nodes - 1)
    # Degrees of a network that is known to exist.
    pairs = edges_to_add(network, k, search=search, seed=seed).pairs
    return degrees + np.bincount(pairs.ravel(), minlength=network.nodes), _PROBES


def _even(degrees: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Move one node up where the sum is odd and both classes stay large enough; else change nothing."""
    if int(degrees.sum()) % 2 == 0:
        return degrees
    size = np.bincount(degrees, minlength=int(degrees.max()) + 2)
    open_classes = np.flatnonzero((size[:-1] > k) & (size[1:] >= k))
    if not len(open_classes):
        return degrees
    moved = degrees.copy()
    roomiest = open_classes[np.argmax(size[open_classes])]
    moved[np.flatnonzero(degrees == roomiest)[0]] += 1
    return moved


def moved_towards(
    original: Network, built: Network, *, seed: int = 0, progress: Progress = SILENT
) -> tuple[Network, int]:
    """Swap edges of a network so that it shares more with the original; return it and the number of swaps."""
    from sfumato.graph.methods._kernels_degree_swap import approach, sort_right_first

    order = np.random.default_rng(seed).permutation(original.nodes).astype(np.int64)
    starts = built.offsets
    rows = built.neighbours.astype(np.int64)
    right = np.zeros(built.nodes, np.int64)
    sort_right_first(original.offsets, original.neighbours, starts, rows, right)
    swaps = 0
    for turn in range(_PASSES):
        more = int(approach(original.offsets, original.neighbours, order, starts, rows, right, _TRIES))
        swaps += more
        progress.update((turn + 1) / _PASSES, f"{swaps:,} swaps towards the original")
        if more * _WORTHWHILE <= built.edges and (turn or not more):
            break
    one = np.repeat(np.arange(built.nodes, dtype=np.int64), built.degrees())
    once = one < rows
    return Network.of_edges(built.nodes, np.column_stack([one[once], rows[once]])), swaps
