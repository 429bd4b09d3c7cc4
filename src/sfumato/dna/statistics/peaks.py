"""Published p-values along the genome, small enough to draw: the peaks of what is called a Manhattan plot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.contract import Statistics

P, LOG10_P = "p", "log10_p"
MOST_PEAKS = 400
"""stretches of neighbouring sites that are told"""
_SMALLEST = 5e-324
"""a p that was too small for a float is at most this"""


class Peak(NamedTuple):
    """The largest −log10 p of some neighbouring sites; None where none of them has a p."""

    chromosome: str
    sites: int
    highest: float | None


def peaks(statistics: Statistics, *, most: int = MOST_PEAKS) -> list[Peak]:
    """Return −log10 p along the sites in about ``most`` stretches, none of which spans two chromosomes.

    Sites stay in the order in which they are published. Read is the column ``log10_p`` where there is one,
    else ``p``; what is no p (NaN, or outside [0, 1]) is passed over. Without such a column there are none.

    >>> from sfumato.dna.sites import numbered
    >>> peaks(Statistics(numbered(3), {"p": np.array([0.1, np.nan, 0.001])}), most=2)
    [Peak(chromosome='1', sites=2, highest=1.0), Peak(chromosome='1', sites=1, highest=3.0)]
    """
    height = _heights(statistics)
    if height is None:
        return []
    chromosome = np.asarray(statistics.sites.chromosome)
    length = max(1, -(-len(height) // most))
    turns = np.flatnonzero(chromosome[1:] != chromosome[:-1]) + 1
    found = []
    for start, end in zip([0, *turns.tolist()], [*turns.tolist(), len(height)], strict=True):
        for first in range(start, end, length):
            piece = height[first : min(first + length, end)]
            known = piece[~np.isnan(piece)]
            # −log10 1 is −0.0, which would be written with its sign.
            highest = round(float(known.max()), 4) + 0.0 if len(known) else None
            found.append(Peak(str(chromosome[first]), len(piece), highest))
    return found


def _heights(statistics: Statistics) -> NDArray[np.float64] | None:
    """Return −log10 p of each site, NaN where there is none."""
    if not len(statistics.sites):
        return None
    if LOG10_P in statistics.columns:
        logarithms = np.asarray(statistics.columns[LOG10_P], np.float64)
        return np.where(logarithms <= 0, -logarithms, np.nan)
    if P not in statistics.columns:
        return None
    p = np.asarray(statistics.columns[P], np.float64)
    return np.where((p >= 0) & (p <= 1), -np.log10(np.clip(p, _SMALLEST, 1)), np.nan)
