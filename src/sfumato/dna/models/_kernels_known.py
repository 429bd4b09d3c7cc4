"""How few people share values that somebody may know: a walk over sets of rows, kept as bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def ones(word: np.uint64) -> Any:
    """Count the bits of a word that are set, as a signed number."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def people_in(both: NDArray[np.uint64], owners: NDArray[np.int64], apart: int) -> int:
    """Count the people of a set of rows; the rows of a person lie together. ``apart``: one row each."""
    found = 0
    last = np.int64(-1)
    for word in range(len(both)):
        left = both[word]
        if left == np.uint64(0):
            continue
        if apart:
            found += ones(left)
            continue
        row = word * 64
        while left != np.uint64(0):
            if left & np.uint64(1) and owners[row] != last:
                last = owners[row]
                found += 1
            left >>= np.uint64(1)
            row += 1
    return found


@kernel
def walk(
    bits: NDArray[np.uint64],
    after: NDArray[np.int64],
    owners: NDArray[np.int64],
    apart: int,
    size: int,
    k: int,
    most_work: int,
) -> tuple[int, NDArray[np.int64], NDArray[np.uint64], bool]:
    """Look at all combinations of up to ``size`` values of different positions that some row holds.

    ``bits``: the rows that hold each value; ``after``: the first value of the next position. Returns the
    fewest people who share one, its values (−1 beyond the last), the rows of combinations that fewer than k
    share, and whether all were looked at within ``most_work`` words.
    """
    values, words = bits.shape
    chosen = np.full(size, -1, np.int64)
    worst = np.full(size, -1, np.int64)
    exposed = np.zeros(words, np.uint64)
    both = np.zeros((size, words), np.uint64)
    fewest = len(owners) + 1
    # Single values first: the rarest of them bounds how far the others need be counted.
    for value in range(values):
        found = people_in(bits[value], owners, apart)
        if found < fewest:
            fewest = found
            worst[:] = -1
            worst[0] = value
        if found < k:
            exposed |= bits[value]
    work = np.int64(values * words)
    at = np.zeros(size, np.int64)
    depth = 0
    while depth >= 0:
        value = at[depth]
        if value == values:
            depth -= 1
            continue
        at[depth] += 1
        if work > most_work:
            return fewest, worst, exposed, False
        chosen[depth] = value
        if depth == 0:
            both[0] = bits[value]
            work += words
            found = people_in(both[0], owners, apart)
        elif depth == size - 1 and apart:
            stop = max(k, fewest)
            found = 0
            word = 0
            while word < words and found < stop:
                found += ones(both[depth - 1, word] & bits[value, word])
                word += 1
            work += word
            if found == 0 or found >= stop:
                continue
            both[depth] = both[depth - 1] & bits[value]
        else:
            both[depth] = both[depth - 1] & bits[value]
            work += 2 * words
            found = people_in(both[depth], owners, apart)
        if found == 0:
            continue
        if found < fewest:
            fewest = found
            for place in range(size):
                worst[place] = chosen[place] if place <= depth else -1
        if found < k:
            exposed |= both[depth]
        # Below a combination that fewer than k share there are only smaller ones; one person is the least.
        if depth + 1 < size and not (found < k and fewest == 1):
            at[depth + 1] = after[value]
            depth += 1
    return fewest, worst, exposed, True
