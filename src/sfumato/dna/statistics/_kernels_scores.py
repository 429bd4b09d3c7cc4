"""Kernels: scores of people, added up over their genotypes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def add_scores(
    dosages: NDArray[np.int8],
    tables: NDArray[np.float64],
    levels: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Add ``tables[site, dosage]`` to ``out[levels[site], person]``; column 3 of a table is a missing
    dosage."""
    score = np.empty(4)
    for site in range(dosages.shape[0]):
        level = levels[site]
        for value in range(4):
            score[value] = tables[site, value]
        for person in range(dosages.shape[1]):
            out[level, person] += score[dosages[site, person] & 3]
