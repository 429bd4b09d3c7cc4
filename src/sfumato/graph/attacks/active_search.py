"""The search for accounts in a network, by their degrees and the edges among them.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X?", WWW, 2007. Finding a pattern in a
network is hard in general; a random one is quickly told from all else: almost every branch ends at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.network import Network

MOST_PLACES = 1000
"""places at which the search ends: nobody is found among so many"""
STEPS = 50_000_000
"""candidates after which a search is cut: a second or two"""


@dataclass(frozen=True, eq=False)
class Search:
    """What a search for the accounts found."""

    places: int
    """how many places fit best, each a published node for each account"""
    cut: bool
    """whether the search ended before all of the network was seen"""
    distance: int = 0
    """by how many degrees and edges the best places differ from what was planted"""
    nodes: NDArray[np.int64] | None = field(default=None, repr=False)
    """the published nodes of the accounts at the first of these places"""


def search(
    published: Network,
    degree: NDArray[np.int64],
    inside: NDArray[np.bool_],
    known: NDArray[np.int64],
    *,
    slack: int = 0,
    wrong: int = 0,
    steps: int = STEPS,
) -> Search:
    """Find the places of accounts that are connected as ``inside`` says and have the ``known`` degrees.

    ``degree`` are those of the published nodes: degrees may be off by ``slack``, ``wrong`` pairs may be
    connected otherwise (not all among the first who are placed: in proportion, and one more), and only the
    places that differ least are counted. Somebody without an edge to any account placed before is never
    taken for the next.
    """
    from sfumato.graph.attacks._kernels_active import places

    order = _order(degree, inside, known, slack)
    starts = np.flatnonzero(np.abs(degree - known[order[0]]) <= slack)
    found = np.full(len(known), -1, np.int64)
    distance, many, taken = places(
        published.offsets,
        published.neighbours,
        np.array(degree, np.int64),
        starts,
        np.ascontiguousarray(inside[np.ix_(order, order)], np.uint8),
        np.array(known[order], np.int64),
        np.int64(slack),
        _allowance(len(known), wrong),
        np.int64(MOST_PLACES),
        np.int64(steps),
        found,
    )
    cut = bool(taken > steps or (distance == 0 and many >= MOST_PLACES))
    if not many:
        return Search(0, cut)
    nodes = np.empty_like(found)
    nodes[order] = found
    return Search(int(many), cut, int(distance), nodes)


def _order(
    degree: NDArray[np.int64], inside: NDArray[np.bool_], known: NDArray[np.int64], slack: int
) -> NDArray[np.int64]:
    """Return the accounts, the one with the rarest degree first, then those with most placed neighbours."""
    most = int(max(degree.max(initial=0), known.max())) + slack + 1
    upto = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(degree, minlength=most))])
    common = upto[known + slack + 1] - upto[np.maximum(known - slack, 0)]
    order = [int(np.argmin(common))]
    left = set(range(len(known))) - set(order)
    while left:
        placed = inside[:, order].sum(axis=1)
        following = min(left, key=lambda at: (-int(placed[at]), int(common[at]), at))
        order.append(following)
        left.remove(following)
    return np.array(order, np.int64)


def _allowance(accounts: int, wrong: int) -> NDArray[np.int64]:
    """Return how many pairs may be wrong among the first accounts: a search that trusts all would not end.

    >>> _allowance(5, 0).tolist(), _allowance(5, 3).tolist()
    ([0, 0, 0, 0, 0], [1, 1, 1, 2, 3])
    """
    pairs = np.arange(accounts, dtype=np.int64) * np.arange(1, accounts + 1, dtype=np.int64) // 2
    allowed: NDArray[np.int64] = np.minimum(wrong, min(wrong, 1) + wrong * pairs // pairs[-1])
    return allowed
