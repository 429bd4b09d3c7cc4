"""Some edges deleted and as many added, by chance: a baseline that promises nothing.

X. Ying & X. Wu (2008), Rand Add/Del; M. Hay, G. Miklau, D. Jensen, P. Weis & S. Srivastava, "Anonymizing
social networks" (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.graph.contract import Demand, Problem, Solution
from sfumato.graph.methods.private_noise import marked
from sfumato.graph.methods.random_chance import exact_share, no_promise, source
from sfumato.graph.network import Network


@dataclass(frozen=True)
class RandomAddDelete:
    """Delete round(share · m) edges, each equally likely, and add as many that were not there.

    Promises nothing, to nobody: most edges of a release are true, an adversary who knows some of a person's
    edges finds most of them again, and hubs stay hubs. Use it to see what a method with a promise costs
    beyond chance. What little it does rests on nobody knowing which edges were drawn, so they come from the
    operating system's randomness. In a network with too few absent pairs, fewer are added.

    >>> from sfumato.graph.simulate import erdos_renyi
    >>> made = RandomAddDelete(0.1).protect(Problem(erdos_renyi(50, 200), ()))
    >>> made.published.edges, made.details["deleted"], made.details["added"]
    (200, 20, 20)
    """

    share: float = 0.1
    name: ClassVar[str] = "random-add-delete"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        exact_share(self.share, self.name)

    def enforces(self, demand: Demand) -> bool:
        """Nothing."""
        return False

    def protect(
        self, problem: Problem, *, progress: Progress = SILENT, random: Random | None = None
    ) -> Solution:
        """Draw the edges to delete and the pairs to connect."""
        no_promise(problem, self.name)
        network, chance = problem.network, source(random)
        progress.step("deleting and adding edges by chance")
        pairs = network.pairs()
        many = round(exact_share(self.share, self.name) * network.edges)
        kept = pairs[np.sort(chance.permutation(len(pairs))[many:])]
        new = _absent(network, many, chance)
        edges = np.concatenate([kept, new])
        published = Network.of_edges(network.nodes, edges, network.labels, network.words)
        return Solution(published, details=marked({"deleted": many, "added": len(new)}, random))


def _absent(network: Network, wanted: int, chance: Random) -> NDArray[np.int64]:
    """Draw so many pairs that are not connected, each set equally likely; all where there are fewer."""
    nodes = network.nodes
    pairs = network.pairs()
    there = pairs[:, 0] * nodes + pairs[:, 1]
    absent = nodes * (nodes - 1) // 2 - len(there)
    if 2 * wanted > absent or len(there) > absent:
        # So dense that listing what is absent is no more work than the network itself.
        rows, columns = np.triu_indices(nodes, 1)
        free = np.setdiff1d(rows * nodes + columns, there)
        found = free[chance.permutation(len(free))[: min(wanted, absent)]]
    else:
        found = np.empty(0, np.int64)
        while len(found) < wanted:
            drawn = chance.integers(nodes, 2 * (wanted - len(found))).reshape(-1, 2)
            drawn = np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1)
            keys = drawn[:, 0] * nodes + drawn[:, 1]
            at = np.minimum(np.searchsorted(there, keys), max(len(there) - 1, 0))
            fresh = keys[there[at] != keys] if len(there) else keys
            found = np.sort(np.concatenate([found, fresh]))
            found = found[np.diff(found, prepend=-1) > 0]
    return np.column_stack([found // max(nodes, 1), found % max(nodes, 1)])
