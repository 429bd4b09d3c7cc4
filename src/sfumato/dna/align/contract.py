"""What an aligner is: sequences of different lengths in, rows of the same length out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import GAP


class Aligner(Protocol):
    """Puts gaps into sequences so that what belongs together stands in one column.

    Row r of the result without its gaps is sequence r without its gaps; nothing else may change.
    """

    @property
    def name(self) -> str:
        """The name that recipes use."""

    def align(self, data: Unaligned, *, progress: Progress = SILENT) -> Aligned:
        """Return the rows in the order of the sequences, with their persons."""


def without_gaps(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a row without its gaps.

    >>> from sfumato.hierarchy.iupac import parse
    >>> without_gaps(parse("A-C-")).tolist()
    [1, 2]
    """
    kept: NDArray[np.uint8] = cells[cells != GAP]
    return kept


def faithful(rows: NDArray[np.uint8], sequences: Sequence[NDArray[np.uint8]]) -> bool:
    """Say whether every row without its gaps is its sequence (also without gaps)."""
    return len(rows) == len(sequences) and all(
        np.array_equal(without_gaps(row), without_gaps(sequence))
        for row, sequence in zip(rows, sequences, strict=True)
    )


def distinct(
    sequences: Sequence[NDArray[np.uint8]],
) -> tuple[list[NDArray[np.uint8]], NDArray[np.int64]]:
    """Return the different sequences without their gaps, and which of them each sequence is.

    >>> from sfumato.hierarchy.iupac import parse
    >>> different, which = distinct([parse("AC"), parse("A-C"), parse("T")])
    >>> len(different), which.tolist()
    (2, [0, 0, 1])
    """
    number_of: dict[bytes, int] = {}
    different: list[NDArray[np.uint8]] = []
    which = np.empty(len(sequences), np.int64)
    for at, sequence in enumerate(sequences):
        plain = np.ascontiguousarray(without_gaps(np.asarray(sequence, np.uint8)))
        number = number_of.setdefault(plain.tobytes(), len(different))
        if number == len(different):
            different.append(plain)
        which[at] = number
    return different, which
