"""Models of the population behind a sample, straight from their definitions and without any shared code."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def zayatz(sizes: Sequence[int], population: int) -> Fraction:
    """c_1 h(1) / Σ c_j h(j) of the sample's uniques, where h is hypergeometric."""
    sample = sum(sizes)

    def once(j: int) -> Fraction:
        if j > population:
            return Fraction(0)
        return Fraction(j * math.comb(population - j, sample - 1), math.comb(population, sample))

    of_uniques = once(1) * sizes.count(1) / sum(once(j) for j in sizes)
    return of_uniques * sizes.count(1) / sample


def pitman_log_likelihood(sizes: Sequence[int], theta: float, alpha: float) -> float:
    """People are seated one after the other: at a new table or at one that is taken."""
    total, seated = 0.0, 0
    for tables, size in enumerate(sizes):
        for already in range(size):
            weight = theta + tables * alpha if already == 0 else already - alpha
            if seated:
                total += math.log(weight / (theta + seated))
            seated += 1
    return total


def pitman_expected_share(theta: float, alpha: float, people: int) -> float:
    """E[tables of one] / N after seating N people one after the other."""
    tables, alone = 1.0, 1.0
    for seated in range(1, people):
        new = (theta + alpha * tables) / (theta + seated)
        alone += new - alone * (1 - alpha) / (theta + seated)
        tables += new
    return alone / people


def slide_negative_binomial(alpha: float, beta: float, fraction: float, most: int) -> tuple[float, float]:
    """Chances that a class has one, and two, persons in the sample, summed over its sizes."""
    of_size = beta**alpha
    one = two = 0.0
    for j in range(1, most):
        one += of_size * j * fraction * (1 - fraction) ** (j - 1)
        two += of_size * math.comb(j, 2) * fraction**2 * (1 - fraction) ** max(j - 2, 0)
        of_size *= (alpha + j - 1) / j * (1 - beta)
    return one, two


def poisson_regression(design: Numbers, counts: Numbers) -> Numbers:
    """Fitted means of a Poisson regression with logarithmic link, by reweighted least squares."""
    fitted = counts + 0.5
    for _ in range(200):
        root = np.sqrt(fitted)
        answer = np.log(fitted) + (counts - fitted) / fitted
        found = np.linalg.lstsq(design * root[:, None], answer * root, rcond=None)[0]
        new = np.exp(np.clip(design @ found, -40, 40))
        if np.abs(new - fitted).max() < 1e-12 * counts.sum():
            return np.asarray(new)
        fitted = new
    raise AssertionError("the oracle does not converge")


def dummies(shape: Sequence[int], margins: Sequence[Sequence[int]]) -> Numbers:
    """A column for every combination of values of every margin, over all cells of a table."""
    cells = list(itertools.product(*(range(size) for size in shape)))
    columns = []
    for margin in margins:
        for values in itertools.product(*(range(shape[j]) for j in margin)):
            columns.append([float(tuple(cell[j] for j in margin) == values) for cell in cells])
    return np.array(columns).T


def uniques_of_a_poisson_population(rate: float, fraction: float) -> tuple[float, float]:
    """P(F = 1 | f = 1) and E(1/F | f = 1) for F ~ Poisson(rate), each person sampled with a chance."""
    weights = []
    chance = math.exp(-rate)
    for people in range(1, 1500):
        chance *= rate / people
        weights.append(chance * people * fraction * (1 - fraction) ** (people - 1))
    total = math.fsum(weights)
    return weights[0] / total, math.fsum(w / people for people, w in enumerate(weights, start=1)) / total
