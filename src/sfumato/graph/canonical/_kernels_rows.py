"""Numbers for rows of numbers: the same number if and only if two rows are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def mixed(word: np.uint64) -> Any:
    """Stir the bits of a word, so that words that differ a little differ a lot (SplitMix64)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def number_rows(
    starts: NDArray[np.int64], values: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number rows ``values[starts[r]:starts[r + 1]]`` in the order in which they first appear.

    Returns the number of each row, and for each number the first row that has it. A hash only says where to
    look: rows get one number where they were compared value by value.
    """
    rows = len(starts) - 1
    size = 16
    while size < 2 * rows:
        size *= 2
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int64)
    hashes = np.empty(rows, np.uint64)
    number = np.empty(rows, np.int64)
    first = np.empty(rows, np.int64)
    found = 0
    for row in range(rows):
        low = starts[row]
        high = starts[row + 1]
        word = np.uint64(high - low)
        for at in range(low, high):
            word = mixed(word + np.uint64(0x9E3779B97F4A7C15) + np.uint64(values[at]))
        hashes[row] = word
        place = np.int64(word & mask)
        while True:
            other = table[place]
            if other < 0:
                table[place] = row
                number[row] = found
                first[found] = row
                found += 1
                break
            if hashes[other] == word and starts[other + 1] - starts[other] == high - low:
                same = True
                back = starts[other] - low
                for at in range(low, high):
                    if values[at] != values[at + back]:
                        same = False
                        break
                if same:
                    number[row] = number[other]
                    break
            place = np.int64(np.uint64(place + 1) & mask)
    return number, first[:found].copy()
