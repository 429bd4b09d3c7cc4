"""The tail of χ² from its definition, for one and two degrees of freedom."""

from __future__ import annotations

import math


def tail_of_chi_squared(value: float, degrees: int) -> float:
    """Pr[χ² ≥ value]: of one squared normal number, or of the sum of two."""
    if degrees == 1:
        return math.erfc(math.sqrt(value / 2))
    if degrees == 2:
        return math.exp(-value / 2)
    raise AssertionError("one or two degrees of freedom")
