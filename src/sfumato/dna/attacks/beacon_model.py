"""How likely a Beacon is to say yes: with and without the person who asks, truthfully or not.

The form with known frequencies is that of J. L. Raisaro and others, "Addressing Beacon re-identification
attacks", JAMIA 24(4), 2017.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.attacks.contract import check_count


@dataclass(frozen=True)
class BeaconModel:
    """What the adversary holds of a Beacon over ``people`` people.

    With frequency f of the allele, D_n = (1 − f)^2n is the chance that none of n people carries it. Asked for
    an allele that the person carries, the Beacon says no

        with chance D_N        if the person is not in it,
        with chance δ D_{N−1}  if they are, δ = ``error`` being the chance that their allele was misread.

    A Beacon that hides alleles of fewer than ``least`` carriers says no when there are fewer, which an
    adversary who knows it counts in: with C(n) carriers among n people, P(C(N) < least) and
    (1 − δ) P(C(N − 1) < least − 1) + δ P(C(N − 1) < least). Where each of them is hidden with chance
    ``hidden`` only, so much of this and the rest of the former. One that answers wrongly with chance
    ``flip`` says no with chance x (1 − flip) + (1 − x) flip where it would have with chance x.
    """

    people: int
    error: float = 0.001
    flip: float = 0.0
    least: int = 1
    hidden: float = 1.0

    def __post_init__(self) -> None:
        check_count(self.people, "people", "beacon")
        check_count(self.least, "least", "beacon")
        if not 0 < self.error < 1:
            raise BadInput("'error' must lie between 0 and 1", where="beacon", remedy="0.001 is usual")
        if not 0 <= self.hidden <= 1:
            raise BadInput("'hidden' must lie between 0 and 1", where="beacon", remedy="1 hides all of them")
        if not 0 <= self.flip < 0.5:
            raise BadInput("'flip' must be at least 0 and below one half", where="beacon", remedy="try 0.1")

    def evidence(self, frequency: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return ln P(answer | outside) / P(answer | inside) for each site, if it is no and if it is yes.

        >>> no, yes = BeaconModel(4).evidence(np.array([0.01, 0.05, 0.2]))
        >>> round(float(yes[0] + yes[1] + no[2]), 10)
        2.8135850791
        """
        outside, inside = self._no(frequency, 1)
        if self.least > 1:
            rarer = self._no(frequency, self.least)
            outside = (1 - self.hidden) * outside + self.hidden * rarer[0]
            inside = (1 - self.hidden) * inside + self.hidden * rarer[1]
        outside, inside = (x * (1 - self.flip) + (1 - x) * self.flip for x in (outside, inside))
        tiny = np.finfo(np.float64).tiny
        no = np.log(np.maximum(outside, tiny)) - np.log(np.maximum(inside, tiny))
        yes = np.log(np.maximum(1 - outside, tiny)) - np.log(np.maximum(1 - inside, tiny))
        return no, yes

    def _no(
        self, frequency: NDArray[np.float64], least: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The chances of an honest no, outside and inside, where fewer than ``least`` carriers are hidden."""
        others = self.people - 1
        read = self._fewer(others, least - 1, frequency)
        misread = self._fewer(others, least, frequency)
        inside = (1 - self.error) * read + self.error * misread
        return self._fewer(self.people, least, frequency), inside

    @staticmethod
    def _fewer(people: int, least: int, frequency: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(fewer than ``least`` of so many people carry the allele)."""
        without = np.clip((1 - frequency) ** 2, 1e-300, 1 - 1e-15)
        total = np.zeros_like(frequency)
        term = without**people
        for carriers in range(min(least, people + 1)):
            total += term
            term = term * (people - carriers) / (carriers + 1) * (1 - without) / without
        return np.clip(total, 0.0, 1.0)
