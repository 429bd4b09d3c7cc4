"""The built-in aligner: one sequence after the other, each against the columns of those before it.

Feng and Doolittle, *Progressive sequence alignment as a prerequisite to correct phylogenetic trees* (1987):
once a gap, always a gap. They follow a tree that needs the distances of all pairs; here the first is the
sequence whose words of six bases are nearest to those of all sequences together, and the others follow by
how near theirs are. So n different sequences need n alignments, and the order of the input hardly matters.

It is meant for sequences of one region of one species, such as mtDNA, that differ little. Each step is as
good as it can be (``align/pairwise``); the whole need not be. For distant sequences take ``Mafft``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.align.contract import distinct
from sfumato.dna.align.pairwise import EXTRA, MOST_CELLS, SKIPPED, Columns, fit
from sfumato.dna.align.scoring import Scoring
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import GAP, iupac

WORD = 6
_WORDS = 4**WORD


@dataclass(frozen=True)
class Banded:
    """Progressive alignment by banded global alignments with affine gaps.

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
        times = np.bincount(which)
        growing = Growing(self.scoring, self.most_cells)
        progress.step("aligning")
        places = [np.empty(0, np.int64)] * len(different)
        for done, at in enumerate(nearest_first(different, times), 1):
            places[at] = growing.add(different[at], int(times[at]))
            progress.update(done / len(different), f"{done:,} of {len(different):,} sequences")
        cells = np.full((len(different), len(growing.order)), GAP, np.uint8)
        place_of = np.argsort(growing.order)
        for row, sequence, mine in zip(cells, different, places, strict=True):
            row[place_of[mine]] = sequence
        return Aligned(cells[which], iupac(), persons=data.persons)


class Growing:
    """An alignment that grows by rows and columns. A column has a number that it keeps when others come
    before it; ``order`` holds the numbers from left to right."""

    def __init__(self, scoring: Scoring, most_cells: int) -> None:
        self._scoring = scoring
        self._table = scoring.table()
        self._most_cells = most_cells
        self._rows = 0
        self._profile = np.zeros((len(self._table), 0), np.int64)
        self._filled = np.zeros(0, np.int64)
        self.order = np.zeros(0, np.int64)

    @property
    def columns(self) -> Columns:
        """What the next sequence is aligned to."""
        return Columns.of_rows(self._profile, self._filled, self._rows, self._scoring)

    def add(self, sequence: NDArray[np.uint8], times: int) -> NDArray[np.int64]:
        """Lay a sequence that occurs so many times into the columns; return the column of each letter."""
        steps = fit(sequence, self.columns, most_cells=self._most_cells).steps
        before = np.cumsum(steps != EXTRA)[steps == EXTRA]
        if len(before):
            new = np.arange(len(self.order), len(self.order) + len(before))
            empty = np.repeat(self._rows * self._table[:, [GAP]], len(before), axis=1)
            self.order = np.insert(self.order, before, new)
            self._filled = np.insert(self._filled, before, 0)
            self._profile = np.insert(self._profile, before, empty, axis=1)
        row = np.full(len(steps), GAP, np.uint8)
        row[steps != SKIPPED] = sequence
        self._profile += times * self._table[:, row]
        self._filled += times * (row != GAP)
        self._rows += times
        mine: NDArray[np.int64] = self.order[steps != SKIPPED]
        return mine


def nearest_first(sequences: list[NDArray[np.uint8]], times: NDArray[np.int64]) -> list[int]:
    """Return the sequences in the order of how near their words are to the mean of all.

    Each sequence occurs so many ``times``. The distance is the sum of |count − mean count| over the 4⁶ words
    of six plain bases; words with other codes are not counted. Where words do not tell, the longer is first.
    """
    mean = np.zeros(_WORDS)
    for sequence, count in zip(sequences, times, strict=True):
        mean += count * _words(sequence)
    mean /= times.sum()
    far = [(float(np.abs(_words(sequence) - mean).sum()), -len(sequence)) for sequence in sequences]
    return sorted(range(len(sequences)), key=far.__getitem__)


def _words(sequence: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How often each word of plain bases occurs."""
    if len(sequence) < WORD:
        return np.zeros(_WORDS)
    digit = np.full(256, -1, np.int64)
    digit[[1, 2, 4, 8]] = range(4)
    digits = digit[sequence]
    windows = np.lib.stride_tricks.sliding_window_view(digits, WORD)
    words = windows @ (4 ** np.arange(WORD))
    plain = (windows >= 0).all(axis=1)
    return np.bincount(words[plain], minlength=_WORDS).astype(np.float64)
