"""k-neighbourhood anonymity by adding edges (Zhou & Pei 2008).

B. Zhou & J. Pei, "Preserving privacy in social networks against neighborhood attacks" (ICDE 2008). With N(v)
the network induced on the neighbours of v, edges E' ⊇ E are looked for such that

    for every v: |{ u : N'(u) ≅ N'(v) }| ≥ k     at little     alpha · Σ NCP(label) + beta · |E' ∖ E|

To find the fewest is NP-hard; this is a search that ends: see ``neighbourhood_search`` and, for the way that
always works, ``neighbourhood_twins``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.contract import Demand, Figure, Problem, Solution

if TYPE_CHECKING:
    from sfumato.graph.methods.neighbourhood_growing import Growing
    from sfumato.graph.methods.neighbourhood_search import Search
    from sfumato.graph.methods.neighbourhood_words import Words
    from sfumato.graph.network import Network

STARTS = (1.0, 0.75, 0.5, 0.25, 0.0)
"""shares of those whose neighbourhood is too rare, largest first, who are made twins before the search"""
ALL_STARTS = 1_000
"""in networks of more nodes a start that is no better than the one before, or the second without success, is
the last"""


@dataclass(frozen=True)
class KNeighbourhoodMethod:
    """Adds edges, and generalises labels, until k nodes or more share every neighbourhood.

    No edge is lost. ``alpha`` is the cost of a label (times its NCP along the tree of the problem), ``beta``
    that of an edge. Labels stay as they are unless the promise is labelled; then twins, and only they, get a
    word of the tree that covers them. ``tries`` is how many ways of each sort are tried for a node.
    ``most_edges`` stops with ``PromiseNotMet`` rather than add more. Small dense networks and large k cost
    many edges: look at what was added before publishing. Several starts are tried, the cheapest is kept.

    It bounds what somebody learns who knows a person's friends and which of them are friends, not what
    somebody learns who sees further, or who planted accounts before publication. Edges that were added are
    not true, and edges that are there may be. Needs the extra ``graph``.

    >>> from sfumato.graph.models import KNeighbourhood
    >>> from sfumato.graph.network import Network
    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> found = KNeighbourhoodMethod().protect(Problem(path, (KNeighbourhood(2),)))
    >>> found.published.pairs().tolist(), found.details["edges added"]
    ([[0, 1], [0, 2], [1, 2]], 1)
    """

    alpha: float = 1.0
    beta: float = 1.0
    seed: int = 0
    tries: int = 6
    most_edges: int | None = None

    name: ClassVar[str] = "k-neighbourhood"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for what, value, least in (
            ("seed", self.seed, 0),
            ("tries", self.tries, 1),
            ("most_edges", self.most_edges, 0),
        ):
            if value is None and what == "most_edges":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                where = f"{self.name}, {what}"
                raise BadInput(f"{what} must be a whole number of at least {least}", where=where)
        for what, cost in (("alpha", self.alpha), ("beta", self.beta)):
            if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < math.inf:
                raise BadInput(f"{what} must be a number of at least 0", where=f"{self.name}, {what}")

    def enforces(self, demand: Demand) -> bool:
        """Say whether the demand is about neighbourhoods, or about degrees: these are their sizes."""
        return demand.by in ("neighbourhood", "degree")

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find a network in which every neighbourhood occurs often enough."""
        # Here and not above: kernels take time to load, and naming a method must not.
        from sfumato.graph.methods.neighbourhood_growing import Growing
        from sfumato.graph.methods.neighbourhood_search import Search, Weights
        from sfumato.graph.methods.neighbourhood_words import Words

        k, labelled = self._asked(problem)
        network = problem.network
        words = Words(network, problem.tree, labelled)
        if k == 1 or network.nodes == 0:
            return Solution(
                _relabelled(network, words) if labelled else network,
                details={
                    "edges added": 0,
                    "labels generalised": int((words.labels != network.labels).sum()) if labelled else 0,
                    "label loss": words.loss(words.labels, range(network.nodes)),
                },
            )
        weights = Weights(float(self.alpha), float(self.beta))
        chance = np.random.default_rng(self.seed)

        def start() -> Search:
            return Search(Growing(network, words.labels, k), words, weights, self.tries, chance)

        best, way = self._twins_for_all(start(), problem, words, k, progress), "twins"
        worse = 0
        for share in STARTS:
            search = start()
            progress.step(f"twins for {share:.0%} of those alone, then edges that make others alike")

            def stop(
                search: Search = search, most: float = math.inf if best is None else best.cost()
            ) -> bool:
                too_many = self.most_edges is not None and len(search.growing.added) > 2 * self.most_edges
                return too_many or search.cost() >= most

            search.begin(share)
            if self._settled(search, labelled, stop, progress) and not stop():
                best, way = search, f"twins for {share:.0%} first"
                worse = 0
                continue
            worse += 1
            if best is not None and network.nodes > ALL_STARTS and (way != "twins" or worse == 2):
                break
        if best is None:
            raise PromiseNotMet(
                "the labels of some nodes have nothing in common with those of enough others",
                where=self.name,
                remedy="give a hierarchy whose top covers all labels, or ask without labels",
            )
        search = best
        if way == "twins":
            progress.step("taking back edges that are not needed")
            self._thinned(search, labelled, progress)
        added = len(search.growing.added)
        if self.most_edges is not None and added > self.most_edges:
            raise PromiseNotMet(
                f"{added:,} edges would be added and {self.most_edges:,} may be",
                where=self.name,
                remedy="raise most_edges, or ask for fewer nodes alike",
            )
        told = words.in_use(search.growing.labels) if labelled else network.words
        published = search.growing.network(told, labelled)
        if not labelled and network.labels is not None:
            published = replace(published, labels=network.labels)
        details: dict[str, Figure] = {
            "edges added": added,
            "labels generalised": int((search.growing.labels != network.labels).sum()) if labelled else 0,
            "label loss": words.loss(search.growing.labels, range(network.nodes)),
            "way": way,
            "twins made": search.forced,
        }
        return Solution(published, details=details)

    def _settled(self, search: Search, labelled: bool, stop: Callable[[], bool], progress: Progress) -> bool:
        """Search until canonical forms say that all are alike enough; False if it was given up."""
        if not search.settle(stop, progress):
            return False
        search.thin(progress)
        # The search goes by keys, which may be alike where neighbourhoods are not: here is who is left alone.
        while alone := _alone(search.growing, labelled):
            if stop() or not search.force(alone[0]) or not search.settle(stop, progress):
                return False
        return True

    def _twins_for_all(
        self, search: Search, problem: Problem, words: Words, k: int, progress: Progress
    ) -> Search | None:
        """Return the way that always works; None for lack of labels."""
        from sfumato.graph.methods.neighbourhood_twins import all_twins

        progress.step("twins for everybody, as a bound on what edges may cost")
        safe = all_twins(problem.network, words, k)
        if safe is None:
            return None
        search.take(*safe)
        return search

    def _thinned(self, search: Search, labelled: bool, progress: Progress) -> None:
        """Take back edges that twins for everybody turn out not to need."""
        full = sorted(search.growing.added)
        search.thin(progress)
        if _alone(search.growing, labelled):
            search.growing.change(full)
            if _alone(search.growing, labelled):
                raise AssertionError("twins have the same neighbourhood")

    def _asked(self, problem: Problem) -> tuple[int, bool]:
        """Return how many nodes must be alike, and whether in labels too."""
        k, labelled = 1, False
        for model in problem.models:
            demand = model.demand()
            if not self.enforces(demand):
                raise BadInput(
                    f"{self.name} does not enforce {model.name} as it is asked",
                    remedy="choose a method that enforces it, or leave the model out",
                )
            k = max(k, demand.people)
            labelled |= demand.labelled and problem.network.labels is not None
        n = problem.network.nodes
        if 0 < n < k:
            raise PromiseNotMet(
                f"{k:,} nodes must share a neighbourhood and there {'is' if n == 1 else 'are'} {n:,}",
                where=self.name,
                remedy=f"ask for {n:,} at most, or publish more nodes together"
                if n > 1
                else "publish more nodes together",
            )
        return k, labelled


def _relabelled(network: Network, words: Words) -> Network:
    """Return a network with the labels that its nodes begin with."""
    return replace(network, labels=words.labels.astype(np.int32), words=words.in_use(words.labels))


def _alone(growing: Growing, labelled: bool) -> list[int]:
    """Return who has the neighbourhood of too few by canonical forms, large neighbourhoods first."""
    from sfumato.graph.canonical import neighbourhood_forms

    network = growing.network((), labelled)
    classes = neighbourhood_forms(network, labelled=labelled)
    few = np.flatnonzero(np.bincount(classes)[classes] < growing.k)
    alone: list[int] = few[np.argsort(-network.degrees()[few], kind="stable")].tolist()
    return alone
