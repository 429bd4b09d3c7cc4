"""How many people are unique in the population, estimated from the class sizes of a sample.

L. V. Zayatz, "Estimation of the percent of unique population elements on a microdata file using the
sample" (1991); the choice between this, Pitman's and the slide negative binomial model: F. K. Dankar,
K. El Emam, A. Neisa & T. Roffey, "Estimating the re-identification risk of clinical data sets" (2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.class_sizes import checked_sizes
from sfumato.table.risk.pitman import pitman
from sfumato.table.risk.slide_negative_binomial import slide_negative_binomial

PITMAN_UP_TO = Fraction(1, 10)
"""the share of the population in the sample up to which Pitman's model is the better one"""


Estimator = Literal["zayatz", "pitman", "slide-negative-binomial", "dankar"]
"""A model of the class sizes in the population: they are as in the sample (zayatz); they follow Pitman's
sampling formula, which knows that new classes keep coming (pitman); each is one person and a negative
binomial number of others (slide-negative-binomial); what Dankar et al. found best (dankar)"""


@dataclass(frozen=True)
class PopulationUniqueness:
    """The share of the population that is unique in it; None where there is no estimate.

    It is about people who could be singled out by somebody who does not know who is in the sample. What a
    unique person's record says, and people in small classes, are not looked at. Dankar's rule takes Pitman's
    model for samples of up to a tenth of the population, and Zayatz's where that does not converge; for
    larger samples the lower of Zayatz's and the slide negative binomial estimate, or the first without
    the second.

    >>> found = PopulationUniqueness.of([1, 1, 2, 4], 16, "zayatz")
    >>> print(found)
    population uniqueness: 14.05 % of 16 people by zayatz
    >>> PopulationUniqueness.of([1, 1, 1, 1], 1000, "pitman").said
    ("Pitman's model has no most likely parameters for these class sizes",)
    """

    share: float | None
    population: int
    estimator: Estimator
    """the one that was used, for Dankar's choice too"""
    said: tuple[str, ...] = ()
    """why there is no estimate, or why another one was taken, or how to read it"""
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(cls, sizes: ArrayLike, population: int, estimator: Estimator = "dankar") -> PopulationUniqueness:
        """Estimate it from the persons of every class of a sample."""
        counts = checked_sizes(sizes)
        sample = int(counts.sum())
        if sample > population:
            raise BadInput(
                f"a sample of {sample} persons cannot come from a population of {population}",
                remedy="check the size of the population",
            )
        small = sample <= PITMAN_UP_TO * population
        alone = int((counts == 1).sum())
        if not sample or not alone or sample == population:
            chosen: Estimator = estimator
            if estimator == "dankar":
                chosen = "pitman" if small else "zayatz"
            return cls._plain(alone, sample, population, chosen)
        if estimator == "dankar":
            return cls._by_dankar(counts, population, small)
        return cls._by(counts, population, estimator)

    @property
    def uniques(self) -> float | None:
        """How many people of the population are unique in it."""
        return None if self.share is None else self.share * self.population

    @classmethod
    def _plain(cls, alone: int, sample: int, population: int, chosen: Estimator) -> PopulationUniqueness:
        """Say what needs no model."""
        if not sample:
            return cls(None, population, chosen, ("there is nobody in the sample",))
        if sample == population:
            return cls(alone / sample, population, chosen, ("the data are the whole population: counted",))
        # The models know nobody else: who is not unique in the sample is not unique in the population either.
        return cls(
            0.0,
            population,
            chosen,
            ("nobody is unique in the sample, so none are expected: a small one may miss them",),
        )

    @classmethod
    def _by(cls, counts: NDArray[np.int64], population: int, estimator: Estimator) -> PopulationUniqueness:
        if estimator == "zayatz":
            return cls(zayatz(counts, population), population, estimator)
        model = pitman if estimator == "pitman" else slide_negative_binomial
        share, said = model(counts, population)
        return cls(share, population, estimator, (said,) if said else ())

    @classmethod
    def _by_dankar(cls, counts: NDArray[np.int64], population: int, small: bool) -> PopulationUniqueness:
        first = cls._by(counts, population, "pitman" if small else "slide-negative-binomial")
        if small and first.share is not None:
            return first
        second = cls._by(counts, population, "zayatz")
        if first.share is None:
            return cls(second.share, population, second.estimator, first.said)
        return min(second, first, key=lambda found: found.share or 0.0)

    def __str__(self) -> str:
        notes = "; ".join(self.said)
        if self.share is None:
            return f"population uniqueness: not known by {self.estimator}: {notes}"
        shown = f"population uniqueness: {100 * self.share:.4g} % of {self.population:,} people"
        return f"{shown} by {self.estimator}" + (f" ({notes})" if notes else "")


def zayatz(counts: NDArray[np.int64], population: int) -> float:
    """Return the share of uniques if sizes in the population are distributed as in the sample.

    P[unique in the population | unique in the sample] = c_1 h(1) / Σ_j c_j h(j),  where c_j classes have j
    persons and h(j) is the chance that a class of j has exactly one person in the sample (hypergeometric).
    """
    sample = int(counts.sum())
    sizes, many = np.unique(counts, return_counts=True)
    # h(j) = j · (n/N) · Π_{i < j − 1} (N − n − i) / (N − 1 − i)
    steps = np.arange(int(sizes[-1]) - 1, dtype=np.float64)
    missed = np.maximum(population - sample - steps, 0.0) / np.maximum(population - 1 - steps, 1.0)
    chance = np.concatenate([[1.0], np.cumprod(missed)])[sizes - 1] * sizes
    of_uniques = float(many[0] * chance[0] / (many * chance).sum())
    return of_uniques * int(many[0]) / sample
