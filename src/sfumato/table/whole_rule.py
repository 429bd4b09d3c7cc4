"""What a model asks of the sizes of all classes together: a share, an average, an estimate.

No single class keeps or breaks such a promise, so none can be suppressed for it. The smallest classes
say most about their people and cost least to leave out: they go first, as many as it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.risk.population_uniqueness import Estimator, PopulationUniqueness

Ints = NDArray[np.int64]


class WholeKind(StrEnum):
    """The predicates on the multiset of class sizes. n is their sum, m their number, u how many are 1."""

    AVERAGE = "average"
    """m / n ≤ share"""
    UNIQUE = "unique"
    """u / n ≤ share"""
    UNIQUE_IN_POPULATION = "unique in the population"
    """the estimated share of the population that is unique ≤ share"""


@dataclass(frozen=True)
class WholeRule:
    """A predicate on the sizes of all published classes.

    >>> WholeRule(WholeKind.AVERAGE, Fraction(1, 4)).holds(np.array([1, 7]))
    True
    """

    kind: WholeKind
    share: Fraction
    population: int = 0
    estimator: Estimator = "dankar"

    @property
    def monotone(self) -> bool:
        """Whether dividing classes never mends it, nor leaving out others than the smallest.

        Of all sets of p classes the p smallest have the fewest rows, the most classes for them, and the most
        classes of one. So the least number of rows that have to go is theirs. A node below divides classes
        further: it has no fewer of them, and no fewer of one, whoever is left out. Nothing of the kind is
        known of estimates.
        """
        return self.kind is not WholeKind.UNIQUE_IN_POPULATION

    def holds(self, sizes: Ints) -> bool:
        """Check whether classes of these sizes keep the promise; no classes keep any."""
        total = int(sizes.sum())
        if not total:
            return True
        a, b = self.share.numerator, self.share.denominator
        match self.kind:
            case WholeKind.AVERAGE:
                return len(sizes) * b <= total * a
            case WholeKind.UNIQUE:
                return int((sizes == 1).sum()) * b <= total * a
            case WholeKind.UNIQUE_IN_POPULATION:
                if total > self.population:
                    raise BadInput(
                        f"a sample of {total} persons cannot come from a population of {self.population}",
                        remedy="give the size of the population that the sample comes from",
                    )
                found = PopulationUniqueness.of(sizes, self.population, self.estimator)
                return found.share is not None and found.share <= self.share

    def in_words(self) -> str:
        """Name what is asked, for errors."""
        share = f"{float(self.share):g}"
        match self.kind:
            case WholeKind.AVERAGE:
                return f"an average risk of at most {share}"
            case WholeKind.UNIQUE:
                return f"a share of at most {share} who are alone"
            case WholeKind.UNIQUE_IN_POPULATION:
                return f"an estimated share of at most {share} of the population who are alone"


def smallest_first(
    rules: tuple[WholeRule, ...],
    ways: tuple[Ints, ...],
    starred: list[int] | None = None,
    most: int | None = None,
) -> int | None:
    """Return how many of the smallest classes have to go; None when more than ``most`` do, or all.

    ``ways`` are the sizes of the classes in the order in which they go, in persons and, where somebody has
    several rows, in rows: the promise is to hold for both. Where what is left out stays as a class,
    ``starred`` is how large that class is already. The number is found by halving: it is the least where
    leaving out more of the smallest never breaks a promise that was kept, and otherwise one that will do.
    """

    def kept(number: int) -> bool:
        for way, counted in enumerate(ways):
            shown = counted[number:]
            if starred is not None and (hidden := starred[way] + int(counted[:number].sum())):
                shown = np.append(shown, hidden)
            if not all(rule.holds(shown) for rule in rules):
                return False
        return True

    if kept(0):
        return 0
    last = len(ways[0]) - 1
    most = last if most is None else most
    # Without those who are alone, nobody is: where that will do, it needs no estimate.
    low, high = 0, min(int((ways[0] == 1).sum()), last)
    if high < 1 or not kept(high):
        low, high = high, last
        if high <= low or not kept(high):
            return None
    while high - low > 1 and low < most:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high if high <= most else None
