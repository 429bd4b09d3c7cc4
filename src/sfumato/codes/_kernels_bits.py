"""Sets of records as bits: row v of a matrix has bit r set when record r holds node v."""

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
def bits_of(starts: NDArray[np.int64], codes: NDArray[np.int32], rows: int) -> NDArray[np.uint64]:
    """Mark for every code (row) the records that hold it; ``rows`` may leave room for more rows."""
    words = (len(starts) - 1 + 63) // 64
    bits = np.zeros((rows, words), np.uint64)
    for record in range(len(starts) - 1):
        word, bit = record >> 6, np.uint64(1) << np.uint64(record & 63)
        for slot in range(starts[record], starts[record + 1]):
            bits[codes[slot], word] |= bit
    return bits


@kernel
def merge_bits(bits: NDArray[np.uint64], into: int, row: int) -> None:
    """Let row ``into`` also hold the records of ``row``."""
    for word in range(bits.shape[1]):
        bits[into, word] |= bits[row, word]


@kernel
def held_by(bits: NDArray[np.uint64], nodes: NDArray[np.int64], number: int, enough: int) -> int:
    """Count the records that hold all of the first ``number`` nodes; stop counting at ``enough``."""
    found: int = 0
    for word in range(bits.shape[1]):
        both = bits[nodes[0], word]
        for place in range(1, number):
            both &= bits[nodes[place], word]
        if both != np.uint64(0):
            found += ones(both)
            if found >= enough:
                return found
    return found
