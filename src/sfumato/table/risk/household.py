"""Household risk: who finds one member of a household finds them all.

L. Franconi & S. Polettini, "Individual risk estimation in μ-Argus: a review" (2004); M. Templ, A. Kowarik &
B. Meindl, "Statistical disclosure control for micro-data using the R package sdcMicro" (2015), who call it
hierarchical risk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD, exact_threshold

ALONE = -1
"""the number of a household for a person of whom none is known: a household of their own"""


@dataclass(frozen=True)
class HouseholdRisk:
    """The chance that at least one member of a person's household is found.

    With the risks r_i of the members of household h, found independently of each other,

        R_h = 1 − Π_{i ∈ h} (1 − r_i),

    and every member has the risk R_h, since the file says who lives together.

    - ``expected`` = Σ over persons of R_h; ``expected_households`` = Σ over households of R_h;
    - ``average`` = expected / N; ``highest`` and ``lowest`` over the persons;
    - ``above``, ``share_above``: persons with R_h > threshold, strictly.

    It is about linking records to people on the declared quasi-identifiers of each person alone. An adversary
    who knows the whole household (its size, all ages together) finds more: give such facts as
    quasi-identifiers of every member.

    >>> risk = HouseholdRisk.of([0.5, 0.5, 0.1, 0.2], [7, 7, 3, -1])
    >>> risk.risks.round(3).tolist()
    [0.75, 0.75, 0.1, 0.2]
    >>> print(risk)
    household risk: 1.8 of 4 expected to be found (45.0 %), highest 75.0 %; 2 persons are above 20 % (50.0 %)
    """

    risks: NDArray[np.float64] = field(repr=False, compare=False)
    """R_h for every person, in the order in which they were given"""
    expected: float
    expected_households: float
    average: float
    highest: float
    lowest: float
    threshold: Fraction
    above: int
    share_above: float
    persons: int
    households: int
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(
        cls, risks: ArrayLike, households: ArrayLike, threshold: Fraction | float = DEFAULT_THRESHOLD
    ) -> HouseholdRisk:
        """Measure it from each person's own risk and the number of their household.

        The own risk is ``IndividualRisk.risks`` of the person's class, or 1 / f for a prosecutor. Households
        are whole numbers from 0; −1 stands for a person of whom no household is known.
        """
        limit = exact_threshold(threshold)
        own, house = _checked(risks, households)
        alone = np.flatnonzero(house == ALONE)
        house[alone] = int(house.max()) + 1 + np.arange(len(alone))
        if int(house.max()) >= 4 * len(house):
            # Numbers with large gaps are numbered anew; otherwise an array with gaps is cheaper than sorting.
            _, house = np.unique(house, return_inverse=True)
        with np.errstate(divide="ignore"):
            # ln(1 − r) is −∞ for somebody who is found for certain, and so is the sum.
            missed = np.bincount(house, np.log1p(-own))
        found = -np.expm1(missed)
        shared: NDArray[np.float64] = found[house]
        shared.flags.writeable = False
        above = int((shared > float(limit)).sum())
        return cls(
            risks=shared,
            expected=float(shared.sum()),
            expected_households=float(found.sum()),
            average=float(shared.mean()),
            highest=float(shared.max()),
            lowest=float(shared.min()),
            threshold=limit,
            above=above,
            share_above=above / len(own),
            persons=len(own),
            households=int((np.bincount(house) > 0).sum()),
        )

    def __str__(self) -> str:
        noun = "person is" if self.above == 1 else "persons are"
        return (
            f"household risk: {self.expected:,.1f} of {self.persons:,} expected to be found "
            f"({100 * self.average:.1f} %), highest {100 * self.highest:.1f} %; {self.above:,} {noun} above "
            f"{100 * float(self.threshold):.3g} % ({100 * self.share_above:.1f} %)"
        )


def _checked(risks: ArrayLike, households: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    own, house = np.atleast_1d(np.asarray(risks, np.float64)), np.atleast_1d(np.asarray(households))
    if not own.size:
        raise BadInput("there is nobody whose risk could be measured", where="household risk")
    if own.ndim != 1 or own.shape != house.shape:
        raise BadInput(
            f"{own.size:,} persons need as many numbers of households, not {house.size:,}",
            where="household risk",
        )
    if not ((own >= 0) & (own <= 1)).all():
        raise BadInput("the risk of a person lies between 0 and 1", where="household risk")
    if house.dtype.kind not in "iu" or int(house.min()) < ALONE:
        raise BadInput(
            "households must be whole numbers",
            where="household risk",
            remedy="number them from 0, and give −1 to a person of whom no household is known",
        )
    return own, house.astype(np.int64)
