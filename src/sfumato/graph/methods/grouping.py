"""k-sized grouping (Hay, Miklau, Jensen, Towsley and Weis 2008).

*Resisting Structural Re-identification in Anonymized Social Networks*, VLDB: the nodes are put into groups of
k or more, and only counts are published: of each group its size and its inner edges, of each pair of groups
the edges between them. Every network with these counts is a possible world, and of

    W = ∏ C(C(|X|, 2), e_X) · ∏ C(|X|·|Y|, e_XY)

worlds the original is one: the groups that make log W least make the original most likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.contract import Demand, Figure, Problem, Solution
from sfumato.graph.network import Network
from sfumato.graph.worlds.certainty import certain
from sfumato.graph.worlds.counts import log_worlds
from sfumato.graph.worlds.summary import grouped_of

MOST = 2_000_000_000
"""neighbours that a search looks at in all, however large the network"""
LEAST = 200_000
SMALL = 500
"""nodes up to which the search is repeated, for the best of several"""
REPEATS = 8


@dataclass(frozen=True)
class KGroupingMethod:
    """Publishes counts of groups of k nodes or more; the groups are found by simulated annealing.

    ``search`` neighbours are looked at for each edge, two billion at most in all: the budget is not counted
    in seconds, so that a ``seed`` gives the same groups however busy the machine. Groups hold k to 2k − 1
    nodes. With k = 1 every node is a group of its own: the network itself is published, without names.

    From what is published the nodes of a group cannot be told apart, whatever is known of the edges around
    one of them. It hides who somebody is among k, not whether two people are connected: where a group is
    complete or empty, whoever knows that two people are in it knows it for sure, and so between groups with
    all possible edges; ``certain edges`` of the details counts such edges. Nor does it hide people from their
    own group (k − 1 of them who compare what they know find the last one), that somebody is in the network,
    or how well connected a group is on average. Labels are not published.

    >>> from sfumato.graph.network import Network
    >>> triangles = Network.of_edges(6, np.array([[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [4, 5], [3, 5]]))
    >>> grouped = KGroupingMethod().grouped(triangles, 2).published
    >>> grouped.sizes.tolist(), grouped.inside.tolist(), grouped.between.tolist()
    ([3, 3], [3, 3], [1])
    """

    search: int = 10_000
    seed: int = 0

    name: ClassVar[str] = "k-grouping"
    truthful: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for what, value in (("search", self.search), ("seed", self.seed)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise BadInput(f"{what} must be a whole number of at least 0", where=f"{self.name}, {what}")

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about the size of groups."""
        return demand.by == "group" and not demand.labelled

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find groups of as many nodes as the strictest promise asks for."""
        if not problem.models:
            raise BadInput(f"{self.name} was given no promise to keep", remedy="name a model")
        for model in problem.models:
            if not self.enforces(model.demand()):
                raise BadInput(
                    f"{self.name} does not enforce {model.name}",
                    remedy="choose a method that enforces it, or leave the model out",
                )
        k = max(model.demand().people for model in problem.models)
        found = self.grouped(problem.network, k, progress=progress)
        for model in problem.models:
            verdict = model.check(found.published)
            if not verdict.holds:
                raise PromiseNotMet(
                    f"{model.name} does not hold: required {verdict.required}, achieved {verdict.achieved}",
                    where=self.name,
                )
        return found

    def grouped(self, network: Network, k: int, *, progress: Progress = SILENT) -> Solution:
        """Find groups of k nodes or more."""
        n = network.nodes
        if not n:
            raise BadInput(f"{self.name} was given no nodes", remedy="read a file that holds some")
        if k > n:
            raise PromiseNotMet(
                f"groups of {k:,} are asked for and there {'is' if n == 1 else 'are'} {n:,} in all",
                where=self.name,
                remedy=f"ask for {n:,} at most, or publish more people together",
            )
        group, details = self._groups(network, k, progress)
        progress.step("counting edges by group")
        _, group = np.unique(group, return_inverse=True)
        published = grouped_of(network, group)
        sure = certain(published)
        found: dict[str, Figure] = {
            "log worlds": log_worlds(published),
            **details,
            "groups": len(published.sizes),
            "largest group": int(published.sizes.max()),
            "complete groups": sure.complete_groups,
            "empty groups": sure.empty_groups,
            "complete links": sure.complete_links,
            "certain edges": sure.edges,
        }
        return Solution(published, group.astype(np.int64), details=found)

    def _groups(
        self, network: Network, k: int, progress: Progress
    ) -> tuple[NDArray[np.int64], dict[str, Figure]]:
        """Return the group of each node, and figures of the search."""
        n = network.nodes
        if k == 1:
            return np.arange(n, dtype=np.int64), {}
        # Here and not above: kernels take time to load, and naming a method must not.
        from sfumato.graph.methods.grouping_search import searched
        from sfumato.graph.methods.grouping_start import start

        budget = 0
        if n >= 2 * k and network.edges and self.search:
            budget = min(max(self.search * network.edges, LEAST), MOST)
        repeats = REPEATS if n <= SMALL and budget else 1
        best, least, first = np.zeros(n, np.int64), float("inf"), float("inf")
        for run, seed in enumerate(np.random.SeedSequence(self.seed).generate_state(repeats).tolist()):
            progress.step(f"choosing groups to begin with{_which(run, repeats)}")
            group, worlds = start(network, k, seed)
            first = min(first, worlds)
            if worlds < least:
                best, least = group, worlds
            if budget:
                progress.step(f"improving the groups{_which(run, repeats)}")
                group, grown = searched(network, group, k, budget, seed, progress)
                if worlds + grown < least:
                    best, least = group, worlds + grown
        return best, {"log worlds of the start": first, "neighbours looked at": budget * repeats}


def _which(run: int, repeats: int) -> str:
    return f", {run + 1} of {repeats}" if repeats > 1 else ""
