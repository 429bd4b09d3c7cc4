"""Sequences as FASTA: headers are numbers in the order of the file, which is drawn at random."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.writing.cells import check_cells
from sfumato.dna.writing.order import row_order, write_bytes
from sfumato.engine.contract import Order
from sfumato.hierarchy.iupac import GAP, letters

_WIDTH = 70


def without_gaps(rows: Aligned | Unaligned) -> Unaligned:
    """Return sequences without the gaps that an alignment put in; whose they are stays.

    >>> from sfumato.dna.aligned import aligned
    >>> [len(row) for row in without_gaps(aligned("AC-T", "ACGT")).sequences]
    [3, 4]
    """
    if rows_are_genotypes(rows):
        raise BadInput("genotypes are no sequence of bases", remedy="write them as VCF")
    sequences = rows.sequences if isinstance(rows, Unaligned) else tuple(rows.cells)
    return Unaligned(tuple(np.ascontiguousarray(row[row != GAP]) for row in sequences), rows.persons)


def rows_are_genotypes(rows: Aligned | Unaligned) -> bool:
    """Say whether the cells are genotypes rather than bases."""
    return isinstance(rows, Aligned) and rows.lattice.name == "genotypes"


def write_fasta(
    rows: Aligned | Unaligned,
    path: Path | str,
    *,
    order: Order = Order.SHUFFLED,
    random: Random | None = None,
) -> int:
    """Write sequences without gaps and return how many. ``.gz`` is packed."""
    check_cells(rows)
    sequences = without_gaps(rows).sequences
    lines: list[bytes] = []
    for number, at in enumerate(row_order(len(sequences), order, random).tolist(), 1):
        text = letters()[sequences[at]].tobytes()
        if not text:
            raise BadInput(
                "a sequence of gaps alone cannot be written", where=f"row {at + 1:,}", remedy="leave it out"
            )
        lines.append(b">%d" % number)
        lines += [text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH)]
    write_bytes(Path(path), b"".join(line + b"\n" for line in lines))
    return len(sequences)
