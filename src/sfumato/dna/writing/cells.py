"""Cells are checked before they are written: what is no set has no spelling, and must not get another's."""

from __future__ import annotations

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.reading.rows import counted_as
from sfumato.hierarchy.iupac import iupac


def check_cells(rows: Aligned | Unaligned) -> None:
    """Refuse rows with cells that are no set of their lattice, and say where the first is.

    >>> from sfumato.dna.aligned import aligned
    >>> check_cells(aligned("ACGT"))
    """
    lattice = rows.lattice if isinstance(rows, Aligned) else iupac()
    none = np.ones(256, np.bool_)
    none[list(lattice.masks.values())] = False
    many, first = 0, ""
    for number, row in enumerate(rows.cells if isinstance(rows, Aligned) else rows.sequences, 1):
        wrong = none[row]
        if wrong.any():
            first = first or f"row {number:,}, column {int(np.argmax(wrong)) + 1:,}"
            many += int(np.count_nonzero(wrong))
    if many:
        raise BadInput(
            f"there {'is' if many == 1 else 'are'} {counted_as(many, 'cell')} that "
            f"{'is' if many == 1 else 'are'} no set of {lattice.name}",
            where=first,
            remedy="join cells with Lattice.join, which gives sets that can be written",
        )
