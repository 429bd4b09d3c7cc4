"""Loops of the four-gamete test over columns of dosages (0, 1, 2; −1 where not known)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def recombined(a: NDArray[np.int8], b: NDArray[np.int8], copies: int, least: int) -> bool:
    """Say whether all four combinations of two alleles are seen, each ``least`` times or more.

    With one copy each row shows one combination. Of two copies which lie together is known unless both sites
    are heterozygous; such rows are passed over.
    """
    seen = np.zeros(4, np.int64)
    for row in range(len(a)):
        x = a[row]
        y = b[row]
        if x < 0 or y < 0 or (copies == 2 and x == 1 and y == 1):
            continue
        if copies == 1:
            seen[2 * x + y] += 1
        else:
            seen[2 * (x >> 1) + (y >> 1)] += 1
            seen[2 * ((x + 1) >> 1) + ((y + 1) >> 1)] += 1
    return bool(seen.min() >= least)


@kernel
def block_starts(
    columns: NDArray[np.int8],
    minor: NDArray[np.int64],
    copies: int,
    least: int,
    longest: int,
    starts: NDArray[np.bool_],
) -> None:
    """Mark the first column of each block: columns of which no two are recombined, taken from the left.

    ``columns`` has a row for each column; ``minor`` counts its rarer allele: below ``least`` it recombines
    with none.
    """
    begin = 0
    for column in range(len(columns)):
        fresh = column == 0 or column - begin >= longest
        if not fresh and minor[column] >= least:
            for other in range(begin, column):
                if minor[other] >= least and recombined(columns[other], columns[column], copies, least):
                    fresh = True
                    break
        if fresh:
            starts[column] = True
            begin = column
