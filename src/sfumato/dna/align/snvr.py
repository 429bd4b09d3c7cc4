"""Single nucleotide variable regions: the columns of an alignment in which rows differ.

Malin, *Protecting DNA Sequence Anonymity with Generalization Lattices* (2005): a position is variable when at
least one sequence has another value there than another sequence. All other columns are the same for
everybody: no row can be told from another by them, and generalising never touches them.

A cell is a set of what may stand there. Two cells *differ* when their sets do: A and N differ (a row that
says N can be told from one that says A), and so do a base and a gap. That is the reading that anonymity
needs. Two cells *surely* differ when their sets have nothing in common: A and N do not (N may be an A), A and
R do not; a base and a gap do. That is the reading for counting variants, never for protecting rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.aligned import Aligned
from sfumato.hierarchy.iupac import SIZE

ROWS_AT_ONCE = 1024


def snvrs(rows: Aligned, *, surely: bool = False) -> NDArray[np.int64]:
    """Return the columns (numbers from 0) in which at least two rows differ.

    >>> from sfumato.dna.aligned import aligned
    >>> seed = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
    >>> (snvrs(seed) + 1).tolist()
    [2, 4]
    >>> unsure = aligned("ANA", "ATG")
    >>> snvrs(unsure).tolist(), snvrs(unsure, surely=True).tolist()
    ([1, 2], [2])
    """
    cells = rows.cells
    if surely:
        return np.flatnonzero(_surely(_seen(cells)))
    vary = np.zeros(rows.width, np.bool_)
    for first in range(0, len(cells), ROWS_AT_ONCE):
        vary |= (cells[first : first + ROWS_AT_ONCE] != cells[0]).any(axis=0)
    return np.flatnonzero(vary)


def _seen(cells: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """For each column a bit for every set that occurs in it."""
    seen = np.zeros(cells.shape[1], np.uint32)
    for first in range(0, len(cells), ROWS_AT_ONCE):
        block = np.uint32(1) << cells[first : first + ROWS_AT_ONCE].astype(np.uint32)
        seen |= np.bitwise_or.reduce(block, axis=0)
    return seen


def _surely(seen: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Say which columns hold two sets without anything in common."""
    kinds, which = np.unique(seen, return_inverse=True)
    apart = np.zeros(len(kinds), np.bool_)
    for at, kind in enumerate(kinds.tolist()):
        sets = [mask for mask in range(1, SIZE) if kind >> mask & 1]
        apart[at] = any(not x & y for x in sets for y in sets)
    return apart[which]
