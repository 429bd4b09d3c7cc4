"""The built-in aligner: every sequence against one in the centre.

Gusfield, *Efficient methods for multiple sequence alignment with guaranteed error bounds* (1993): the centre
star. Every sequence is aligned to one of them, and the columns of that one hold all the others together; once
a gap, always a gap. Gusfield takes the sequence with the least sum of distances, which needs all pairs; here
it is the one whose words of six bases are nearest to those of all sequences together, so that n sequences
need n alignments.

It is meant for sequences of one region of one species, such as mtDNA, that differ little. Bases that several
sequences have beyond the centre at the same place stand in the same columns from the left, without being
aligned among themselves. For distant sequences use a real aligner (``Mafft``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.align.contract import distinct
from sfumato.dna.align.pairwise import MOST_CELLS, Columns, Fit, fit
from sfumato.dna.align.scoring import Scoring
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import GAP, iupac

WORD = 6
_PAIRED, _EXTRA = 0, 1


@dataclass(frozen=True)
class Banded:
    """Centre star over banded global alignments with affine gaps (``align/pairwise``).

    >>> from sfumato.hierarchy.iupac import parse
    >>> found = Banded().align(Unaligned((parse("ACGTACGT"), parse("ACGACGT"), parse("ACGTAACGT"))))
    >>> [found.lattice.spelt(row) for row in found.cells]
    ['ACGT-ACGT', 'ACG--ACGT', 'ACGTAACGT']
    """

    scoring: Scoring = field(default_factory=Scoring)
    most_cells: int = MOST_CELLS
    """how many bytes the band of one alignment may take"""
    name: str = field(default="banded", init=False)

    def __post_init__(self) -> None:
        if self.most_cells < 1:
            raise BadInput("an aligner needs room for at least one cell", where="most_cells")

    def align(self, data: Unaligned, *, progress: Progress = SILENT) -> Aligned:
        """Return the rows in the order of the sequences. Gaps that were there are put anew."""
        if not len(data):
            raise BadInput("there is no sequence to align", where="alignment")
        different, which = distinct(data.sequences)
        middle = centre(different, np.bincount(which))
        columns = Columns.of_sequence(different[middle], self.scoring)
        progress.step("aligning")
        fits: list[Fit] = []
        for done, sequence in enumerate(different):
            fits.append(fit(sequence, columns, most_cells=self.most_cells))
            progress.update((done + 1) / len(different), f"{done + 1:,} of {len(different):,} sequences")
        return Aligned(merged(different, fits, columns.width)[which], iupac(), persons=data.persons)


def centre(sequences: list[NDArray[np.uint8]], times: NDArray[np.int64]) -> int:
    """Return the sequence whose words are nearest to the mean of all, the first of several.

    Each sequence occurs so many ``times``. The distance is the sum of |count − mean count| over the 4⁶ words
    of six plain bases; words with other codes are not counted. Where no sequence has a word, the longest is
    taken.
    """
    mean = np.zeros(4**WORD)
    for sequence, count in zip(sequences, times, strict=True):
        mean += count * _words(sequence)
    if not mean.any():
        return int(np.argmax([len(sequence) for sequence in sequences]))
    mean /= times.sum()
    return int(np.argmin([np.abs(_words(sequence) - mean).sum() for sequence in sequences]))


def _words(sequence: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How often each word of plain bases occurs."""
    if len(sequence) < WORD:
        return np.zeros(4**WORD)
    digit = np.full(256, -1, np.int64)
    digit[[1, 2, 4, 8]] = range(4)
    digits = digit[sequence]
    windows = np.lib.stride_tricks.sliding_window_view(digits, WORD)
    words = windows @ (4 ** np.arange(WORD))
    plain = (windows >= 0).all(axis=1)
    return np.bincount(words[plain], minlength=4**WORD).astype(np.float64)


def merged(sequences: list[NDArray[np.uint8]], fits: list[Fit], width: int) -> NDArray[np.uint8]:
    """Return one row for each sequence, from how each lies in the columns of the centre.

    Before each of these columns, and after the last, stand as many columns as the sequence with most letters
    there needs.
    """
    room = np.zeros(width + 1, np.int64)
    slots = []
    for found in fits:
        passed = np.cumsum(found.steps != _EXTRA)
        # A letter without a column stands before the next column of the centre.
        slot = passed[found.steps == _EXTRA]
        slots.append(slot)
        room = np.maximum(room, np.bincount(slot, minlength=width + 1))
    starts = np.cumsum(room) - room + np.arange(width + 1)
    rows = np.full((len(sequences), width + int(room.sum())), GAP, np.uint8)
    for row, sequence, found, slot in zip(rows, sequences, fits, slots, strict=True):
        letter = found.steps[found.steps != 2]
        column = np.flatnonzero(found.steps[found.steps != _EXTRA] == _PAIRED)
        row[starts[column] + room[column]] = sequence[letter == _PAIRED]
        nth = np.arange(len(slot)) - np.searchsorted(slot, slot)
        row[starts[slot] + nth] = sequence[letter == _EXTRA]
    return rows
