"""One count of a network with noise: its edges, nodes, pairs of neighbours or triangles.

Edges and pairs of neighbours under node privacy: W.-Y. Day, N. Li & M. Lyu (2016) for the projection.
Triangles: J. Zhang et al. (2015); see ``private_ladder``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, written_above
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.parameters import exact_epsilon
from sfumato.graph.contract import Demand, Problem, Solution, Statistics
from sfumato.graph.methods.private_ladder import ladder_of
from sfumato.graph.methods.private_noise import (
    Differing,
    allowed,
    can_keep,
    check_theta,
    described,
    differing,
)
from sfumato.graph.methods.private_projection import projected_degrees
from sfumato.graph.network import Network


class Count(StrEnum):
    """What is counted."""

    NODES = "nodes"
    EDGES = "edges"
    WEDGES = "wedges"
    """pairs of neighbours of a node: paths of two edges"""
    TRIANGLES = "triangles"


@dataclass(frozen=True)
class DpCounts:
    """Publish one count with noise. What one neighbour does to it:

    | count | edges | nodes |
    |---|---|---|
    | ``nodes`` | public: refused | 1 |
    | ``edges`` | 1 | θ, after projection |
    | ``wedges`` | 2(θ − 1), after projection | 3θ(θ − 1)/2, after projection |
    | ``triangles`` | by the ladder of the network, no θ | refused |

    **Proofs.** The projection π_θ (``private_projection``) leaves degrees with Σ|δ| ≤ 2 for an edge and
    Σ|δ| ≤ t ≤ θ for a node, which has t neighbours itself. *Edges* after it are half the sum of degrees: one
    node changes them by (t + Σδ)/2, between 0 and t ≤ θ. *Wedges* are Σ d(d − 1)/2: from a to b they change
    by |a − b|·(a + b − 1)/2 ≤ |a − b|·(θ − 1), as a and b are different and at most θ; so by 2(θ − 1) for an
    edge, and for a node by t(θ − 1) and its own t(t − 1)/2, together at most 3θ(θ − 1)/2. Which edges a
    projection keeps is not stable, so triangles after it have no such bound, and under node privacy they are
    refused.

    θ is chosen without looking at the data. Published is one column named as the count, with one row: a whole
    number, cut off at 0 (and at what n public nodes allow), which is postprocessing.

    >>> from sfumato.graph.network import Network
    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    >>> DpCounts("edges", epsilon=100).protect(Problem(star, ())).published.columns["edges"].tolist()
    [4.0]
    """

    count: Count
    epsilon: Number | None = None
    """None spends what the promise of differential privacy allows"""
    neighbours: Differing = Differing.EDGE
    theta: int | None = None
    name: ClassVar[str] = "dp-counts"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.count not in tuple(Count):
            raise BadInput("there is no such count", where=self.name, remedy=nearest(str(self.count), Count))
        object.__setattr__(self, "count", Count(self.count))
        if self.epsilon is not None:
            exact_epsilon(self.epsilon)
        object.__setattr__(self, "neighbours", differing(self.neighbours, self.name))
        by_edge = self.neighbours is Differing.EDGE
        if self.count is Count.NODES and by_edge:
            raise BadInput(
                "the number of nodes is public when neighbours differ in an edge",
                where=self.name,
                remedy="choose neighbours 'node'",
            )
        if self.count is Count.TRIANGLES and not by_edge:
            raise BadInput(
                "triangles of neighbours that differ in a node have no bound that could be kept",
                where=self.name,
                remedy="choose neighbours 'edge', or another count",
            )
        if self.theta is not None and not self._projects:
            raise BadInput(
                "this count needs no bound of neighbours", where=self.name, remedy="leave theta out"
            )
        least = 2 if self.count is Count.WEDGES else 1
        check_theta(self.theta, needed=self._projects, least=least, where=self.name)

    @property
    def _projects(self) -> bool:
        return self.count is Count.WEDGES or (self.count is Count.EDGES and self.neighbours is Differing.NODE)

    def enforces(self, demand: Demand) -> bool:
        """Differential privacy for its neighbours, if its ε is no less than the method's own."""
        return can_keep(demand, self.epsilon, self.neighbours)

    def sensitivity(self) -> int | None:
        """Return Δ of the count; None for triangles, whose noise goes by a ladder."""
        if self.count is Count.TRIANGLES:
            return None
        if self.theta is None:
            return 1
        if self.count is Count.EDGES:
            return self.theta
        by_edge = self.neighbours is Differing.EDGE
        return 2 * (self.theta - 1) if by_edge else 3 * self.theta * (self.theta - 1) // 2

    def protect(
        self, problem: Problem, *, progress: Progress = SILENT, random: Random | None = None
    ) -> Solution:
        """Count, add noise, cut off."""
        epsilon = allowed(self.epsilon, self.neighbours, problem.models, self.name)
        network = problem.network
        progress.step(f"counting {self.count}")
        change = self.sensitivity()
        if change is None:
            noisy = _triangles(network, epsilon, random)
            details = described("ladder", self.neighbours, random)
        else:
            noise = DiscreteLaplace.of(epsilon, change)
            exact_count = np.array([_counted(self.count, network, self.theta, random)], np.int64)
            noisy = int(noise.add(exact_count, random)[0])
            details = described(noise.name, self.neighbours, random, scale=noise.scale)
        told = max(noisy, 0)
        if self.neighbours is Differing.EDGE:
            told = min(told, _most(self.count, network.nodes))
        return Solution(
            Statistics({self.count.value: np.array([told], np.float64)}, self.count.value),
            spent={"epsilon": written_above(epsilon)},
            details=details,
        )


def _counted(count: Count, network: Network, theta: int | None, random: Random | None) -> int:
    if count is Count.NODES:
        return network.nodes
    if theta is None:
        return network.edges
    degrees = projected_degrees(network, theta, random)
    if count is Count.EDGES:
        return int(degrees.sum()) // 2
    return int((degrees * (degrees - 1) // 2).sum())


def _triangles(network: Network, epsilon: Fraction, random: Random | None) -> int:
    from sfumato.graph.statistics import triangle_count

    return ladder_of(network).draw(triangle_count(network), epsilon, random)


def _most(count: Count, nodes: int) -> int:
    """Return the greatest count in any network of so many nodes, a number that is public."""
    pairs = nodes * (nodes - 1) // 2
    thirds = max(nodes - 2, 0)
    return {Count.EDGES: pairs, Count.WEDGES: pairs * thirds, Count.TRIANGLES: pairs * thirds // 3}[count]
