"""Powers of e for many exponents at once, in whole numbers, with bounds below and above.

An exponent has 24 bits after the point, a power 31. e^(−x) is a product of four numbers from tables, one for
the whole part of x and one for each byte after the point; every table and every product is rounded down for
the lower bound and up for the upper one.
"""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.mechanisms.enclosure import exp_minus

POWER_BITS = 31
_WHOLE = 64
"""e^−63 is below half a unit: larger exponents are taken as 63, which changes no bound"""

Integers = NDArray[np.int64]


def exp_minus_below(exponents: Integers) -> Integers:
    """Return numbers ≤ 2³¹ e^(−x), for x ≥ 0 in units of 2⁻²⁴.

    >>> exp_minus_below(np.array([2**24]))  # 2^31 / e is 790015084.3…
    array([790015081])
    """
    return _product(exponents, 0)


def exp_minus_above(exponents: Integers) -> Integers:
    """Return numbers ≥ 2³¹ e^(−x), for x ≥ 0 in units of 2⁻²⁴.

    >>> exp_minus_above(np.array([2**24]))
    array([790015085])
    """
    return _product(exponents, 1)


def _product(exponents: Integers, side: int) -> Integers:
    whole, *parts = _tables()
    up = side * (2**POWER_BITS - 1)
    power: Integers = whole[side][np.minimum(exponents >> 24, _WHOLE - 1)]
    for place, table in zip((16, 8, 0), parts, strict=True):
        power = power * table[side][exponents >> place & 255] + up >> POWER_BITS
    return power


@functools.cache
def _tables() -> tuple[tuple[Integers, Integers], ...]:
    """Return bounds below and above, for the whole part and for each byte after the point."""

    def table(count: int, unit: int) -> tuple[Integers, Integers]:
        bounds = [exp_minus(Fraction(i, unit))(POWER_BITS) for i in range(count)]
        return np.array([low for low, _ in bounds]), np.array([high for _, high in bounds])

    return table(_WHOLE, 1), table(256, 2**8), table(256, 2**16), table(256, 2**24)
