"""The number of triangles, differentially private for edges without any bound on degrees: a ladder.

J. Zhang, G. Cormode, C. Procopiuc, D. Srivastava & X. Xiao, "Private release of graph statistics using ladder
functions" (2015); the sensitivity of triangles near a network: K. Nissim, S. Raskhodnikova & A. Smith (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.mechanisms.sampler import LARGEST, check_scale, geometric
from sfumato.graph.network import Network

_FIRST, _MOST = 64, 2**16


@dataclass(frozen=True)
class Ladder:
    """Whole numbers around the true one in rungs, each e^(ε/2) times less likely than the one before.

    One edge (i, j) more or less changes the triangles by the common neighbours of i and j; these are at most
    a(G), the most of any pair, and at most n − 2. One edge changes a by 1 at most. So with

        I_t(G) = min(a(G) + t, n − 2):    |f(G) − f(G′)| ≤ I_0(G′)    and    I_t(G) ≤ I_{t+1}(G′)

    for neighbours. Let S_t = I_0 + … + I_{t−1}, and let x lie on rung q(x) = min {t : |x − f| ≤ S_t}. Then
    |x − f(G′)| ≤ S_t(G) + I_0(G′) ≤ S_{t+1}(G′) where t is the rung of x for G: rungs of neighbours differ
    by 1 at most, and Pr[x] ∝ e^(−ε q(x)/2) is ε-private (the exponential mechanism).

    Drawn exactly: a rung t from the geometric distribution and u from {0, …, 2(n − 2) − 1}, until u is less
    than the places on the rung (1 for t = 0, else 2·I_{t−1}); u is then the place. How long that takes
    depends on a(G): do not let an adversary measure it.

    >>> Ladder(nodes=10, shared=2).reach(3)
    9
    """

    nodes: int
    shared: int
    """a(G), the most common neighbours of two nodes"""

    @property
    def widest(self) -> int:
        """The most that one edge can change in any network of so many nodes."""
        return max(self.nodes - 2, 0)

    def step(self, rung: int) -> int:
        """Return I_t."""
        return min(self.shared + rung, self.widest)

    def reach(self, rung: int) -> int:
        """Return S_t."""
        rising = min(rung, self.widest - self.shared)
        return rising * self.shared + rising * (rising - 1) // 2 + (rung - rising) * self.widest

    def draw(self, value: int, epsilon: Fraction, random: Random | None = None) -> int:
        """Return the value with noise, saturated at ±2⁶²; with no room for triangles the value itself."""
        if not self.widest:
            return value
        source = SecretRandom() if random is None else random
        check_scale(2 / epsilon)
        size = _FIRST
        while True:
            rungs = geometric(2 / epsilon, size, random)
            places = source.integers(2 * self.widest, size)
            size = min(2 * size, _MOST)
            room = np.minimum(self.shared + np.maximum(rungs, 1).astype(np.float64) - 1, self.widest)
            # Floats only leave out what is far from fitting; whole numbers decide.
            for at in np.flatnonzero(places <= 2 * room + 2).tolist():
                rung, place = int(rungs[at]), int(places[at])
                if not rung:
                    if place < 1:
                        return value
                elif place < 2 * self.step(rung - 1):
                    away = self.reach(rung - 1) + 1 + place // 2
                    return max(-LARGEST, min(LARGEST, value + (away if place % 2 else -away)))


def ladder_of(network: Network) -> Ladder:
    """Return the ladder of a network's triangles."""
    from sfumato.graph.methods._kernels_private import most_common_neighbours

    return Ladder(network.nodes, int(most_common_neighbours(network.offsets, network.neighbours)))
