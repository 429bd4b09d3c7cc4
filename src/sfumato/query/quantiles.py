"""Quantiles by the exponential mechanism over public candidates.

A. Smith, "Privacy-preserving statistical estimation with optimal convergence rates" (2011). Candidate v for
the a-quantile gets the score

    s(v) = −|(1 − a) · #{x < v} − a · #{x > v}|

and wins with a probability ∝ e^(ε s / 2Δ). With a = p/q the scores times q are whole numbers. A row that is
added or removed changes s by at most max(a, 1 − a), one that moves from below v to above it by 1.

Over groups the mechanism runs in each of them with the same Δ, where Δ is the largest *sum over groups* of
the changes that one person makes: a group whose scores change by Δᵢ costs ε Δᵢ/Δ, and these add up to ε at
most. Candidates are the points of the grid between the bounds; where there are more than fit, every n-th.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dp import sensitivity as known
from sfumato.query.question import Measure
from sfumato.query.statistics import Reach, units

CANDIDATES = 100_000
"""most candidates of all groups together, as long as each has enough"""
ENOUGH = 1_000
MOST_CELLS = 10_000_000


@dataclass(frozen=True)
class Candidates:
    """The points lower, lower + step, … that a quantile can be, in grid units.

    >>> Candidates(17, 1, 74).positions
    74
    """

    lower: int
    step: int
    count: int

    @classmethod
    def of(cls, measure: Measure, groups: int) -> Candidates:
        """Choose the points from the declared bounds."""
        assert measure.expression is not None
        lower, upper = units(measure.expression)
        most = max(ENOUGH, CANDIDATES // groups)
        step = -(-(upper - lower + 1) // most)
        count = (upper - lower) // step + 1
        if count * groups > MOST_CELLS:
            raise BadInput(
                "a quantile of so many groups would take too long",
                where=f"'{measure.name}'",
                remedy="group by fewer values",
            )
        return cls(lower, step, count)

    @property
    def positions(self) -> int:
        """Places that a value can have: at a candidate, and, with steps, between two."""
        return self.count if self.step == 1 else 2 * self.count

    def position(self, column: str) -> str:
        """Return the SQL of the place of a value: 2j at the candidate j, 2j + 1 after it (j with step 1)."""
        away = f"({column} - {self.lower})"
        if self.step == 1:
            return away
        return f"(2 * ({away} // {self.step}) + CAST({away} % {self.step} <> 0 AS BIGINT))"

    def scores(self, histogram: NDArray[np.int64], quantile: Fraction) -> NDArray[np.int64]:
        """Return the scores of all candidates, times the quantile's denominator.

        >>> Candidates(0, 1, 3).scores(np.array([1, 0, 2]), Fraction(1, 2)).tolist()
        [-2, -1, -1]
        """
        up_to = np.cumsum(histogram)
        total = up_to[-1]
        each = 1 if self.step == 1 else 2
        at = slice(0, each * self.count, each)
        below = up_to[at] - histogram[at]
        above = total - up_to[at]
        a, whole = quantile.numerator, quantile.denominator
        found: NDArray[np.int64] = -np.abs((whole - a) * below - a * above)
        return found


def score_sensitivity(measure: Measure, reach: Reach) -> Fraction:
    """Return the largest sum over groups of the change of scores, in the units of ``Candidates.scores``."""
    assert measure.quantile is not None
    a = measure.quantile
    return known.total(-a, 1 - a, reach.contribution, reach.neighbours).l1 * a.denominator
