"""Blocks of SNPs that are inherited together, and for how many others each SNP speaks.

Wang, Akey, Zhang, Chakraborty and Jin, *Distribution of recombination crossovers and the origin of haplotype
blocks* (2002): two SNPs of two alleles show at most three of the four combinations (gametes) unless the
chromosome was recombined between them, or a mutation recurred. A block is a longest run from the left in
which no two SNPs show all four, each with a share of 1 % or more.

    s(j) = Σ_{i in the block of j} r²(i, j)

is 1 for a SNP on its own, and for each of t SNPs that always go together it is t: how many SNPs it speaks
for. Σ_j 1/s(j) is about the number of SNPs that are independent. r² is adjusted for what chance alone gives:
r² − (1 − r²)/(n − 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.dna.aligned import Aligned
from sfumato.dna.methods.linked import dosages, standardised, value_counts
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, A, C, G, T

LEAST_SHARE = Fraction(1, 100)
LONGEST = 500
"""columns in a block at most: sums of r² over more would count chance"""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Consecutive columns that hang together: block b is the columns from ``starts[b]`` to the next start."""

    starts: NDArray[np.int64] = field(repr=False)
    linked: NDArray[np.float64] = field(repr=False)
    """how many SNPs each column speaks for"""

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def independent(self) -> float:
        """About how many independent SNPs there are."""
        return float((1 / self.linked).sum())


def haplotype_blocks(rows: Aligned) -> Blocks:
    """Cut columns, in the order in which they lie, into blocks.

    >>> from sfumato.dna.aligned import aligned
    >>> found = haplotype_blocks(aligned("AATA", "AATC", "CCTA", "CCTC", "AAGA", "CCTA"))
    >>> found.starts.tolist(), found.linked.round(2).tolist()
    ([0, 3], [2.0, 2.0, 1.0, 1.0])
    """
    from sfumato.dna.methods._kernels_blocks import block_starts

    copies = 2 if rows.lattice.name == "genotypes" else 1
    columns = np.ascontiguousarray(_alleles(rows).T)
    known = np.maximum((columns >= 0).sum(axis=1) * copies, 1)
    alternate = np.where(columns > 0, columns, 0).sum(axis=1, dtype=np.int64)
    least = max(1, -(-LEAST_SHARE.numerator * len(rows) * copies // LEAST_SHARE.denominator))
    begins = np.zeros(rows.width, np.bool_)
    block_starts(columns, np.minimum(alternate, known - alternate), copies, least, LONGEST, begins)
    starts = np.flatnonzero(begins).astype(np.int64)
    z = standardised(dosages(rows))
    linked = np.ones(rows.width)
    for start, stop in zip(starts, [*starts[1:], rows.width], strict=True):
        r2 = (z[:, start:stop].T @ z[:, start:stop]) ** 2
        if len(rows) > 2:
            r2 = np.maximum(r2 - (1 - r2) / (len(rows) - 2), 0.0)
        np.fill_diagonal(r2, 1.0)
        linked[start:stop] = r2.sum(axis=1)
    return Blocks(starts, linked)


def _alleles(rows: Aligned) -> NDArray[np.int8]:
    """How many copies of the other allele a row has for certain; of bases, of any but the commonest."""
    found = np.full(rows.cells.shape, -1, np.int8)
    if rows.lattice.name == "genotypes":
        for dosage, mask in enumerate((HOM_REF, HET, HOM_ALT)):
            found[rows.cells == mask] = dosage
        return found
    singles = np.array((A, C, G, T), np.uint8)
    commonest = singles[value_counts(rows)[:, singles].argmax(axis=1)]
    certain = np.isin(rows.cells, singles)
    found[certain] = (rows.cells != commonest)[certain]
    return found
