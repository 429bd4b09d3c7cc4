"""k-degree anonymity: every degree occurs k times or more (Liu and Terzi 2008).

*Towards Identity Anonymization on Graphs*, SIGMOD 2008. First degrees: the cheapest sequence in which each
value occurs k times (see ``degree_sequence``). Then edges: a network that has such degrees and shares as much
as possible with the original.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.contract import Demand, Figure, Problem, Solution
from sfumato.graph.methods.degree_construct import graphic_degrees, havel_hakimi, moved_towards
from sfumato.graph.methods.degree_sequence import anonymous_degrees
from sfumato.graph.methods.degree_supergraph import edges_to_add
from sfumato.graph.methods.degree_swap import changed_edges, swapped
from sfumato.graph.network import Network

Realise = Literal["supergraph", "construct", "swap"]
REALISATIONS: tuple[Realise, ...] = ("supergraph", "construct", "swap")
MethodSearch = Literal["exact", "greedy"]
METHOD_SEARCHES: tuple[MethodSearch, ...] = ("exact", "greedy")


@dataclass(frozen=True)
class KDegreeMethod:
    """Changes edges until every degree occurs k times or more. Nodes without edges are a class too.

    ``realise`` is ``supergraph`` (edges are added and none is lost), ``construct`` (a network is built from
    the degrees and moved towards the original; some edges are lost), or ``swap`` (edges are added and
    deleted, far fewer in all). Every one of them ends with such a network for all k up to the number of
    nodes. ``search`` finds the degrees: ``exact`` at the least cost, or ``greedy``.

    Edges are invented, so that no published edge is sure to be true; with ``supergraph`` a missing edge was
    missing before. Finding the fewest edges to add is NP-hard: where all ways were tried, on networks of up
    to six nodes, none added fewer than ``supergraph``; on larger ones that is not promised.

    It bounds what somebody who knows how many neighbours a person has *in what is published* can find. Who
    knows more (the degrees of the neighbours, who of them know each other, planted accounts) finds people all
    the same; nor does it hide whether two people are connected where all of a class are. Nor are added edges
    disguised: where friends of friends are friends they are those that close few triangles, elsewhere those
    among hubs. Who knows a degree from before and leaves out the edges that close no triangle finds, in
    ca-GrQc, 48 % of those whose degree was theirs alone at k = 5 (a guess within the class: 18 %), and 32 %
    at k = 10 (9 %). The promise does not rest on chance: ``seed`` breaks ties. Who knows it, and the order of
    nodes in the source, knows who was asked first to take an edge, not where they are published.

    >>> from sfumato.graph.models.k_degree import KDegree
    >>> star = Network.of_edges(4, np.array([[0, 1], [0, 2], [0, 3]]))
    >>> found = KDegreeMethod().protect(Problem(star, (KDegree(2),)))
    >>> sorted(found.published.degrees().tolist()), found.details["edges added"]
    ([2, 2, 3, 3], 2)
    """

    realise: Realise = "supergraph"
    search: MethodSearch = "exact"
    seed: int = 0

    name: ClassVar[str] = "k-degree"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for what, value, known in (
            ("realise", self.realise, REALISATIONS),
            ("search", self.search, METHOD_SEARCHES),
        ):
            if value not in known:
                raise BadInput(
                    f"k-degree does not know this {what}",
                    where=f"k-degree, {what}",
                    remedy=nearest(str(value), known),
                )
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise BadInput("seed must be a whole number of at least 0", where="k-degree, seed")

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about degrees alone."""
        return demand.by == "degree" and not demand.labelled

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find a network in which every degree occurs often enough."""
        k = self._asked(problem)
        network = problem.network
        if k == 1 or network.nodes == 0:
            return Solution(
                network, details={"edges added": 0, "edges removed": 0, "degree increase asked": 0}
            )
        progress.step("finding edges that make degrees alike")
        if self.realise == "supergraph":
            changed, figures = self._supergraph(network, k, progress)
        elif self.realise == "construct":
            changed, figures = self._construct(network, k, progress)
        else:
            changed, asked = swapped(network, k, search=self.search, seed=self.seed, progress=progress)
            figures = {"degree change asked": asked}
        added, removed = changed_edges(network, changed)
        published = Network(changed.offsets, changed.neighbours, network.labels, network.words)
        for model in problem.models:
            verdict = model.check(published)
            if not verdict.holds:
                raise PromiseNotMet(
                    f"{model.name} does not hold: required {verdict.required}, achieved {verdict.achieved}",
                    where=self.name,
                )
        return Solution(published, details={"edges added": added, "edges removed": removed, **figures})

    def _asked(self, problem: Problem) -> int:
        """Return how many nodes must share a degree; refuse what cannot be promised."""
        if not problem.models:
            raise BadInput("k-degree was given no promise to keep", remedy="name a model")
        k = 1
        for model in problem.models:
            demand = model.demand()
            if not self.enforces(demand):
                raise BadInput(
                    f"k-degree does not enforce {model.name} as it is asked",
                    remedy="choose a method that enforces it, or leave the model out",
                )
            k = max(k, demand.people)
        n = problem.network.nodes
        if 0 < n < k:
            raise PromiseNotMet(
                f"{k:,} nodes must share a degree and there {'is' if n == 1 else 'are'} {n:,}",
                where=self.name,
                remedy=f"ask for {n:,} at most, or publish more nodes together"
                if n > 1
                else "publish more nodes together",
            )
        return k

    def _supergraph(self, network: Network, k: int, progress: Progress) -> tuple[Network, dict[str, Figure]]:
        found = edges_to_add(network, k, search=self.search, seed=self.seed, progress=progress)
        if not len(found.pairs):
            return network, {"degree increase asked": 0}
        changed = Network.of_edges(network.nodes, np.concatenate([network.pairs(), found.pairs]))
        return changed, {"degree increase asked": found.asked, "rounds": found.rounds}

    def _construct(self, network: Network, k: int, progress: Progress) -> tuple[Network, dict[str, Figure]]:
        asked = anonymous_degrees(network.degrees(), k, search=self.search)
        if asked.cost == 0:
            return network, {"degree increase asked": 0}
        degrees, probes = graphic_degrees(network, k, search=self.search, seed=self.seed)
        built = havel_hakimi(degrees)
        changed, swaps = moved_towards(network, built, seed=self.seed, progress=progress)
        return changed, {"degree increase asked": asked.cost, "probes": probes, "swaps": swaps}
