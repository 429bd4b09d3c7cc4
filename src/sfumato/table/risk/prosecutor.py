"""Prosecutor risk: the adversary knows that a certain person is in the data.

K. El Emam and F. K. Dankar, "Protecting privacy using k-anonymity", Journal of the American Medical
Informatics Association 15(5), 2008; K. El Emam, "Guide to the De-Identification of Personal Health
Information", CRC Press, 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from numpy.typing import ArrayLike

from sfumato.core.errors import BadInput
from sfumato.table.risk.class_sizes import checked_sizes, number_of_persons

DEFAULT_THRESHOLD = Fraction(1, 5)
"""a class of fewer than five persons is above it: the usual limit for data that stay under a contract"""


@dataclass(frozen=True)
class ProsecutorRisk:
    """The chance to pick the record of a person who is known to be in the data.

    Someone in a class of f_i persons is found with chance 1 / f_i. With c classes and N persons:

    - ``highest`` = max 1 / f_i, ``lowest`` = min 1 / f_i;
    - ``average`` = (1/N) Σ f_i · (1 / f_i) = c / N, the share of records that would be found by guessing;
    - ``share_at_highest`` = (1/N) Σ {f_i : f_i = min f}, the persons with the highest risk;
    - ``share_above`` = (1/N) Σ {f_i : 1 / f_i > threshold}, strictly above, compared as fractions.

    >>> risk = ProsecutorRisk.of([1, 2, 5], threshold=0.2)
    >>> risk.highest, risk.average, risk.share_above
    (1.0, 0.375, 0.375)
    >>> print(risk)
    prosecutor risk: highest 100.0 %, average 37.5 %; 3 of 8 persons are above 20 % (37.5 %)
    """

    highest: float
    lowest: float
    average: float
    share_at_highest: float
    threshold: Fraction
    above: int
    share_above: float
    persons: int

    @classmethod
    def of(
        cls, sizes: ArrayLike, persons: int | None = None, threshold: Fraction | float = DEFAULT_THRESHOLD
    ) -> ProsecutorRisk:
        """Measure it from the persons per class; ``persons`` is given when some are in several classes."""
        limit = exact_threshold(threshold)
        counts = checked_sizes(sizes)
        total = number_of_persons(counts, persons)
        if not total:
            return cls(0.0, 0.0, 0.0, 0.0, limit, 0, 0.0, 0)
        smallest, largest = int(counts.min()), int(counts.max())
        # 1/f > p/q for whole f is f < q/p, that is f ≤ ⌈q/p⌉ − 1.
        below = -(-limit.denominator // limit.numerator) - 1 if limit else largest
        above = min(int(counts[counts <= min(below, largest)].sum()), total)
        at_highest = min(int(counts[counts == smallest].sum()), total)
        return cls(
            highest=1 / smallest,
            lowest=1 / largest,
            average=min(len(counts) / total, 1 / smallest),
            share_at_highest=at_highest / total,
            threshold=limit,
            above=above,
            share_above=above / total,
            persons=total,
        )

    def __str__(self) -> str:
        verb = "is" if self.above == 1 else "are"
        return (
            f"prosecutor risk: highest {100 * self.highest:.1f} %, average {100 * self.average:.1f} %; "
            f"{self.above:,} of {self.persons:,} persons {verb} above {100 * float(self.threshold):.3g} % "
            f"({100 * self.share_above:.1f} %)"
        )


def exact_threshold(threshold: Fraction | float) -> Fraction:
    """Read a threshold as the fraction that was meant: 0.2 is 1/5, and 1/3 in floating point is 1/3."""
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or not 0 <= threshold <= 1:
        raise BadInput("the risk threshold must lie between 0 and 1", remedy="for example 0.2")
    return Fraction(threshold).limit_denominator(10**9)
