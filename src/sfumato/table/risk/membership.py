"""Membership exposure: how surely a list of the population tells who is in the data.

M. E. Nergiz, M. Atzori & C. Clifton, "Hiding the presence of individuals from shared databases" (2007):
δ-presence, seen as a measure instead of a promise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.verdict import Threat
from sfumato.table.risk.against import Against
from sfumato.table.risk.prosecutor import exact_threshold

MORE_LIKELY_THAN_NOT = Fraction(1, 2)


@dataclass(frozen=True)
class MembershipExposure:
    """The chance that somebody of the population is in the data, given their quasi-identifiers.

    In class i it is δ_i = min(f_i, F_i) / F_i, with f_i persons in the data and F_i in the population. Over
    the classes of the population:

    - ``least`` = min δ_i and ``greatest`` = max δ_i, the bounds that δ-presence would have to allow;
    - ``mean`` = (1/N) Σ F_i δ_i, for somebody drawn from the population: the sampling fraction;
    - ``share_above`` = (1/N) Σ {F_i : δ_i > threshold}, strictly above, in whole numbers;
    - ``surely_in`` and ``surely_out``: people of the population with δ_i = 1 and δ_i = 0.

    Being in the data may itself be what harms: a register of patients says that they are ill. The measure
    supposes that the list holds the whole population, and sees nothing but these columns.

    >>> found = MembershipExposure.of(Against.of([1, 2, 0], [1, 4, 5]))
    >>> found.least, found.greatest, found.mean, found.surely_in, found.surely_out
    (0.0, 1.0, 0.3, 1, 5)
    >>> print(found)
    membership: from 0.0 % to 100.0 %, mean 30.0 %; 1 of 10 people of the population is above 50 % (10.0 %)
    """

    least: float
    greatest: float
    mean: float
    threshold: Fraction
    above: int
    share_above: float
    surely_in: int
    surely_out: int
    population: int
    threat: ClassVar[Threat] = Threat.MEMBERSHIP

    @classmethod
    def of(cls, against: Against, threshold: Fraction | float = MORE_LIKELY_THAN_NOT) -> MembershipExposure:
        """Compare every class of the population with the data."""
        limit = exact_threshold(threshold)
        listed = against.population > 0
        everybody = against.population[listed]
        inside = np.minimum(against.sample[listed], everybody)
        shares = inside / everybody
        total = int(everybody.sum())
        above = int(everybody[_exceeds(inside, limit, everybody)].sum())
        return cls(
            least=float(shares.min()),
            greatest=float(shares.max()),
            mean=int(inside.sum()) / total,
            threshold=limit,
            above=above,
            share_above=above / total,
            surely_in=int(everybody[inside == everybody].sum()),
            surely_out=int(everybody[inside == 0].sum()),
            population=total,
        )

    def __str__(self) -> str:
        verb = "is" if self.above == 1 else "are"
        return (
            f"membership: from {100 * self.least:.1f} % to {100 * self.greatest:.1f} %, "
            f"mean {100 * self.mean:.1f} %; {self.above:,} of {self.population:,} people of the population "
            f"{verb} above {100 * float(self.threshold):.3g} % ({100 * self.share_above:.1f} %)"
        )


def _exceeds(inside: NDArray[np.int64], limit: Fraction, everybody: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say where inside / everybody > limit, in whole numbers: thresholds have denominators up to 10⁹."""
    top = int(everybody.max())
    if top * max(limit.numerator, limit.denominator) < 2**63:
        return inside * limit.denominator > everybody * limit.numerator
    pairs = zip(inside.tolist(), everybody.tolist(), strict=True)
    return np.array([f * limit.denominator > big * limit.numerator for f, big in pairs], np.bool_)
