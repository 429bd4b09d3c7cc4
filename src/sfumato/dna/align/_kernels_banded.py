"""Global alignment of a sequence to columns, in a band around the diagonal, with affine gaps (Gotoh 1982)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

NEVER = -(1 << 60)
PAIRED, EXTRA, SKIPPED = 0, 1, 2
"""what a step is: a letter in a column, a letter without a column, a column without a letter"""


@kernel
def banded(
    letters: NDArray[np.int64],
    profile: NDArray[np.int64],
    open_extra: int,
    extend_extra: int,
    open_skipped: NDArray[np.int64],
    extend_skipped: NDArray[np.int64],
    lowest: int,
    highest: int,
    steps: NDArray[np.uint8],
) -> tuple[int, int]:
    """Write the steps of a best alignment, last one first; return its score and how many steps it has.

    ``profile[x, j]`` is the score of letter x in column j. Cell (i, j) lies in the band where
    lowest ≤ j − i ≤ highest; it is kept at place j − i − lowest of its row, so that the cell above lies one
    place further and the cell to the left one place before.
    """
    rows = letters.shape[0]
    columns = profile.shape[1]
    width = highest - lowest + 1
    trace = np.zeros((rows + 1, width), np.uint8)
    paired = np.full(width, NEVER, np.int64)
    extra = np.full(width, NEVER, np.int64)
    skipped = np.full(width, NEVER, np.int64)
    for i in range(rows + 1):
        for k in range(width):
            j = i + lowest + k
            if j < 0 or j > columns:
                paired[k] = NEVER
                extra[k] = NEVER
                skipped[k] = NEVER
                continue
            if i == 0 and j == 0:
                paired[k] = 0
                continue
            # This row is written over the last one from left to right: place k still holds the cell on
            # the diagonal and place k + 1 the cell above, while place k − 1 is already the cell to the left.
            source = 0
            best_paired = NEVER
            if i > 0 and j > 0:
                best_paired = paired[k]
                if extra[k] > best_paired:
                    best_paired = extra[k]
                    source = EXTRA
                if skipped[k] > best_paired:
                    best_paired = skipped[k]
                    source = SKIPPED
                if best_paired > NEVER:
                    best_paired += profile[letters[i - 1], j - 1]
            best_extra = NEVER
            if i > 0 and k + 1 < width:
                best_extra = paired[k + 1] + open_extra
                if extra[k + 1] + extend_extra > best_extra:
                    best_extra = extra[k + 1] + extend_extra
                    source |= EXTRA << 2
                if skipped[k + 1] + open_extra > best_extra:
                    best_extra = skipped[k + 1] + open_extra
                    source = (source & 3) | SKIPPED << 2
                best_extra = max(best_extra, NEVER)
            best_skipped = NEVER
            if j > 0 and k > 0:
                best_skipped = paired[k - 1] + open_skipped[j - 1]
                before = 0
                if extra[k - 1] + open_skipped[j - 1] > best_skipped:
                    best_skipped = extra[k - 1] + open_skipped[j - 1]
                    before = EXTRA
                if skipped[k - 1] + extend_skipped[j - 1] > best_skipped:
                    best_skipped = skipped[k - 1] + extend_skipped[j - 1]
                    before = SKIPPED
                source |= before << 4
                best_skipped = max(best_skipped, NEVER)
            paired[k] = best_paired
            extra[k] = best_extra
            skipped[k] = best_skipped
            trace[i, k] = source
    i = rows
    j = columns
    k = j - i - lowest
    state = PAIRED
    score = paired[k]
    if extra[k] > score:
        score = extra[k]
        state = EXTRA
    if skipped[k] > score:
        score = skipped[k]
        state = SKIPPED
    count = 0
    while i > 0 or j > 0:
        steps[count] = state
        count += 1
        source = trace[i, j - i - lowest]
        if state == PAIRED:
            state = source & 3
            i -= 1
            j -= 1
        elif state == EXTRA:
            state = (source >> 2) & 3
            i -= 1
        else:
            state = (source >> 4) & 3
            j -= 1
    return score, count
