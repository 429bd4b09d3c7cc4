"""Cells as integer keys: each column has its own bits, so that one column changes by one look-up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells

WORD_BITS = 63
"""bits used of a signed 64-bit word"""


@dataclass(frozen=True)
class Coding:
    """Where each column lies in the key, and how its groups map from one level to a higher one.

    The group of column j stands in word ``word[j]`` at bit ``shift[j]``. A key has as many words as
    the columns need; one is enough for 63 bits. ``climb[offset[j, a, b] + g]`` is the group at level b,
    already shifted into place, that holds group g of level a.
    """

    words: int
    word: NDArray[np.int64]
    shift: NDArray[np.int64]
    mask: NDArray[np.int64]
    groups: NDArray[np.int64]
    """groups[j, level]: how many groups there are"""
    climb: NDArray[np.int64] = field(repr=False)
    offset: NDArray[np.int64] = field(repr=False)
    """-1 where b ≤ a"""

    @classmethod
    def of(cls, ladders: tuple[Ladder, ...]) -> Coding:
        """Lay out the columns, widest first, so that they fill few words."""
        columns = len(ladders)
        tallest = max((ladder.height for ladder in ladders), default=0) + 1
        groups = np.ones((columns, tallest), np.int64)
        for j, ladder in enumerate(ladders):
            for level in range(ladder.height + 1):
                groups[j, level] = int(ladder.rungs[level].max(initial=0)) + 1
        bits = [max(1, int(groups[j].max() - 1).bit_length()) for j in range(columns)]
        word, shift = np.zeros(columns, np.int64), np.zeros(columns, np.int64)
        filled = [0]
        for j in sorted(range(columns), key=lambda column: (-bits[column], column)):
            place = next((w for w, used in enumerate(filled) if used + bits[j] <= WORD_BITS), None)
            if place is None:
                place = len(filled)
                filled.append(0)
            word[j], shift[j] = place, filled[place]
            filled[place] += bits[j]
        offset = np.full((columns, tallest, tallest), -1, np.int64)
        tables: list[NDArray[np.int64]] = []
        start = 0
        for j, ladder in enumerate(ladders):
            for low in range(ladder.height + 1):
                for high in range(low + 1, ladder.height + 1):
                    table = np.zeros(int(groups[j, low]), np.int64)
                    table[ladder.rungs[low]] = ladder.rungs[high].astype(np.int64) << shift[j]
                    tables.append(table)
                    offset[j, low, high] = start
                    start += len(table)
        climb = np.concatenate(tables) if tables else np.zeros(1, np.int64)
        mask = np.array([(1 << width) - 1 for width in bits], np.int64)
        return cls(len(filled), word, shift, mask, groups, climb, offset)

    def keys(self, cells: Cells, ladders: tuple[Ladder, ...]) -> NDArray[np.int64]:
        """Return the keys of all cells at level 0, word after word within a cell."""
        packed = np.zeros((len(cells), self.words), np.int64)
        for j, ladder in enumerate(ladders):
            group = ladder.rungs[0][cells.codes[j]].astype(np.int64)
            packed[:, self.word[j]] |= group << self.shift[j]
        return packed.reshape(-1)
