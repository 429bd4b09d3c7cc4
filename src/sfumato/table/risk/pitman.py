"""Pitman's sampling formula: class sizes where new classes keep coming as more people are drawn.

J. Pitman, "Exchangeable and partially exchangeable random partitions" (1995); N. Hoshino, "Applying Pitman's
sampling formula to microdata disclosure risk assessment" (2001).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.table.risk.gamma import digamma, log_gamma, trigamma

Numbers = NDArray[np.float64]

MOST_STEPS = 200
FARTHEST = 40.0
"""logarithm of a parameter beyond which there is no maximum inside"""
MOST_EXPONENT = 700.0
"""e to a higher power is no number that a computer holds"""
FLAT = 1e-5
"""the slope per person below which ln L is at its top"""
LARGEST_SHAPE = 1e3
"""−α beyond which classes are equally likely, to the eye"""
MOST_OFF = 0.1
"""the share by which the formula for large populations may be off the expectation"""

NO_PARAMETERS = "Pitman's model has no most likely parameters for these class sizes"
NOT_LARGE = "the population is not large enough for the usual formula, so the exact expectation was taken"


@dataclass(frozen=True)
class Pitman:
    """The parameters that make the class sizes of a sample most likely.

    Either 0 < α < 1 and θ > −α, where the number of classes grows without end; or α < 0, where the population
    has −θ / α possible classes.
    """

    theta: float
    alpha: float

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Pitman | None:
        """Maximise the likelihood; None without a maximum inside.

        ln L = Σ_{i<u} ln(θ + iα) − Σ_{i<n} ln(θ + i) + Σ_j c_j Σ_{i<j} ln(i − α),  u being the number of
        classes, c_j that of classes with j persons, and n that of all persons.
        """
        if not (counts > 1).any():
            # Ever more classes are ever more likely.
            return None
        likelihood = Likelihood.of(counts)
        return _climbed(likelihood, _Growing()) or _climbed(likelihood, _Bounded(len(counts)))

    def share_for_large(self, population: int) -> float:
        """Return N^α · Γ(θ + 1) / Γ(θ + α) / N, the published formula, true for N far beyond θ."""
        return math.exp(min(self._constant + (self.alpha - 1) * math.log(population), MOST_EXPONENT))

    def share_expected(self, population: int) -> float:
        """Return E[uniques among N] / N = Γ(θ + 1) Γ(θ + α + N − 1) / (Γ(θ + α) Γ(θ + N)), for any N."""
        last = math.lgamma(self.theta + self.alpha + population - 1) - math.lgamma(self.theta + population)
        return min(math.exp(self._constant + last), 1.0)

    @property
    def _constant(self) -> float:
        return math.lgamma(self.theta + 1) - math.lgamma(self.theta + self.alpha)


def pitman(counts: NDArray[np.int64], population: int) -> tuple[float | None, str]:
    """Return the share of the population that is unique in it, and what must be said about it.

    >>> share, said = pitman(np.array([1] * 6 + [2] * 2 + [5]), 1000)
    >>> round(share, 4), said
    (0.0149, '')
    """
    found = Pitman.of(counts)
    if found is None:
        return None, NO_PARAMETERS
    usual, exact = found.share_for_large(population), found.share_expected(population)
    if abs(usual - exact) > MOST_OFF * exact:
        return exact, NOT_LARGE
    return min(usual, 1.0), ""


@dataclass(frozen=True)
class Likelihood:
    """ln L and its derivatives by θ and α, with what does not change computed once."""

    persons: int
    classes: Numbers
    """1 … u − 1"""
    sizes: Numbers
    """that classes of several persons have"""
    many: NDArray[np.int64]
    """how many of them have each size"""

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Likelihood:
        """Prepare it for the sizes of all classes."""
        sizes, many = np.unique(counts[counts > 1], return_counts=True)
        return cls(int(counts.sum()), np.arange(1.0, len(counts)), sizes.astype(np.float64), many)

    def value(self, theta: float, alpha: float) -> float:
        """Return ln L."""
        within = log_gamma(self.sizes - alpha) - math.lgamma(1 - alpha)
        drawn = math.lgamma(theta + self.persons) - math.lgamma(theta + 1)
        return float(np.log(theta + self.classes * alpha).sum() + (self.many * within).sum() - drawn)

    def derivatives(self, theta: float, alpha: float) -> tuple[Numbers, Numbers]:
        """Return the slope and the second derivatives."""
        first, last = theta + 1, theta + self.persons
        drawn = np.diff(digamma(np.array([first, last])))[0]
        drawn_twice = np.diff(trigamma(np.array([first, last])))[0]
        own = np.append(self.sizes, 1.0) - alpha
        within, within_twice = digamma(own), trigamma(own)
        old = 1 / (theta + self.classes * alpha)
        slope = np.array(
            [old.sum() - drawn, (self.classes * old).sum() - (self.many * (within[:-1] - within[-1])).sum()]
        )
        mixed = -(self.classes * old**2).sum()
        theta_theta = -drawn_twice - (old**2).sum()
        alpha_alpha = (self.many * (within_twice[:-1] - within_twice[-1])).sum()
        alpha_alpha -= ((self.classes * old) ** 2).sum()
        return slope, np.array([[theta_theta, mixed], [mixed, alpha_alpha]])


@dataclass(frozen=True)
class _Growing:
    """α = 1 / (1 + e^−y) and θ = e^x − α: every place stands for allowed parameters."""

    def start(self, classes: int) -> Numbers:
        return np.array([math.log(max(classes / 2.0, 1.0)), 0.0])

    def parameters(self, place: Numbers) -> tuple[float, float]:
        alpha = 1 / (1 + math.exp(-float(place[1])))
        return math.exp(float(place[0])) - alpha, alpha

    def first(self, place: Numbers) -> Numbers:
        """Return the derivatives of (θ, α) by (x, y)."""
        theta, alpha = self.parameters(place)
        along = alpha * (1 - alpha)
        return np.array([[theta + alpha, -along], [0.0, along]])

    def second(self, place: Numbers) -> Numbers:
        """Return ∂²θ/∂x², ∂²θ/∂y² and ∂²α/∂x², ∂²α/∂y²; the mixed ones are 0."""
        theta, alpha = self.parameters(place)
        bend = alpha * (1 - alpha) * (1 - 2 * alpha)
        return np.array([[theta + alpha, -bend], [0.0, bend]])


@dataclass(frozen=True)
class _Bounded:
    """α = −e^y and θ = e^x + (u − 1) e^y: there are more possible classes than were seen."""

    classes: int

    def start(self, classes: int) -> Numbers:
        return np.array([math.log(max(float(classes), 1.0)), math.log(0.1)])

    def parameters(self, place: Numbers) -> tuple[float, float]:
        less = math.exp(float(place[1]))
        return math.exp(float(place[0])) + (self.classes - 1) * less, -less

    def first(self, place: Numbers) -> Numbers:
        """Return the derivatives of (θ, α) by (x, y)."""
        more, less = np.exp(place)
        return np.array([[more, (self.classes - 1) * less], [0.0, -less]])

    def second(self, place: Numbers) -> Numbers:
        """Return ∂²θ/∂x², ∂²θ/∂y² and ∂²α/∂x², ∂²α/∂y²; the mixed ones are 0."""
        return self.first(place)


def _climbed(likelihood: Likelihood, region: _Growing | _Bounded) -> Pitman | None:
    """Maximise by damped Newton steps within a region of the parameters."""
    place = region.start(len(likelihood.classes) + 1)
    value = likelihood.value(*region.parameters(place))
    damping = 1e-3
    for _ in range(MOST_STEPS):
        slope, bend = _along(likelihood, region, place)
        if np.abs(slope).max() < 1e-9 * likelihood.persons:
            theta, alpha = region.parameters(_polished(likelihood, region, place))
            return Pitman(theta, alpha) if _inside(likelihood, theta, alpha) else None
        scale = np.diag(np.maximum(np.abs(np.diag(bend)), 1e-12))
        while damping < 1e12:
            try:
                step = np.clip(np.linalg.solve(damping * scale - bend, slope), -2.0, 2.0)
            except np.linalg.LinAlgError:
                step = slope * 0.0
            if np.abs(place + step).max() > FARTHEST or _far(likelihood, *region.parameters(place + step)):
                return None
            tried = likelihood.value(*region.parameters(place + step))
            if tried > value or (tried == value and damping > 1):
                break
            damping *= 4
        else:
            return None
        place, value, damping = place + step, tried, max(damping / 8, 1e-12)
    return None


def _inside(likelihood: Likelihood, theta: float, alpha: float) -> bool:
    """Say whether ln L is flat here by θ and α themselves, and not only because the region ends."""
    slope = likelihood.derivatives(theta, alpha)[0] * np.array([1 + abs(theta), 1.0])
    flat = bool(np.abs(slope).max() < FLAT * likelihood.persons)
    return flat and not _far(likelihood, theta, alpha)


def _far(likelihood: Likelihood, theta: float, alpha: float) -> bool:
    """Say whether all classes are equally likely, or everybody is a class: ln L is flat from there on."""
    return alpha < -LARGEST_SHAPE or theta > LARGEST_SHAPE**2 * likelihood.persons


def _polished(likelihood: Likelihood, region: _Growing | _Bounded, place: Numbers) -> Numbers:
    """Take full Newton steps while they flatten the slope: near the top, ln L cannot tell places apart."""
    slope, bend = _along(likelihood, region, place)
    for _ in range(MOST_STEPS):
        try:
            tried = place - np.linalg.solve(bend, slope)
        except np.linalg.LinAlgError:
            return place
        if not np.abs(tried - place).max() < 1:
            return place
        flatter, bend = _along(likelihood, region, tried)
        if not np.abs(flatter).max() < np.abs(slope).max():
            return place
        place, slope = tried, flatter
    return place


def _along(likelihood: Likelihood, region: _Growing | _Bounded, place: Numbers) -> tuple[Numbers, Numbers]:
    """Return the slope and the second derivatives by (x, y), by the chain rule."""
    slope, bend = likelihood.derivatives(*region.parameters(place))
    first = region.first(place)
    return first.T @ slope, first.T @ bend @ first + np.diag(slope @ region.second(place))
