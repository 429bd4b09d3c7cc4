"""Edges that exchange their ends by chance: every degree stays, and nothing is promised.

X. Ying & X. Wu, "Randomizing social networks: a spectrum preserving approach" (2008), Rand Switch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.graph.contract import Demand, Problem, Solution
from sfumato.graph.methods.private_noise import marked
from sfumato.graph.methods.random_chance import exact_share, no_promise, source
from sfumato.graph.network import Network

_TRIES = 20
"""draws for each switch that is wanted, after which a network is taken to have too few"""
_FEWEST = 1000
_AT_ONCE = 2**20


@dataclass(frozen=True)
class RandomSwitch:
    """Take two edges (a, b), (c, d) and make them (a, d), (c, b), until round(share · m / 2) were switched.

    Each switch changes two edges, so about the share of the edges is new. Every node keeps its degree: who is
    found by degree is found as before. Promises nothing, to nobody; see ``random-add-delete``. A network such
    as a star has nothing to switch: ``details`` say how many were.

    >>> from sfumato.graph.simulate import erdos_renyi
    >>> before = erdos_renyi(50, 200)
    >>> made = RandomSwitch(0.2).protect(Problem(before, ()))
    >>> made.details["switched"], bool((made.published.degrees() == before.degrees()).all())
    (20, True)
    """

    share: float = 0.1
    name: ClassVar[str] = "random-switch"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        exact_share(self.share, self.name)

    def enforces(self, demand: Demand) -> bool:
        """Nothing."""
        return False

    def protect(
        self, problem: Problem, *, progress: Progress = SILENT, random: Random | None = None
    ) -> Solution:
        """Draw pairs of edges, and switch those that can be."""
        from sfumato.graph._kernels_pairs import table_for
        from sfumato.graph.methods._kernels_random import fill, switch

        no_promise(problem, self.name)
        network, chance = problem.network, source(random)
        progress.step("switching edges by chance")
        pairs = np.ascontiguousarray(network.pairs())
        wanted = round(exact_share(self.share, self.name) * network.edges / 2)
        table = table_for(len(pairs))
        fill(table, pairs, network.nodes)
        done, left = 0, _TRIES * wanted + _FEWEST
        while done < wanted and left > 0:
            size = min(2 * (wanted - done) + 64, left, _AT_ONCE)
            both, end = chance.integers(len(pairs), 2 * size).reshape(-1, 2), chance.integers(2, size)
            drawn = np.column_stack([both, end])
            done += int(switch(pairs, table, network.nodes, drawn, wanted - done))
            left -= size
            progress.update(done / wanted)
        published = Network.of_edges(network.nodes, pairs, network.labels, network.words)
        return Solution(published, details=marked({"wanted": wanted, "switched": done}, random))
