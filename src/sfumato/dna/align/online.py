"""Fit newcomers into an alignment without moving its columns.

What was published keeps its columns, so a newcomer is laid into them: its score in a column is the sum of its
scores with all rows there, and passing a column by costs as many gaps as rows have a letter in it. Letters
for which there is no column are reported and left out; who inserts decides what becomes of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.align.contract import without_gaps
from sfumato.dna.align.pairwise import EXTRA, PAIRED, SKIPPED, Columns, fit
from sfumato.dna.align.scoring import Scoring
from sfumato.dna.aligned import Aligned
from sfumato.hierarchy.iupac import GAP, SIZE


@dataclass(frozen=True, eq=False)
class Newcomer:
    """A sequence laid into the columns of an alignment."""

    cells: NDArray[np.uint8] = field(repr=False)
    """one cell for each column, gaps where it has no letter"""
    extra: NDArray[np.uint8] = field(repr=False)
    """the letters for which there was no column, in their order"""
    before: NDArray[np.int64] = field(repr=False)
    """for each of them the column before which it stands (the number of columns: after the last)"""

    @property
    def whole(self) -> bool:
        """Whether every letter found a column."""
        return not len(self.extra)


@dataclass(frozen=True, eq=False)
class OnlineAligner:
    """The columns of an alignment, made ready once for any number of newcomers.

    >>> from sfumato.dna.aligned import aligned
    >>> from sfumato.hierarchy.iupac import parse
    >>> old = aligned("ACGT-ACGT", "ACGTTACGT")
    >>> found = OnlineAligner(old).fit(parse("ACGTACGTT"))
    >>> old.lattice.spelt(found.cells), found.before.tolist()
    ('ACGT-ACGT', [8])
    """

    existing: Aligned = field(repr=False)
    scoring: Scoring = field(default_factory=Scoring)
    _columns: Columns = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.existing.lattice.gap is None:
            raise BadInput("only sequences of bases can be aligned", where="online alignment")
        if not len(self.existing):
            raise BadInput("there is no row yet whose columns could be kept", where="online alignment")
        object.__setattr__(self, "_columns", profile(self.existing.cells, self.scoring))

    def fit(self, sequence: NDArray[np.uint8]) -> Newcomer:
        """Lay a sequence (its gaps are put anew) into the columns."""
        letters = without_gaps(sequence)
        steps = fit(letters, self._columns).steps
        kept = steps[steps != SKIPPED] == PAIRED
        cells = np.full(self.existing.width, GAP, np.uint8)
        cells[np.flatnonzero(steps[steps != EXTRA] == PAIRED)] = letters[kept]
        before = np.cumsum(steps != EXTRA)[steps == EXTRA]
        return Newcomer(cells, letters[~kept], before)


def profile(cells: NDArray[np.uint8], scoring: Scoring) -> Columns:
    """Return the columns of an alignment as sums over its rows."""
    occurs = np.stack([(cells == mask).sum(axis=0) for mask in range(SIZE)]).astype(np.int64)
    return Columns.of_rows(scoring.table() @ occurs, len(cells) - occurs[GAP], len(cells), scoring)
