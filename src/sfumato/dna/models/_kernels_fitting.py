"""Who of a population fits a published row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def fitting(
    published: NDArray[np.uint64],
    population: NDArray[np.uint64],
    owners: NDArray[np.int64],
    enough: int,
) -> NDArray[np.int64]:
    """Count for each published row the people of the population with a row that it holds.

    Rows are words of eight cells, each the bits of what it may be; rows of the population lie together by
    ``owners``. Counting a row ends at ``enough`` people, or at the fewest of any row if that is more: those
    below ``enough``, and the fewest of all, are exact.
    """
    counts = np.zeros(len(published), np.int64)
    fewest = len(population)
    for row in range(len(published)):
        found = 0
        last = -1
        stop = max(enough, fewest)
        for person in range(len(population)):
            if last >= 0 and owners[person] == owners[last]:
                continue
            fits = True
            for word in range(published.shape[1]):
                if population[person, word] & ~published[row, word]:
                    fits = False
                    break
            if fits:
                found += 1
                last = person
                if found >= stop:
                    break
        counts[row] = found
        fewest = min(fewest, found)
    return counts
