"""Recovery: planted accounts find themselves in the published network, then their targets.

L. Backstrom, C. Dwork and J. Kleinberg, "Wherefore art thou R3579X?", WWW, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.graph.attacks.active_plant import Planted
from sfumato.graph.attacks.active_search import STEPS, Search, search
from sfumato.graph.network import Network

_PAIRS = 250
"""pairs of accounts among which one is expected to be wrong for each unit by which degrees may be off"""


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
    exact place, degrees may differ by 1, 2, 4, … up to t, and some pairs of accounts (half as many, more
    where there are many accounts) may be connected otherwise; the place that differs least is taken if no
    other is as near, and so is for each target the node whose set of contacts differs least. A search of
    more than ``steps`` candidates is cut, and then nothing is claimed.

    >>> from sfumato.graph.attacks.active_plant import plant
    >>> from sfumato.graph.simulate import barabasi_albert
    >>> planted = plant(barabasi_albert(500, 4), 10, targets=np.array([3, 50, 200]))
    >>> found = recover(planted.network, planted)
    >>> found.unique, found.targets.tolist()
    (True, [3, 50, 200])
    """
    degree = published.degrees()
    pairs = len(planted.accounts) * (len(planted.accounts) - 1) // 2
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
            wrong=max(1, slack // 2, slack * pairs // _PAIRS),
            steps=steps,
        )
    claimed = np.full(len(planted.targets), -1, np.int64)
    if looked.places == 1 and not looked.cut and looked.nodes is not None:
        claimed = _targets(published, looked.nodes, planted.contacts, exact=tolerance == 0)
    seen = [
        (one, other)
        for one in range(len(claimed))
        for other in range(one + 1, len(claimed))
        if claimed[one] >= 0 and claimed[other] >= 0
        if published.connected(int(claimed[one]), int(claimed[other]))
    ]
    return Recovered(looked, slack, claimed, np.array(seen, np.int64).reshape(-1, 2))


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
