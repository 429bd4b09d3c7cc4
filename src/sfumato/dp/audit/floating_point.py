"""Readings that break noise on floats: which answers a sampler can give at all betrays what it added to.

I. Mironov, "On significance of the least significant bits for differential privacy" (2012). A sampler that
computes ∓b · log of a uniform number on a grid of 2⁻⁵³ can reach few of the floats near an answer. Whoever
knows the sampler tests whether the float that was told can be location + noise: for the true location always,
for another one seldom. That needs no statistics and no other answers: one answer may be enough.

``fineness`` (in ``readings``) needs no knowledge of the sampler; S. Haney et al. (2022).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.audit.readings import Outputs, Reading

_GRID = 2.0**-53
_AROUND = 3
"""steps of the uniform number that are tried on both sides of the likely one"""


def reachable(values: NDArray[np.float64], location: float, scale: float = 1.0) -> NDArray[np.bool_]:
    """Say which floats a sampler of inverse distribution functions can give: location ∓ scale · log(…).

    Tried are the two forms in use: location + b · log(2U) for U < 1/2 and location − b · log(2 − 2U) above it
    (as numpy computes it), and location − b · sign(V) · log(1 − 2|V|) for V = U − 1/2 (as textbooks do).
    """
    with np.errstate(all="ignore"):
        away = np.asarray(values, np.float64) - location
        power = np.exp(-np.abs(away) / scale)
        found = np.zeros(away.shape, np.bool_)
        above = away >= 0
        likely = np.rint(np.where(above, 1.0 - power / 2.0, power / 2.0) / _GRID)
        for step in range(-_AROUND, _AROUND + 1):
            uniform = (likely + step) * _GRID
            low = location + scale * np.log(uniform + uniform)
            high = location - scale * np.log(2.0 - uniform - uniform)
            found |= np.where(uniform < 0.5, low, high) == values
            centred = uniform - 0.5
            found |= location - scale * np.sign(centred) * np.log(1.0 - 2.0 * np.abs(centred)) == values
    return found


def least_significant_bits(locations: tuple[float, float], scale: float = 1.0) -> Reading:
    """Return Mironov's reading: 1 if only the first location can have given it, −1 if only the second."""

    def read(outputs: Outputs) -> Outputs:
        values = np.asarray(outputs, np.float64)
        first, second = (reachable(values, location, scale) for location in locations)
        return first.astype(np.int64) - second.astype(np.int64)

    return Reading("which location its bits allow", read)
