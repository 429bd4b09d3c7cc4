"""p-values of χ² with one and two degrees of freedom, in closed form.

    Pr[χ²₁ ≥ x] = erfc(√(x/2)),   Pr[χ²₂ ≥ x] = e^(−x/2).

Strong associations have p-values below 10⁻³⁰⁸, which a double cannot hold: log₁₀ p is computed by itself and
never through p.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.statistics.tables import Figures


def p_value(chi2: Figures, degrees: NDArray[np.int64] | int = 1) -> Figures:
    """Return p; 1 where there are no degrees of freedom (a table with one row or column tells nothing).

    >>> p_value(np.array([3.841458820694124, 0.0])).round(12)
    array([0.05, 1.  ])
    """
    from sfumato.dna.statistics._kernels_tails import tails_of_one_degree

    values, many = _checked(chi2, degrees)
    found = np.ones(len(values))
    one = np.flatnonzero(many == 1)
    tails = np.empty(len(one))
    tails_of_one_degree(values[one], tails)
    found[one] = tails
    two = many == 2
    found[two] = np.exp(-values[two] / 2)
    return found


def log10_p_value(chi2: Figures, degrees: NDArray[np.int64] | int = 1) -> Figures:
    """Return log₁₀ p, however small p is.

    >>> log10_p_value(np.array([5000.0]))[0].round(3)
    np.float64(-1087.684)
    """
    from sfumato.dna.statistics._kernels_tails import log10_tails_of_one_degree

    values, many = _checked(chi2, degrees)
    found = np.zeros(len(values))
    one = np.flatnonzero(many == 1)
    tails = np.empty(len(one))
    log10_tails_of_one_degree(values[one], tails)
    found[one] = tails
    two = many == 2
    found[two] = -values[two] / (2 * math.log(10))
    return found


def _checked(chi2: Figures, degrees: NDArray[np.int64] | int) -> tuple[Figures, NDArray[np.int64]]:
    values = np.ascontiguousarray(chi2, np.float64)
    many = np.broadcast_to(np.asarray(degrees, np.int64), values.shape)
    if not np.isin(many, (0, 1, 2)).all():
        raise AssertionError("a test of one site has at most two degrees of freedom")
    if not (values >= 0).all():
        raise AssertionError("a χ² is not negative")
    return values, many
