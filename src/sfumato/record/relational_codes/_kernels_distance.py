"""How unlike the codes of clusters are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def widest_apart(
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holders: NDArray[np.int64],
    cluster_of: NDArray[np.int64],
    shared: NDArray[np.int64],
    found: NDArray[np.float64],
) -> None:
    """Raise ``found`` of every cluster to the largest distance between its records and some ``rows``.

    The distance of two records is (codes of one alone + 1) / (codes of both + 1). ``shared`` is all zeros,
    one for each record, and is left so.
    """
    for i in range(len(rows)):
        row = rows[i]
        length = starts[row + 1] - starts[row]
        for place in range(starts[row], starts[row + 1]):
            code = codes[place]
            for slot in range(holder_starts[code], holder_starts[code + 1]):
                shared[holders[slot]] += 1
        for other in range(len(cluster_of)):
            both = shared[other]
            shared[other] = 0
            alone = length + starts[other + 1] - starts[other] - 2 * both
            distance = (alone + 1.0) / (both + 1.0)
            cluster = cluster_of[other]
            if other != row and distance > found[cluster]:
                found[cluster] = distance


@kernel
def widest_inside(
    rows: NDArray[np.int64], begins: NDArray[np.int64], starts: NDArray[np.int64], codes: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return the largest distance between two records of each cluster, ``rows[begins[i]:begins[i + 1]]``."""
    found = np.zeros(len(begins) - 1, np.float64)
    for cluster in range(len(begins) - 1):
        for i in range(begins[cluster], begins[cluster + 1]):
            for j in range(begins[cluster], i):
                a, a_end = starts[rows[i]], starts[rows[i] + 1]
                b, b_end = starts[rows[j]], starts[rows[j] + 1]
                both, lengths = 0, a_end - a + b_end - b
                while a < a_end and b < b_end:
                    if codes[a] == codes[b]:
                        both += 1
                        a += 1
                        b += 1
                    elif codes[a] < codes[b]:
                        a += 1
                    else:
                        b += 1
                distance = (lengths - 2 * both + 1.0) / (both + 1.0)
                if distance > found[cluster]:
                    found[cluster] = distance
    return found
