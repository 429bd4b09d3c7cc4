"""The slide negative binomial model of class sizes: every class has one person, and chance adds more.

G. Chen & S. Keller-McNulty, "Estimation of identification disclosure risk in microdata" (1998); the number of
classes: A. Shlosser (1981), as improved by P. J. Haas & L. Stokes, "Estimating the number of classes in a
finite population" (1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

REACH = 40.0
"""β is looked for between 1 / (1 + e^40) and 1 / (1 + e^−40)"""
STEPS = 8001
HALVINGS = 60
NO_MODEL = "no slide negative binomial model has"
FARTHEST = 2.0
"""how many times more or fewer people the fitted classes may hold than the population, unsaid"""


@dataclass(frozen=True)
class SlideNegativeBinomial:
    """K classes of the population, each of 1 + X persons, X being negative binomial with α and β.

    P(F = j) = C(α + j − 2, j − 1) · β^α (1 − β)^(j − 1), so K β^α people are unique. When each person is in
    the sample with chance π, and with d = (1 − π)(1 − β), the sample has on average

        c_1 = K π (β / (1 − d))^α · (1 + α d / (1 − d))                          classes of one person,
        c_2 = K π² α (1 − β) β^α / (2 (1 − d)^(α + 2)) · (2 − (1 − α) d)          classes of two.

    K is estimated from all class sizes, then α and β from c_1 and c_2. Samples of less than a quarter of the
    population often give a K that is too high, and with it too many uniques.
    """

    classes: float
    alpha: float
    beta: float

    @property
    def uniques(self) -> float:
        """K β^α."""
        return self.classes * math.exp(self.alpha * math.log(self.beta))

    @property
    def persons(self) -> float:
        """K (1 + α (1 − β) / β): the population that these classes make up."""
        return self.classes * (1 + self.alpha * (1 - self.beta) / self.beta)


def slide_negative_binomial(counts: NDArray[np.int64], population: int) -> tuple[float | None, str]:
    """Return the share of the population that is unique in it, and what must be said about it.

    >>> share, said = slide_negative_binomial(np.array([1] * 60 + [2] * 12 + [3] * 4 + [9]), 300)
    >>> round(share, 3), said
    (0.359, '')
    """
    found, said = fitted(counts, population)
    if found is None:
        return None, said
    times = found.persons / population
    if not 1 / FARTHEST <= times <= FARTHEST:
        said = f"the model fits badly: its classes hold {times:.2g} times the population"
    return min(float(found.uniques / population), 1.0), said


def fitted(counts: NDArray[np.int64], population: int) -> tuple[SlideNegativeBinomial | None, str]:
    """Return the model for the classes of a sample, or say why there is none."""
    fraction = int(counts.sum()) / population
    ones, twos = int((counts == 1).sum()), int((counts == 2).sum())
    if not ones or not twos:
        return None, "the slide negative binomial model needs classes of one and of two in the sample"
    classes = number_of_classes(counts, fraction)
    if classes > population:
        return None, "more classes are estimated than the population has people"
    return solved(ones, twos, classes, fraction)


def solved(
    ones: float, twos: float, classes: float, fraction: float
) -> tuple[SlideNegativeBinomial | None, str]:
    """Find α and β that expect so many classes of one and of two in the sample, or say why there are none.

    For every β the ratio c_2 / c_1 is a quadratic equation in α with one root above 0. What remains is one
    equation in β, which is scanned in full, so a solution is not missed, nor one of several taken.
    """

    def off(place: Numbers) -> Numbers:
        """Return ln of expected by observed uniques at β = 1 / (1 + e^−place)."""
        alpha, beta, rest = _alpha(place, fraction, ones, twos)
        d, kept = (1 - fraction) * rest, beta + fraction * rest
        expected = np.log1p(alpha * d / kept) - alpha * np.log1p(fraction * rest / beta)
        return np.asarray(expected - math.log(ones / (classes * fraction)))

    places = np.linspace(-REACH, REACH, STEPS)
    below = off(places) < 0
    crossings = np.flatnonzero(below[1:] != below[:-1])
    if len(crossings) != 1:
        which = "several slide negative binomial models have" if len(crossings) else NO_MODEL
        return None, f"{which} these numbers of uniques and pairs"
    low, high = places[crossings[0]], places[crossings[0] + 1]
    rising = below[crossings[0]]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if bool(off(np.array([middle]))[0] < 0) == rising:
            low = middle
        else:
            high = middle
    alpha, beta, _rest = _alpha(np.array([(low + high) / 2]), fraction, ones, twos)
    return SlideNegativeBinomial(classes, float(alpha[0]), float(beta[0])), ""


def number_of_classes(counts: NDArray[np.int64], fraction: float) -> float:
    """Estimate K by Shlosser's third estimator of Haas & Stokes, for a sampling fraction q < 1.

    K = u + c_1 · [Σ_i i q² (1 − q²)^(i−1) c_i / Σ_i (1 − q)^i ((1 + q)^i − 1) c_i]
              · [Σ_i (1 − q)^i c_i / Σ_i i q (1 − q)^(i−1) c_i]²
    """
    sizes, many = np.unique(counts, return_counts=True)
    i = sizes.astype(np.float64)
    missed = np.exp(i * math.log1p(-fraction))
    both = (i * np.exp((i - 1) * math.log1p(-(fraction**2))) * fraction**2 * many).sum()
    # (1 − q)^i ((1 + q)^i − 1) with what could overflow taken together
    seen = -(np.exp(i * math.log1p(-(fraction**2))) * np.expm1(-i * math.log1p(fraction)) * many).sum()
    once = (i * np.exp((i - 1) * math.log1p(-fraction)) * fraction * many).sum()
    ones = int(many[sizes == 1].sum())
    return float(len(counts) + ones * both / seen * ((missed * many).sum() / once) ** 2)


def _alpha(place: Numbers, fraction: float, ones: float, twos: float) -> tuple[Numbers, Numbers, Numbers]:
    """Return α, β and 1 − β where the model has the ratio of uniques to pairs that the sample has.

    α π (1 − β)(2 − d + α d) c_1 = 2 c_2 (1 − d)(1 − d + α d)
    """
    beta, rest = 1 / (1 + np.exp(-place)), 1 / (1 + np.exp(place))
    d, kept = (1 - fraction) * rest, beta + fraction * rest
    square = fraction * rest * d * ones
    line = fraction * rest * (2 - d) * ones - 2 * twos * kept * d
    constant = -2.0 * twos * kept**2
    root = np.sqrt(line**2 - 4 * square * constant)
    # The form without cancellation, on either side of 0.
    return np.where(line > 0, -2 * constant / (line + root), (root - line) / (2 * square)), beta, rest
