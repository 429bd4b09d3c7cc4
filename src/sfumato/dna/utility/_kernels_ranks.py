"""Exchanges that sort a ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def exchanges(places: NDArray[np.int64]) -> int:
    """Count the pairs of which the earlier is the greater; places are whole numbers from 0.

    A tree of counts (Fenwick 1994) says of each how many greater ones came before it.
    """
    size = len(places) + 1
    counts = np.zeros(size + 1, np.int64)
    found = 0
    for number in range(len(places)):
        not_greater = 0
        node = places[number] + 1
        while node > 0:
            not_greater += counts[node]
            node -= node & -node
        found += number - not_greater
        node = places[number] + 1
        while node <= size:
            counts[node] += 1
            node += node & -node
    return found
