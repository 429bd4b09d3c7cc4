"""How a set counts in a statistic: evenly over what it may be; a cell that is quite open counts nowhere.

    R = {A, G} is half an A and half a G;   0/. = {0/0, 0/1} is half an alternate allele.

So two people published as the join of A and T still count as one A and one T. N, ``./.`` and gaps say nothing
of a base: they are left out, as analysts leave out what is missing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.aligned import Aligned
from sfumato.hierarchy.iupac import SIZE, Lattice

_BASES = (1, 2, 4, 8)


def shares(lattice: Lattice) -> NDArray[np.float64]:
    """Return alleles × masks: how much of each allele a cell is; nan where it says nothing.

    Alleles are the four bases, or of genotypes the alternate allele alone, as a share of two.

    >>> from sfumato.hierarchy.iupac import genotypes, iupac
    >>> shares(iupac())[:, 5].tolist(), shares(genotypes())[0, [1, 2, 4, 3, 6, 7]].tolist()
    ([0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 1.0, 0.25, 0.75, nan])
    """
    said = [mask for mask in lattice.masks.values() if mask not in (lattice.top, lattice.gap)]
    if lattice.name == "genotypes":
        table = np.full((1, SIZE), np.nan)
        for mask in said:
            doses = [dose for dose in range(3) if mask >> dose & 1]
            table[0, mask] = sum(doses) / len(doses) / 2
        return table
    table = np.full((len(_BASES), SIZE), np.nan)
    for mask in said:
        table[:, mask] = [(mask & base > 0) / mask.bit_count() for base in _BASES]
    return table


def counts_of(cells: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return columns × masks: how often each set stands in each column."""
    from sfumato.dna.utility._kernels_counts import count_sets

    found = np.zeros((cells.shape[1], SIZE), np.int64)
    count_sets(np.require(cells, np.uint8, ["C", "W"]), found)
    return found


def frequencies(counts: NDArray[np.int64], lattice: Lattice) -> NDArray[np.float64]:
    """Return columns × alleles from how often each set stands in a column; nan where no cell says any.

    >>> from sfumato.dna.aligned import aligned
    >>> rows = aligned("AN", "GN", "R-")
    >>> frequencies(counts_of(rows.cells), rows.lattice)[:, [0, 2]].tolist()
    [[0.5, 0.5], [nan, nan]]
    """
    table = shares(lattice)
    said = ~np.isnan(table[0])
    cells = counts[:, said].sum(axis=1)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = (counts[:, said] @ table[:, said].T) / cells[:, None]
    return found


def common_alleles(original: Aligned) -> NDArray[np.int64]:
    """Return the allele (a row of ``shares``) by which each column is read as one of two: the most frequent
    one of the original; of genotypes the alternate one."""
    found = frequencies(counts_of(original.cells), original.lattice)
    common: NDArray[np.int64] = np.nan_to_num(found, nan=-1.0).argmax(axis=1).astype(np.int64)
    return common


def doses(rows: Aligned, alleles: NDArray[np.int64], columns: slice) -> NDArray[np.float64]:
    """Return rows × columns: how much of its column's allele each cell is; nan where it says nothing."""
    table = shares(rows.lattice)
    found: NDArray[np.float64] = table[alleles[columns][None, :], rows.cells[:, columns]]
    return found
