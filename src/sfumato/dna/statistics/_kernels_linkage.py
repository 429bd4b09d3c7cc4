"""Kernels: the squared correlation of dosages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def squared_correlation(dosages: NDArray[np.int8], one: int, other: int) -> float:
    """Return r² of two rows over the columns where neither is missing; NaN where one does not vary there."""
    people = 0
    x = y = xx = yy = xy = np.int64(0)
    for at in range(dosages.shape[1]):
        a = np.int64(dosages[one, at])
        b = np.int64(dosages[other, at])
        if a >= 0 and b >= 0:
            people += 1
            x += a
            y += b
            xx += a * a
            yy += b * b
            xy += a * b
    spread = float(people * xx - x * x) * float(people * yy - y * y)
    if spread <= 0.0:
        return np.nan
    joint = float(people * xy - x * y)
    return joint * joint / spread


@kernel
def following(dosages: NDArray[np.int8], chromosomes: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    """Write r² of row i with rows i+1, …, i+w into ``out[i]``; NaN past a chromosome's end."""
    rows, width = dosages.shape[0], out.shape[1]
    for at in range(out.shape[0]):
        for step in range(width):
            other = at + step + 1
            if other < rows and chromosomes[at] == chromosomes[other]:
                out[at, step] = squared_correlation(dosages, at, other)
            else:
                out[at, step] = np.nan


@kernel
def unlinked(
    dosages: NDArray[np.int8],
    chromosomes: NDArray[np.int64],
    positions: NDArray[np.int64],
    window: int,
    most: float,
    taken: NDArray[np.int64],
    already: int,
    enough: int,
) -> int:
    """Go through rows in order; take each whose r² with every row taken before it, on the same chromosome and
    within ``window``, is at most ``most``. The first ``already`` of ``taken`` are taken; return how many are
    in the end, ``enough`` at most."""
    many = already
    start = taken[already - 1] + 1 if already else 0
    for row in range(start, dosages.shape[0]):
        if many == enough:
            break
        good = True
        for rank in range(many):
            before = taken[rank]
            near = chromosomes[before] == chromosomes[row]
            near = near and abs(positions[before] - positions[row]) <= window
            if near and squared_correlation(dosages, before, row) > most:
                good = False
                break
        if good:
            taken[many] = row
            many += 1
    return many
