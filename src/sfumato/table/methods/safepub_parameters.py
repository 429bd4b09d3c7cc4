"""From (ε, δ) to the sample and the class size that keep it.

N. Li, W. Qardaji & D. Su (ASIACCS 2012); R. Bild, K. A. Kuhn & F. Prasser (PoPETs 2018).
"""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from fractions import Fraction

from sfumato.table.models.differential_privacy import DIGITS, as_decimal, delta_of

_GRID = 2**53
"""samples are drawn with a probability that is a multiple of 1 / _GRID, rounded down"""


@dataclass(frozen=True)
class SampleParameters:
    """Each record is taken with probability ``beta``; classes below ``k`` are suppressed."""

    beta: Fraction
    k: int

    @classmethod
    def for_promise(cls, epsilon: float | Fraction, delta: float) -> SampleParameters:
        """Return the largest β, 1 − e^−ε, and the k that goes with it.

        k is one more than the smallest that would do, as the authors' own implementation has it.

        >>> found = SampleParameters.for_promise(1, 1e-5)
        >>> round(float(found.beta), 4), found.k
        (0.6321, 62)
        """
        exact = Fraction(str(epsilon))
        with decimal.localcontext(prec=DIGITS):
            steps = ((1 - (-as_decimal(exact)).exp()) * _GRID).to_integral_value(decimal.ROUND_FLOOR)
        beta = Fraction(int(steps), _GRID)
        return cls(beta, _smallest_class(exact, delta, beta) + 1)


def _smallest_class(epsilon: Fraction, delta: float, beta: Fraction) -> int:
    """Return the smallest k with a δ below the one that is wanted: δ never rises with k."""
    high = 1
    while delta_of(high, epsilon, beta) >= delta:
        high *= 2
    low = high // 2 + 1
    while low < high:
        middle = (low + high) // 2
        if delta_of(middle, epsilon, beta) < delta:
            high = middle
        else:
            low = middle + 1
    return high
