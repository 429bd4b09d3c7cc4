"""Align a sequence to columns: another sequence, or the columns of an alignment.

Needleman and Wunsch (1970) with the affine gaps of Gotoh (1982), in a band around the diagonal. The band is
widened until no path outside it can score more than the one that was found, so that the score is that of the
whole dynamic programme. The proof: with n letters and m ≥ n columns, a path that lies t diagonals outside the
two corners passes at least m − n + t columns by and leaves at least t letters without a column, each of which
is a gap; the columns that remain earn at most the best that they can. (For m < n the other way round.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.align.scoring import UNIT, Scoring

PAIRED, EXTRA, SKIPPED = 0, 1, 2
"""what a step is: a letter in a column, a letter without a column, a column without a letter"""
NARROWEST = 16
MOST_CELLS = 1 << 28
"""a band of more cells (a byte each) is not tried"""


@dataclass(frozen=True, eq=False)
class Columns:
    """What a sequence is aligned to: for each letter and column a score, and what it costs to pass by."""

    profile: NDArray[np.int64] = field(repr=False)
    """32 × columns"""
    open_skipped: NDArray[np.int64] = field(repr=False)
    extend_skipped: NDArray[np.int64] = field(repr=False)
    open_extra: int
    extend_extra: int

    @classmethod
    def of_sequence(cls, sequence: NDArray[np.uint8], scoring: Scoring) -> Columns:
        """Each letter of a sequence is a column."""
        return cls.of_rows(scoring.table()[:, sequence], np.ones(len(sequence), np.int64), 1, scoring)

    @classmethod
    def of_rows(
        cls, profile: NDArray[np.int64], filled: NDArray[np.int64], rows: int, scoring: Scoring
    ) -> Columns:
        """The columns of rows. ``profile`` holds sums over the rows, ``filled`` how many have a letter there:
        passing a column by is a gap beside these alone."""
        first, further = scoring.gap_open * UNIT, scoring.gap_extend * UNIT
        return cls(
            np.ascontiguousarray(profile), filled * first, filled * further, rows * first, rows * further
        )

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.profile.shape[1])


@dataclass(frozen=True, eq=False)
class Fit:
    """How a sequence lies in columns, from left to right, and its score in twelfths of a point."""

    score: int
    steps: NDArray[np.uint8] = field(repr=False)
    certain: bool
    """whether no alignment scores more; False only where the band would have outgrown ``most_cells``"""


def fit(letters: NDArray[np.uint8], columns: Columns, *, most_cells: int = MOST_CELLS) -> Fit:
    """Align a sequence (without gaps) to columns so that the score is greatest.

    >>> from sfumato.hierarchy.iupac import parse
    >>> found = fit(parse("ACGTA"), Columns.of_sequence(parse("ACTA"), Scoring()))
    >>> found.score / UNIT, found.steps.tolist(), found.certain
    (10.0, [0, 0, 1, 0, 0], True)
    """
    # Numba is heavy: it is imported where something is computed.
    from sfumato.dna.align._kernels_banded import banded

    mine = letters.astype(np.int64)
    n, m = len(mine), columns.width
    if not n or not m:
        return _one_run(n, columns)
    steps = np.empty(n + m, np.uint8)
    slack = min(NARROWEST, max(n, m))
    while True:
        lowest, highest = min(0, m - n) - slack, max(0, m - n) + slack
        score, count = banded(
            mine,
            columns.profile,
            columns.open_extra,
            columns.extend_extra,
            columns.open_skipped,
            columns.extend_skipped,
            max(lowest, -n),
            min(highest, m),
            steps,
        )
        enough = _slack_needed(n, columns, int(score))
        certain = slack >= enough
        wider = min(enough, 4 * slack)
        if certain or (n + 1) * (abs(m - n) + 2 * wider + 1) > most_cells:
            return Fit(int(score), steps[:count][::-1].copy(), certain)
        slack = wider


def _one_run(n: int, columns: Columns) -> Fit:
    """Nothing against something: one run of gaps, for which no table is needed."""
    if n:
        score = columns.open_extra + (n - 1) * columns.extend_extra
        return Fit(score, np.full(n, EXTRA, np.uint8), True)
    score = int(columns.open_skipped[:1].sum() + columns.extend_skipped[1:].sum())
    return Fit(score, np.full(columns.width, SKIPPED, np.uint8), True)


def _slack_needed(n: int, columns: Columns, score: int) -> int:
    """Return how far a band must reach beyond the corners so that no path outside it scores more."""
    m = columns.width
    whole = max(n, m)
    earned = np.sort(np.maximum(columns.profile.max(axis=0, initial=0), 0))[::-1]
    at_most = np.concatenate([np.zeros(1, np.int64), np.cumsum(earned)])
    passing, first_pass = int(columns.extend_skipped.max()), int(columns.open_skipped.max())
    outside = np.arange(1, whole + 1, dtype=np.int64)
    # Leaving on either side: so many columns passed by and so many letters without a column at least.
    longer, shorter = max(0, m - n), max(0, n - m)
    skipped, extra = outside + longer, outside + shorter
    paired = np.clip(m - skipped, 0, m)
    gaps = first_pass + (skipped - 1) * passing + columns.open_extra + (extra - 1) * columns.extend_extra
    bound = at_most[paired] + gaps
    possible = (skipped <= m) & (extra <= n)
    beating = np.flatnonzero(possible & (bound > score))
    return int(beating[-1]) + 1 if beating.size else 0
