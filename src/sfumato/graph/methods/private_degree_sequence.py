"""The degree sequence with noise, put in order again: differentially private for edges.

M. Hay, C. Li, G. Miklau & D. Jensen, "Accurate estimation of the degree distribution of private networks"
(2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, written_above
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.parameters import exact_epsilon
from sfumato.graph.contract import Demand, Problem, Solution, Statistics
from sfumato.graph.methods.private_noise import Differing, allowed, can_keep, described
from sfumato.graph.methods.private_sequence import graphic, isotonic

SENSITIVITY = 2
"""one edge more raises two degrees by one; see below"""


@dataclass(frozen=True)
class DpDegreeSequence:
    """Publish the degrees of all nodes, ascending, with noise that is then averaged away as order allows.

        s = sorted degrees,    s̃ᵢ = sᵢ + discrete Laplace(2/ε),    published: argmin ‖x − s̃‖₂ with x₁ ≤ x₂ ≤ …

    clamped to [0, n − 1]. **Sensitivity.** One edge more raises the degrees of two nodes by one. Sorted, both
    sequences still differ by 2 in sum: sorting brings two sequences no further apart in L1, and their sums
    differ by exactly 2. Order, clamping and rounding look at noisy numbers alone: they are postprocessing.

    Published is one column ``degree``, a row for each node, ascending (so rows say nothing of who is who).
    The number of nodes is public. With ``graphic`` the numbers are whole and some network has them (Erdős &
    Gallai 1960); without, they are means and nearer on average.

    Protects each edge, not people: whoever has d neighbours is as well hidden as d edges together, at d·ε.
    For people see ``dp-degree-histogram`` with ``neighbours="node"``: for a sorted sequence, one node less
    moves all the others.

    >>> from sfumato.graph.network import Network
    >>> star = Network.of_edges(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    >>> made = DpDegreeSequence(epsilon=100, graphic=True).protect(Problem(star, ()))
    >>> made.published.columns["degree"].tolist(), made.spent
    ([1.0, 1.0, 1.0, 1.0, 4.0], {'epsilon': 100.0})
    """

    epsilon: Number | None = None
    """None spends what the promise of differential privacy allows"""
    graphic: bool = False
    name: ClassVar[str] = "dp-degree-sequence"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            exact_epsilon(self.epsilon)

    def enforces(self, demand: Demand) -> bool:
        """Differential privacy for edges, if its ε is no less than the method's own."""
        return can_keep(demand, self.epsilon, Differing.EDGE)

    def protect(
        self, problem: Problem, *, progress: Progress = SILENT, random: Random | None = None
    ) -> Solution:
        """Sort, add noise, and put in order again."""
        epsilon = allowed(self.epsilon, Differing.EDGE, problem.models, self.name)
        nodes = problem.network.nodes
        if not nodes:
            raise BadInput("there are no nodes", where=self.name, remedy="give a network with people in it")
        progress.step("adding noise to degrees")
        noise = DiscreteLaplace.of(epsilon, SENSITIVITY)
        noisy = noise.add(np.sort(problem.network.degrees()), random)
        fitted = np.clip(isotonic(noisy), 0, nodes - 1)
        if self.graphic:
            fitted = graphic(fitted).astype(np.float64)
        return Solution(
            Statistics({"degree": fitted}, "degree-sequence"),
            spent={"epsilon": written_above(epsilon)},
            details=described(noise.name, Differing.EDGE, random, scale=noise.scale),
        )
