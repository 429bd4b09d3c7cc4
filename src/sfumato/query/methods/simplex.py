"""Noisy counts made possible ones: none negative, and as many people in all as there are thought to be."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.randomness import Random

MOST_PEOPLE = 10_000_000
"""records that are drawn at most: with a tiny ε the number of people may seem to be anything"""


def people_to_draw(total: float, most: int | None = None) -> int:
    """Return how many records to draw for a noisy number of people, of whom there can be ``most``.

    >>> people_to_draw(-3.2), people_to_draw(1e15), people_to_draw(1e15, 500)
    (1, 10000000, 500)
    """
    return max(1, min(round(total), MOST_PEOPLE if most is None else min(most, MOST_PEOPLE)))


def nonnegative(counts: ArrayLike, total: float) -> NDArray[np.float64]:
    """Return the nearest counts x ≥ 0 with Σx = total: noise is taken off all cells alike, down to zero.

    Cutting negative counts off at zero would add people that nobody is: half the noise of empty cells stays.
    Euclidean projection on the simplex (M. Held, P. Wolfe & H. P. Crowder 1974); works on noisy counts alone.

    >>> nonnegative([5, -1, 1], 5)
    array([4.5, 0. , 0.5])
    """
    values = np.asarray(counts, np.float64)
    flat = np.sort(values.ravel())[::-1]
    excess = (np.cumsum(flat) - total) / np.arange(1, flat.size + 1)
    last = int(np.flatnonzero(flat > excess)[-1]) if total > 0 else -1
    if last < 0:
        return np.zeros_like(values)
    return np.asarray(np.maximum(values - excess[last], 0.0), np.float64)


def whole(expected: NDArray[np.float64], random: Random) -> NDArray[np.int64]:
    """Round counts to whole ones, up or down so that each is right on average and the sum keeps its size.

    Systematic sampling: one random offset, and a person at every whole step along the running sum.
    """
    running = np.cumsum(expected.ravel())
    marks = np.floor(running + random.uniform(1)[0]).astype(np.int64)
    return np.asarray(np.diff(marks, prepend=0), np.int64).reshape(expected.shape)
