"""Sums over the sites of each person: plain loops over dosages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def add_site_scores(
    dosages: NDArray[np.int8],
    table: NDArray[np.float64],
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
    known: NDArray[np.int64],
) -> None:
    """Add ``table[site, dosage]`` of each person; what is missing adds nothing."""
    for site in range(dosages.shape[0]):
        for person in range(dosages.shape[1]):
            dosage = dosages[site, person]
            if 0 <= dosage <= 2:
                score = table[site, dosage]
                sums[person] += score
                squares[person] += score * score
                known[person] += 1


@kernel
def add_pair_scores(
    dosages: NDArray[np.int8],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    standard: NDArray[np.float64],
    weight: NDArray[np.float64],
    sums: NDArray[np.float64],
    known: NDArray[np.int64],
) -> None:
    """Add weight · z_i · z_j of each person over pairs of sites, z being ``standard[site, dosage]``."""
    for pair in range(first.shape[0]):
        i = first[pair]
        j = second[pair]
        for person in range(dosages.shape[1]):
            a = dosages[i, person]
            b = dosages[j, person]
            if 0 <= a <= 2 and 0 <= b <= 2:
                sums[person] += weight[pair] * standard[i, a] * standard[j, b]
                known[person] += 1
