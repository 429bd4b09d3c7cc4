"""Counting who holds everything that a record shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def holders_of_records(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    weights: NDArray[np.int64],
    begins: NDArray[np.int64],
    at_places: NDArray[np.int64],
    at_owners: NDArray[np.int32],
    least: int,
    first_only: bool,
) -> tuple[int, int, int, int]:
    """Count for every record those who hold all of its items, and find the one with the fewest.

    Items are numbered from the rarest, so only those who hold the first item of a record can hold it all,
    and only behind that place. Counting ends where the result can no longer matter. Returns how many records
    were looked at, how many sets less than ``least`` records hold, the fewest, and whose set that is (−1 when
    no record shows anything).
    """
    looked, broken, whose = 0, 0, -1
    fewest = weights.sum() + 1
    for record in range(len(starts) - 1):
        begin, end = starts[record], starts[record + 1]
        if begin == end:
            continue
        looked += 1
        enough = max(least, fewest)
        found = 0
        rarest = items[begin]
        for slot in range(begins[rarest], begins[rarest + 1]):
            other, place = at_owners[slot], at_places[slot] + 1
            stop = starts[other + 1]
            wanted = begin + 1
            while wanted < end and stop - place >= end - wanted:
                if items[place] == items[wanted]:
                    wanted += 1
                elif items[place] > items[wanted]:
                    break
                place += 1
            if wanted == end:
                found += weights[other]
                if found >= enough:
                    break
        if found < fewest:
            fewest, whose = found, record
        if found < least:
            broken += 1
            if first_only:
                break
    return looked, broken, fewest, whose
