"""What released rows show, counted from what was read of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sfumato.core.evidence import Bin
from sfumato.core.evidence_dna import RowsEvidence
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.models.classes import row_numbers, text_numbers
from sfumato.dna.models.holding import values_of
from sfumato.dna.utility.weights import counts_of
from sfumato.hierarchy.iupac import iupac
from sfumato.recipe.risk import classes_evidence
from sfumato.table.risk import ClassSizes

MOST_BARS = 400
"""points along the positions that the steward sees"""


def shown_by(rows: Aligned | Unaligned) -> RowsEvidence:
    """Count rows, groups that look alike, and how open the cells are.

    >>> from sfumato.dna.aligned import aligned
    >>> found = shown_by(aligned("AWTYA", "AATGA", "AWTYA", "AATNA"))
    >>> found.different, found.smallest, found.exact, found.partly, found.open
    (3, 1, 15, 4, 1)
    """
    if isinstance(rows, Aligned):
        lattice, cells, numbers = rows.lattice, rows.cells.ravel(), row_numbers(rows.cells)
    else:
        lattice, numbers = iupac(), text_numbers(rows.sequences)
        cells = np.concatenate([*rows.sequences, np.empty(0, np.uint8)])
    counts = counts_of(cells[:, None])[0]
    sizes = np.bincount(numbers)
    exact = int(counts[list(values_of(lattice))].sum())
    open_ = int(counts[lattice.top])
    return RowsEvidence(
        rows=len(rows),
        positions=rows.width if isinstance(rows, Aligned) else None,
        different=len(sizes),
        smallest=int(sizes.min(initial=len(rows))),
        groups=bins_of(sizes),
        exact=exact,
        partly=len(cells) - exact - open_,
        open=open_,
        letters={text: int(counts[mask]) for text, mask in lattice.masks.items() if counts[mask]},
    )


def bins_of(sizes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[Bin]:
    """Sort groups by their size."""
    return classes_evidence(ClassSizes.of(sizes)).bins


def along_positions(rows: Aligned) -> tuple[list[float], list[float]]:
    """Return the shares of cells that are exact, and that say nothing, over at most 400 stretches."""
    if not rows.width or not len(rows):
        return [], []
    edges = np.linspace(0, rows.width, min(rows.width, MOST_BARS) + 1).astype(np.int64).tolist()
    counts = counts_of(rows.cells)
    exact = counts[:, list(values_of(rows.lattice))].sum(axis=1) / len(rows)
    nothing = counts[:, rows.lattice.top] / len(rows)
    found = [
        [round(float(share[low:high].mean()), 4) for low, high in pairwise(edges)]
        for share in (exact, nothing)
    ]
    return found[0], found[1]
