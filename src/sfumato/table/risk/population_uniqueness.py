"""How many people are unique in the population, estimated from the class sizes of a sample.

L. V. Zayatz, "Estimation of the percent of unique population elements on a microdata file using the
sample" (1991); N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment"
(2001); the choice between them: F. K. Dankar, K. El Emam, A. Neisa & T. Roffey, "Estimating the
re-identification risk of clinical data sets" (2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput
from sfumato.table.risk.class_sizes import checked_sizes

MOST_STEPS = 200
PITMAN_UP_TO = 0.1
"""the share of the population in the sample up to which Pitman's model is the better one"""

Numbers = NDArray[np.float64]


Estimator = Literal["zayatz", "pitman", "dankar"]
"""A model of the class sizes in the population: they are as in the sample (zayatz); they follow Pitman's
sampling formula, which knows that new classes keep coming (pitman); the latter for samples of up to a tenth
of the population where it converges, else the former (dankar)"""


@dataclass(frozen=True)
class PopulationUniqueness:
    """The share of the population that is unique in it; None where the estimate does not converge.

    >>> found = PopulationUniqueness.of([1, 1, 2, 4], 16, "zayatz")
    >>> round(found.share, 4), found.estimator
    (0.1405, 'zayatz')
    """

    share: float | None
    population: int
    estimator: Estimator
    """the one that was used, for Dankar's choice too"""

    @classmethod
    def of(cls, sizes: ArrayLike, population: int, estimator: Estimator) -> PopulationUniqueness:
        """Estimate it from the persons of every class of a sample."""
        counts = checked_sizes(sizes)
        sample = int(counts.sum())
        if sample > population:
            raise BadInput(
                f"a sample of {sample} persons cannot come from a population of {population}",
                remedy="check the size of the population",
            )
        chosen: Estimator = estimator
        if estimator == "dankar":
            chosen = "pitman" if sample <= PITMAN_UP_TO * population else "zayatz"
        # Who is not unique in the sample is not unique in the population either.
        if not (counts == 1).any():
            return cls(0.0, population, chosen)
        share = pitman(counts, population) if chosen == "pitman" else None
        if chosen == "pitman" and share is None and estimator == "dankar":
            chosen = "zayatz"
        if chosen == "zayatz":
            share = zayatz(counts, population)
        return cls(share, population, chosen)


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


def pitman(counts: NDArray[np.int64], population: int) -> float | None:
    """Return the share of uniques by Pitman's sampling formula, or None if its parameters are not found.

    E[uniques among N] = N^α · Γ(θ + 1) / Γ(θ + α) for large N, with the θ and α that make the sizes in the
    sample most likely.
    """
    found = pitman_parameters(counts)
    if found is None:
        return None
    theta, alpha = found
    uniques = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(population)
    return min(math.exp(uniques) / population, 1.0)


def pitman_parameters(counts: NDArray[np.int64]) -> tuple[float, float] | None:
    """Maximise the likelihood of θ > 0 and 0 < α < 1 by damped Newton steps; None without a maximum inside.

    ln L = Σ_{i<u} ln(θ + iα) − Σ_{i<n} ln(θ + i) + Σ_j c_j Σ_{i<j} ln(i − α),  u being the number of classes.
    """
    likelihood = _PitmanLikelihood.of(counts)
    place = np.array([math.log(max(len(counts) / 2.0, 1.0)), 0.0])
    value = likelihood.value(place)
    damping = 1e-3
    for _ in range(MOST_STEPS):
        slope, bend = likelihood.derivatives(place)
        if np.abs(slope).max() < 1e-9 * likelihood.persons:
            theta, alpha = _natural(place)
            return (theta, alpha) if 1e-6 < alpha < 1 - 1e-6 and theta > 1e-9 else None
        scale = np.diag(np.maximum(np.abs(np.diag(bend)), 1e-12))
        while damping < 1e12:
            try:
                step = np.clip(np.linalg.solve(damping * scale - bend, slope), -2.0, 2.0)
            except np.linalg.LinAlgError:
                step = slope * 0.0
            tried = likelihood.value(place + step)
            if tried > value or (tried == value and damping > 1):
                break
            damping *= 4
        else:
            return None
        place, value, damping = place + step, tried, max(damping / 8, 1e-12)
        if np.abs(place).max() > 40:
            return None
    return None


def _natural(place: Numbers) -> tuple[float, float]:
    """Return θ = e^x and α = 1 / (1 + e^−y): every place stands for allowed parameters."""
    return math.exp(float(place[0])), 1 / (1 + math.exp(-float(place[1])))


@dataclass(frozen=True)
class _PitmanLikelihood:
    """The logarithm of the likelihood, with what does not change computed once."""

    persons: int
    classes: Numbers
    """1 … u − 1"""
    drawn: Numbers
    """1 … n − 1"""
    larger: Numbers
    """for i = 1 …, how many classes have more than i persons"""

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> _PitmanLikelihood:
        many = np.bincount(counts)
        larger = many[::-1].cumsum()[::-1][2:].astype(np.float64)
        n = int(counts.sum())
        return cls(n, np.arange(1.0, len(counts)), np.arange(1.0, n), larger)

    def value(self, place: Numbers) -> float:
        theta, alpha = _natural(place)
        i = np.arange(1.0, len(self.larger) + 1)
        return float(
            np.log(theta + self.classes * alpha).sum()
            - np.log(theta + self.drawn).sum()
            + (self.larger * np.log(i - alpha)).sum()
        )

    def derivatives(self, place: Numbers) -> tuple[Numbers, Numbers]:
        """Return the slope and the second derivatives by x and y."""
        theta, alpha = _natural(place)
        i = np.arange(1.0, len(self.larger) + 1)
        old, new = 1 / (theta + self.classes * alpha), 1 / (theta + self.drawn)
        inner = 1 / (i - alpha)
        by_theta = old.sum() - new.sum()
        by_alpha = (self.classes * old).sum() - (self.larger * inner).sum()
        theta_theta = (new**2).sum() - (old**2).sum()
        alpha_alpha = -((self.classes * old) ** 2).sum() - (self.larger * inner**2).sum()
        both = -(self.classes * old**2).sum()
        along = alpha * (1 - alpha)
        slope = np.array([theta * by_theta, along * by_alpha])
        mixed = theta * along * both
        bend = np.array(
            [
                [theta**2 * theta_theta + theta * by_theta, mixed],
                [mixed, along**2 * alpha_alpha + along * (1 - 2 * alpha) * by_alpha],
            ]
        )
        return slope, bend
