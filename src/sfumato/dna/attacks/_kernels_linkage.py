"""Candidates of a linkage by known cells: plain loops, left at the first cell that does not fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def count_candidates(
    known: NDArray[np.uint8],
    where: NDArray[np.int64],
    victims: NDArray[np.int64],
    published: NDArray[np.uint8],
    owners: NDArray[np.int64],
    persons: int,
    holds: NDArray[np.bool_],
    counted: NDArray[np.int64],
) -> None:
    """Of the published rows that hold all known cells count people, rows, and the victim's own rows.

    ``known[v, i]`` is the cell at column ``where[v, i]``, −1 for none. ``owners`` and ``victims`` number
    people.
    """
    seen = np.full(persons, -1, np.int64)
    for victim in range(known.shape[0]):
        for row in range(published.shape[0]):
            fits = True
            for at in range(where.shape[1]):
                column = where[victim, at]
                if column >= 0 and not holds[known[victim, at], published[row, column]]:
                    fits = False
                    break
            if fits:
                owner = owners[row]
                counted[victim, 1] += 1
                if owner == victims[victim]:
                    counted[victim, 2] += 1
                if seen[owner] != victim:
                    seen[owner] = victim
                    counted[victim, 0] += 1
