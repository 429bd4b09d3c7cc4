"""How far up the lattice cells were moved (Malin 2005), of how far they could have been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.dna.aligned import Aligned
from sfumato.dna.utility.contract import matched
from sfumato.hierarchy.iupac import SIZE, Lattice

_ROWS = 1024
"""rows that are compared at once"""


@dataclass(frozen=True)
class LatticeLoss:
    """The levels that cells rose, as a share of all the levels that they could have risen.

    Σ (level(published) − level(original)) / Σ (level(top) − level(original)), over all cells.

    A row that was left out has lost everything, and so has a cell that does not hold its original (a
    perturbed one): both count as if they were open.

    >>> from sfumato.dna.aligned import aligned
    >>> found = LatticeLoss().of(aligned("AATTA", "ATTCA"), aligned("AWTYA", "AWTYA"))
    >>> round(found.value, 4), found.details["levels"]
    (0.1333, 4)
    """

    name: ClassVar[str] = "lattice-loss"
    title: ClassVar[str] = "levels lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far cells were generalised, of how far they could have been"

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Add up the levels; None where the original leaves everything open."""
        rows = matched(original, published, kept)
        lattice = original.lattice
        levels, top = lattice.levels, int(lattice.levels[lattice.top])
        before = np.bincount(original.cells.ravel(), minlength=SIZE)
        possible = int(before @ (top - levels))
        if not possible:
            return None
        pairs = _pairs(original.cells[rows], published.cells)
        true = _holding(lattice)
        rise = np.where(true, levels[None, :] - levels[:, None], top - levels[:, None])
        left = possible - int((pairs * (top - levels)[:, None]).sum())
        lost = int((pairs * rise).sum()) + left
        return Measured(
            lost / possible,
            {
                "levels": lost,
                "levels that could be lost": possible,
                "rows left out": len(original) - len(rows),
                "untrue cells": int(pairs[~true].sum()),
            },
        )


@dataclass(frozen=True)
class CellsChanged:
    """The share of the cells that are not shown as they were.

    Each cell of the original is *kept*, *generalised* (a larger set that holds it), *blanked* (the set of
    everything), *untrue* (a set that does not hold it), or *left out* with its row.

    >>> from sfumato.dna.aligned import aligned
    >>> found = CellsChanged().of(aligned("AATTA", "ATTCA"), aligned("AWTNA", "AWTNA"))
    >>> found.value, found.details["generalised"], found.details["blanked"]
    (0.4, 2, 2)
    """

    name: ClassVar[str] = "cells-changed"
    title: ClassVar[str] = "cells not shown as they were"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the cells that were generalised, blanked or left out"

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Count them; None where there are none."""
        rows = matched(original, published, kept)
        if not original.cells.size:
            return None
        lattice = original.lattice
        pairs = _pairs(original.cells[rows], published.cells)
        same = int(np.diagonal(pairs).sum())
        untrue = int(pairs[~_holding(lattice)].sum())
        blanked = int(pairs[:, lattice.top].sum() - pairs[lattice.top, lattice.top])
        left = (len(original) - len(rows)) * original.width
        return Measured(
            1 - same / original.cells.size,
            {
                "cells": int(original.cells.size),
                "kept": same,
                "generalised": published.cells.size - same - untrue - blanked,
                "blanked": blanked,
                "untrue": untrue,
                "left out": left,
            },
        )


def _holding(lattice: Lattice) -> NDArray[np.bool_]:
    """Say of every two sets (before, after) whether the second holds the first."""
    masks = np.arange(SIZE)
    found: NDArray[np.bool_] = lattice.closed[masks[:, None] | masks[None, :]] == masks[None, :]
    return found


def _pairs(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return how often each set became which, as a table of masks."""
    found = np.zeros(SIZE * SIZE, np.int64)
    for row in range(0, len(before), _ROWS):
        keys = before[row : row + _ROWS].astype(np.int64) * SIZE + after[row : row + _ROWS]
        found += np.bincount(keys.ravel(), minlength=SIZE * SIZE)
    return found.reshape(SIZE, SIZE)
