"""Noise by its definition: probabilities added up term by term in long decimals, and tests of draws.

Nothing here is shared with the mechanisms but the formulas of the papers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

DIGITS = 50
FALSE_ALARM = 1e-7
"""of one test of draws; a run of all of them stays well below 1e-6 for each"""

Probabilities = dict[int, Decimal]


def decimal_of(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def normalised(weight: Callable[[int], Decimal], reach: int) -> Probabilities:
    """Return the probabilities of −reach … reach for weights that are negligible beyond."""
    weights = {x: weight(abs(x)) for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {x: w / total for x, w in weights.items()}


def laplace(scale: Fraction, reach: int) -> Probabilities:
    with localcontext(prec=DIGITS):
        return normalised(lambda x: (-x / decimal_of(scale)).exp(), reach)


def gaussian(sigma: Fraction, reach: int) -> Probabilities:
    with localcontext(prec=DIGITS):
        return normalised(lambda x: (-(Decimal(x) ** 2) / (2 * decimal_of(sigma) ** 2)).exp(), reach)


def staircase(epsilon: Fraction, width: int, first: int, reach: int) -> Probabilities:
    def weight(x: int) -> Decimal:
        step, place = divmod(x, width)
        return (-decimal_of(epsilon) * (step if place < first else step + 1)).exp()

    with localcontext(prec=DIGITS):
        return normalised(weight, reach)


def mean_of(probabilities: Probabilities, value: Callable[[int], int]) -> Decimal:
    with localcontext(prec=DIGITS):
        return sum((p * value(x) for x, p in probabilities.items()), Decimal(0))


def within(probabilities: Probabilities, confidence: float) -> int:
    with localcontext(prec=DIGITS):
        width, inside = 0, probabilities[0]
        while inside < Decimal(str(confidence)):
            width += 1
            inside += 2 * probabilities[width]
        return width


def hockey_stick(probabilities: Probabilities, epsilon: Fraction, distance: int) -> Decimal:
    """Return the δ of answers at this distance: Σ max(0, Pr[y] − e^ε Pr[y at the neighbour]).

    The sum is over all y whose probability at the neighbour is known too.
    """
    with localcontext(prec=DIGITS):
        factor = decimal_of(epsilon).exp()
        return sum(
            (
                max(Decimal(0), p - factor * probabilities[y - distance])
                for y, p in probabilities.items()
                if y - distance in probabilities
            ),
            Decimal(0),
        )


def worst_ratio(probabilities: Probabilities, distance: int, reach: int) -> float:
    """Return the largest |ln Pr[y]/Pr[y + d]| for d up to a distance, over −reach … reach."""
    logs = {y: float(p.ln()) for y, p in probabilities.items() if abs(y) <= reach + distance}
    return max(
        abs(logs[y] - logs[y + d]) for d in range(1, distance + 1) for y in range(-reach, reach + 1 - d)
    )


def chi_square_limit(degrees: int) -> float:
    """Return a value that a chi-square variable passes with probability below FALSE_ALARM.

    Laurent & Massart (2000): Pr[χ²_k ≥ k + 2√(kx) + 2x] ≤ e^(−x). Bins expect 200 draws at least, so that
    the statistic is near its limiting law.
    """
    x = -math.log(FALSE_ALARM)
    return degrees + 2 * math.sqrt(degrees * x) + 2 * x


def bins(probabilities: Probabilities, draws: int, expected: int = 200) -> list[tuple[int, int, float]]:
    """Return ranges (first, last, probability) that cover all whole numbers, each expecting enough draws."""
    found: list[tuple[int, int, float]] = []
    start, mass = -(2**63), 0.0
    for x in sorted(probabilities):
        mass += float(probabilities[x])
        if mass * draws >= expected:
            found.append((start, x, mass))
            start, mass = x + 1, 0.0
    first, _, last = found.pop()
    return [*found, (first, 2**63 - 1, last + mass)]


def chi_square(drawn: NDArray[np.int64], cells: Sequence[tuple[int, int, float]]) -> float:
    """Return Σ (seen − expected)²/expected over the ranges."""
    edges = np.array([last for _, last, _ in cells[:-1]], np.int64)
    seen = np.bincount(np.searchsorted(edges, drawn, side="left"), minlength=len(cells))
    expected = drawn.size * np.array([mass for *_, mass in cells])
    return float((((seen - expected) ** 2) / expected).sum())


def looks_like(drawn: NDArray[np.int64], probabilities: Probabilities) -> bool:
    """Say whether draws could come from a distribution; wrongly no with probability below FALSE_ALARM."""
    cells = bins(probabilities, drawn.size)
    return chi_square(drawn, cells) <= chi_square_limit(len(cells) - 1)


def look_alike(first: NDArray[np.int64], second: NDArray[np.int64]) -> bool:
    """Say whether two samples of equal size could come from one distribution (chi-square of two samples)."""
    assert first.size == second.size
    both = np.sort(np.concatenate([first, second]))
    edges = np.unique(both[400 : both.size - 400 : 400])
    one = np.bincount(np.searchsorted(edges, first, side="left"), minlength=edges.size + 1)
    two = np.bincount(np.searchsorted(edges, second, side="left"), minlength=edges.size + 1)
    statistic = float(((one - two) ** 2 / np.maximum(one + two, 1)).sum())
    return statistic <= chi_square_limit(edges.size)
