"""How many nodes have how many neighbours, with noise: differentially private for edges, or for people.

W.-Y. Day, N. Li & M. Lyu, "Publishing graph degree distribution with node differential privacy" (2016).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, written_above
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.parameters import exact_epsilon
from sfumato.graph.contract import Demand, Problem, Solution, Statistics
from sfumato.graph.methods.private_noise import (
    Differing,
    allowed,
    can_keep,
    check_theta,
    described,
    differing,
)
from sfumato.graph.methods.private_projection import projected_degrees
from sfumato.graph.methods.private_sequence import isotonic


@dataclass(frozen=True)
class DpDegreeHistogram:
    """Publish the number of nodes with 0, 1, …, θ neighbours, from noisy cumulative counts.

    With h_d the nodes with d neighbours and C_d = h_0 + … + h_d, discrete Laplace noise of scale Δ/ε is added
    to every C_d; the noisy counts are put in ascending order (isotonic regression) and their steps are
    published. That is less noise than on h itself: where C does not rise, as in the long tail of few hubs,
    noise is averaged away.

    **Sensitivity, edges** (``neighbours="edge"``). Degrees above θ count as θ; θ is n − 1 unless given.
    One edge more moves two nodes from d to d + 1 or leaves them at θ. A move changes h by 2 in sum and C by
    1: Δ = 4 for h and Δ = 2 for C. C_θ = n is public and gets no noise.

    **Sensitivity, nodes** (``neighbours="node"``). Counted are degrees after the projection π_θ (see
    ``private_projection``): one node v⁺ more, with t ≤ θ neighbours there, moves others by Σ|δ| ≤ t steps in
    all. Each step changes h by at most 2 in sum and C by 1; v⁺ itself adds 1 to h_t, and to C_t, …, C_θ:

        Δ = 2θ + 1 for h,    Δ = t + (θ − t + 1) = θ + 1 for C.

    The number of nodes is then not public: C_θ has noise like the rest.

    ``cumulative=False`` adds the noise to h instead and cuts it off at 0: for comparison. θ must be chosen
    without looking at the data. Small, it cuts neighbours off (bias); large, it costs noise.

    Published are the columns ``degree`` (0, 1, …, θ; the last stands for θ or more) and ``nodes`` (estimates,
    at least 0, not whole). Postprocessing of noisy counts, all of it.

    >>> from sfumato.graph.network import Network
    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    >>> made = DpDegreeHistogram(epsilon=100).protect(Problem(star, ()))
    >>> made.published.columns["nodes"].tolist()
    [0.0, 4.0, 0.0, 0.0, 1.0]
    """

    epsilon: Number | None = None
    """None spends what the promise of differential privacy allows"""
    neighbours: Differing = Differing.EDGE
    theta: int | None = None
    cumulative: bool = True
    name: ClassVar[str] = "dp-degree-histogram"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            exact_epsilon(self.epsilon)
        object.__setattr__(self, "neighbours", differing(self.neighbours, self.name))
        check_theta(self.theta, needed=self.neighbours is Differing.NODE, least=1, where=self.name)

    def enforces(self, demand: Demand) -> bool:
        """Differential privacy for its neighbours, if its ε is no less than the method's own."""
        return can_keep(demand, self.epsilon, self.neighbours)

    def sensitivity(self, theta: int) -> int:
        """Return Δ of what gets noise: see above."""
        if self.neighbours is Differing.EDGE:
            return 2 if self.cumulative else 4
        return theta + 1 if self.cumulative else 2 * theta + 1

    def protect(
        self, problem: Problem, *, progress: Progress = SILENT, random: Random | None = None
    ) -> Solution:
        """Count, add noise, and put in order again."""
        epsilon = allowed(self.epsilon, self.neighbours, problem.models, self.name)
        network = problem.network
        by_edge = self.neighbours is Differing.EDGE
        if by_edge and network.nodes < 2:
            raise BadInput("there are fewer than two nodes", where=self.name, remedy="give a larger network")
        theta = network.nodes - 1 if self.theta is None else self.theta
        progress.step("counting degrees")
        degrees = (
            np.minimum(network.degrees(), theta) if by_edge else projected_degrees(network, theta, random)
        )
        histogram = np.bincount(degrees, minlength=theta + 1).astype(np.int64)
        noise = DiscreteLaplace.of(epsilon, self.sensitivity(theta))
        nodes = self._noisy(histogram, network.nodes if by_edge else None, noise, random)
        columns = {"degree": np.arange(theta + 1, dtype=np.float64), "nodes": nodes}
        return Solution(
            Statistics(columns, "degree-histogram"),
            spent={"epsilon": written_above(epsilon)},
            details=described(noise.name, self.neighbours, random, scale=noise.scale),
        )

    def _noisy(
        self, histogram: NDArray[np.int64], people: int | None, noise: DiscreteLaplace, random: Random | None
    ) -> NDArray[np.float64]:
        """Return estimates of the histogram; ``people`` is the number of nodes where that is public."""
        if not self.cumulative:
            return np.maximum(noise.add(histogram, random), 0).astype(np.float64)
        below = np.cumsum(histogram)
        if people is None:
            fitted = np.maximum(isotonic(noise.add(below, random)), 0)
        else:
            fitted = np.append(np.clip(isotonic(noise.add(below[:-1], random)), 0, people), float(people))
        return np.diff(fitted, prepend=0.0)
