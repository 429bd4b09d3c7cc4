"""How columns of sequences or genotypes hang together: dosages and r² (Hill and Robertson 1968).

    r²(a, b) = cov(x_a, x_b)² / (var x_a · var x_b)

over the dosages x: of genotypes the number of alternate alleles, of bases 1 for whoever lacks the commonest
one. A cell that leaves several open counts with their mean, one that says nothing with the mean of its
column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.aligned import Aligned
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, SIZE, A, C, G, T

COLUMNS_AT_ONCE = 1024


def value_counts(rows: Aligned) -> NDArray[np.int64]:
    """Return columns × 32: how many rows show each set."""
    keys = rows.cells.astype(np.int64) + SIZE * np.arange(rows.width)
    return np.bincount(keys.ravel(), minlength=SIZE * rows.width).reshape(rows.width, SIZE)


def dosages(rows: Aligned) -> NDArray[np.float64]:
    """Return rows × columns: the dosages, and the mean of its column where a cell says nothing.

    >>> from sfumato.dna.aligned import aligned
    >>> dosages(aligned("AC", "AC", "TR", "N-")).tolist()[:3]
    [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    """
    found = np.empty(rows.cells.shape)
    counts = value_counts(rows)
    for column in range(rows.width):
        weights = _weights(rows.lattice.name, counts[column])
        known = rows.cells[:, column] != rows.lattice.top
        if rows.lattice.gap is not None:
            known &= rows.cells[:, column] != rows.lattice.gap
        x = weights[rows.cells[:, column]]
        found[:, column] = np.where(known, x, x[known].mean() if known.any() else 0.0)
    return found


def _weights(lattice: str, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The dosage of each set."""
    singles = (HOM_REF, HET, HOM_ALT) if lattice == "genotypes" else (A, C, G, T)
    commonest = max(singles, key=lambda one: (counts[one], -one))
    of_single = {HOM_REF: 0.0, HET: 1.0, HOM_ALT: 2.0} if lattice == "genotypes" else {}
    weights = np.zeros(SIZE)
    for mask in range(1, SIZE):
        inside = [of_single.get(one, float(one != commonest)) for one in singles if mask & one]
        weights[mask] = sum(inside) / len(inside) if inside else 0.0
    return weights


def standardised(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return columns of mean 0 and length 1 (of length 0 where all rows are alike): their products are r."""
    centred = x - x.mean(axis=0)
    length = np.sqrt((centred * centred).sum(axis=0))
    # what is left of a constant column is rounding
    return np.where(length > 1e-9, centred / np.where(length > 1e-9, length, 1.0), 0.0)


def linkage(rows: Aligned) -> NDArray[np.float64]:
    """Return for each column the sum of its r² with all others.

    >>> from sfumato.dna.aligned import aligned
    >>> linkage(aligned("AAA", "AAC", "CCA", "CCC")).round(6).tolist()
    [1.0, 1.0, 0.0]
    """
    z = standardised(dosages(rows))
    found = np.zeros(rows.width)
    for first in range(0, rows.width, COLUMNS_AT_ONCE):
        block = slice(first, first + COLUMNS_AT_ONCE)
        found[block] = ((z[:, block].T @ z) ** 2).sum(axis=1) - (z[:, block] ** 2).sum(axis=0)
    # the same on every machine, whatever the order in which a library adds
    return np.abs(found.round(9))
