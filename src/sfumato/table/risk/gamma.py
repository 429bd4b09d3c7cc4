"""The derivatives of ln Γ, which numpy does not have.

M. Abramowitz & I. A. Stegun, "Handbook of mathematical functions" (1964), 6.3 and 6.4: far out by the series
in 1/x, below by Γ(x + 1) = x Γ(x).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

FAR = 12.0
"""from here on the series is exact to the last digits"""


def log_gamma(x: Numbers) -> Numbers:
    """Return ln Γ(x) for x > 0."""
    return np.array([math.lgamma(value) for value in x.tolist()])


def digamma(x: Numbers) -> Numbers:
    """Return ψ(x) = d ln Γ(x) / dx for x > 0.

    >>> digamma(np.array([1.0, 0.5])).round(12).tolist()
    [-0.577215664902, -1.963510026021]
    """
    far, near = x.astype(np.float64), np.zeros(len(x))
    while bool((far < FAR).any()):
        near -= np.where(far < FAR, 1 / far, 0.0)
        far = np.where(far < FAR, far + 1, far)
    t = 1 / far**2
    series = t * (1 / 12 - t * (1 / 120 - t * (1 / 252 - t * (1 / 240 - t * (1 / 132 - t * 691 / 32760)))))
    return np.asarray(near + np.log(far) - 0.5 / far - series)


def trigamma(x: Numbers) -> Numbers:
    """Return ψ′(x) for x > 0.

    >>> trigamma(np.array([1.0])).round(12).tolist()  # π² / 6
    [1.644934066848]
    """
    far, near = x.astype(np.float64), np.zeros(len(x))
    while bool((far < FAR).any()):
        near += np.where(far < FAR, 1 / far**2, 0.0)
        far = np.where(far < FAR, far + 1, far)
    t = 1 / far**2
    series = t * (1 / 6 - t * (1 / 30 - t * (1 / 42 - t * (1 / 30 - t * (5 / 66 - t * 691 / 2730)))))
    return np.asarray(near + 1 / far + t / 2 + series / far)
