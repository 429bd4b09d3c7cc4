"""How fast rumours spread: what became of the two greatest eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.graph.contract import Publishable
from sfumato.graph.network import Network
from sfumato.graph.utility.behind import networks_behind

_DENSE = 64
_STEPS = 30
_RESTARTS = 60
_CLOSE = 1e-5
_NOTHING = 1e-10


@dataclass(frozen=True)
class SpectralGap:
    """How far the gap between the two greatest eigenvalues moved, relative to the greatest.

        |(λ₁' − λ₂') − (λ₁ − λ₂)| / λ₁,  λ₁ ≥ λ₂ ≥ … the eigenvalues of the adjacency matrix

    λ₁ decides whether what spreads along edges dies out, the gap how fast a walk forgets where it began
    (X. Ying & X. Wu, "Randomizing social networks: a spectrum preserving approach", 2008). Eigenvalues are
    found by C. Lanczos's method (1950), all directions kept orthogonal, begun anew from the best so far, to
    10⁻⁵ of λ₁; ``seed`` draws where it begins. None where that is not reached, where there are fewer than two
    nodes, and for an original without edges.

    >>> triangle = Network.of_edges(3, np.array([[0, 1], [1, 2], [0, 2]]))
    >>> path = Network.of_edges(3, np.array([[0, 1], [1, 2]]))
    >>> round(SpectralGap().of(triangle, path).value, 3)
    0.793
    """

    seed: int = 1
    name: ClassVar[str] = "spectral-gap"
    title: ClassVar[str] = "change of the spectral gap"
    range: ClassVar[str] = "0 … ∞"
    meaning: ClassVar[str] = "how far the gap of the two greatest eigenvalues moved, relative to the greatest"

    def of(self, original: Network, published: Publishable) -> Measured | None:
        """Compare the gaps."""
        networks = networks_behind(published, self.seed)
        if not original.edges or not networks:
            return None
        before = two_greatest(original, self.seed)
        found = [two_greatest(network, self.seed) for network in networks]
        after = [pair for pair in found if pair is not None]
        if before is None or len(after) < len(found):
            return None
        first, second = np.mean(after, axis=0).tolist()
        details: dict[str, int | float | str] = {
            "greatest before": before[0],
            "greatest after": first,
            "gap before": before[0] - before[1],
            "gap after": first - second,
        }
        if not isinstance(published, Network):
            details["possible worlds"] = len(networks)
        return Measured(abs((first - second) - (before[0] - before[1])) / before[0], details)


def two_greatest(network: Network, seed: int = 1) -> tuple[float, float] | None:
    """Return the two greatest eigenvalues of the adjacency matrix; None where they are not found.

    >>> two_greatest(Network.of_edges(4, np.array([[0, 1], [2, 3]])))
    (1.0, 1.0)
    """
    if network.nodes < 2:
        return None
    if network.nodes <= _DENSE:
        matrix = np.zeros((network.nodes, network.nodes))
        pairs = network.pairs()
        matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = 1.0
        values = np.linalg.eigvalsh(matrix).round(12)
        return float(values[-1]), float(values[-2])
    generator = np.random.default_rng(seed)
    known = np.zeros((0, network.nodes))
    values = np.zeros(2)
    for number in range(2):
        found = _greatest_beside(network, known, generator.standard_normal(network.nodes))
        if found is None:
            return None
        values[number], vector = found
        known = np.vstack([known, vector])
    # The second may come out first where both are equal but for rounding.
    return float(values.max()), float(values.min())


def _greatest_beside(
    network: Network, known: NDArray[np.float64], start: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]] | None:
    """Return the greatest eigenvalue among directions orthogonal to those known, and its vector."""
    from sfumato.graph.utility._kernels_spectrum import times

    fixed = len(known)
    # The directions known lie before those of the search, so that one product removes both.
    basis = np.empty((fixed + _STEPS, network.nodes))
    basis[:fixed] = known
    vector, product = start, np.empty(network.nodes)
    for _ in range(_RESTARTS):
        image = np.zeros((_STEPS, _STEPS))
        remainder = vector - (basis[:fixed] @ vector) @ basis[:fixed]
        length, steps = float(np.linalg.norm(remainder)), 0
        while steps < _STEPS and length > _NOTHING:
            at = fixed + steps
            basis[at] = remainder / length
            times(network.offsets, network.neighbours, basis[at], product)
            held = basis[: at + 1]
            shares = held @ product
            image[steps, : steps + 1] = shares[fixed:]
            remainder = product - shares @ held
            # Once leaves a trace of rounding; twice is enough (B. Parlett 1980).
            remainder -= (held @ remainder) @ held
            length = float(np.linalg.norm(remainder))
            steps += 1
        values, vectors = np.linalg.eigh(image[:steps, :steps], UPLO="L")
        value, weights = float(values[-1]), vectors[:, -1]
        vector = weights @ basis[fixed : fixed + steps]
        # How far A·v is from λ·v: no farther than this is an eigenvalue.
        if length * abs(float(weights[-1])) <= _CLOSE * max(abs(value), 1.0):
            return value, vector / float(np.linalg.norm(vector))
    return None
