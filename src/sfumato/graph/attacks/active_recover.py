"""Recovery: planted accounts find themselves in the published network, then their targets.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X?", WWW, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.attacks.active_plant import Planted
from sfumato.graph.network import Network

MOST_PLACES = 1000
"""places at which the search ends: nobody is found among so many"""
STEPS = 20_000_000


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


@dataclass(frozen=True, eq=False)
class Recovered:
    """What the adversary reads off the published network."""

    search: Search
    slack: int
    """by how much degrees were allowed to differ when the accounts were found"""
    targets: NDArray[np.int64] = field(repr=False)
    """the published node of each target, −1 where none is claimed"""
    friends: NDArray[np.int64] = field(repr=False)
    """pairs of targets (by their place among the targets) that are seen to be connected"""

    @property
    def unique(self) -> bool:
        """Whether the accounts found themselves at one place and no other fits as well."""
        return self.search.places == 1 and not self.search.cut


def recover(published: Network, planted: Planted, *, tolerance: int = 0, steps: int = STEPS) -> Recovered:
    """Look for the accounts, read off the targets, then the edges among these.

    A place is a list of nodes with the degrees of the accounts and exactly the edges planted among them. The
    search begins at the account whose degree is rarest and goes on to accounts with most neighbours placed
    already, candidates being neighbours of these; all places are found. Only where there is one does the
    adversary claim anything. A target is the one node that is connected to its set of accounts and to no
    other account.

    A release that adds or removes edges hides the accounts from that. With a ``tolerance`` t > 0 and no
    exact place, degrees may differ by 1, 2, 4, … up to t and half as many of the pairs of accounts (at
    least one) may be connected otherwise; the place that differs least is taken if no other is as near, and
    so is for each target the node whose set of contacts differs least. A search of more than ``steps``
    candidates is cut, and then nothing is claimed.

    >>> from sfumato.graph.attacks.active_plant import plant
    >>> from sfumato.graph.simulate import barabasi_albert
    >>> planted = plant(barabasi_albert(500, 4), 10, targets=np.array([3, 50, 200]))
    >>> found = recover(planted.network, planted)
    >>> found.unique, found.targets.tolist()
    (True, [3, 50, 200])
    """
    degree = published.degrees()
    slack = 0
    looked = search(published, degree, planted.inside, planted.degree, steps=steps)
    while not looked.places and not looked.cut and slack < tolerance:
        slack = min(max(1, 2 * slack), tolerance)
        looked = search(
            published,
            degree,
            planted.inside,
            planted.degree,
            slack=slack,
            wrong=max(1, slack // 2),
            steps=steps,
        )
    claimed = np.full(len(planted.targets), -1, np.int64)
    if looked.places == 1 and not looked.cut and looked.nodes is not None:
        claimed = _targets(published, looked.nodes, planted.contacts, exact=slack == 0)
    seen = [
        (one, other)
        for one in range(len(claimed))
        for other in range(one + 1, len(claimed))
        if claimed[one] >= 0 and claimed[other] >= 0
        if published.connected(int(claimed[one]), int(claimed[other]))
    ]
    return Recovered(looked, slack, claimed, np.array(seen, np.int64).reshape(-1, 2))


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
    connected otherwise, and only the places that differ least are counted.
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
        np.int64(wrong),
        np.int64(MOST_PLACES),
        np.int64(steps),
        found,
    )
    cut = taken > steps or many >= MOST_PLACES
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


def _targets(
    published: Network, nodes: NDArray[np.int64], contacts: NDArray[np.int64], *, exact: bool
) -> NDArray[np.int64]:
    """Return for each target the node whose contacts among the accounts are its own, or nearest to these."""
    bits: dict[int, int] = {}
    accounts = set(nodes.tolist())
    for at, node in enumerate(nodes.tolist()):
        for other in published.neighbours_of(node).tolist():
            if other not in accounts:
                bits[other] = bits.get(other, 0) | 1 << at
    claimed = []
    for wanted in contacts.tolist():
        # Somebody who shares no contact is no candidate, however few there are.
        reach = 1 if exact else wanted.bit_count()
        near = sorted((((wanted ^ have).bit_count(), node) for node, have in bits.items()))
        near = [(far, node) for far, node in near if far < reach]
        alone = len(near) == 1 or (len(near) > 1 and near[0][0] < near[1][0])
        claimed.append(near[0][1] if alone else -1)
    # One node is not two people.
    return np.array([node if claimed.count(node) == 1 else -1 for node in claimed], np.int64)
