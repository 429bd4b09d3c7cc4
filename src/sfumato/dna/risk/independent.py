"""How many independent SNPs a file is worth: linked SNPs tell the same thing twice.

Galwey, "A new measure of the effective number of tests" (Genetic Epidemiology 2009):

    M_eff = (Σ √λ)² / Σ λ,  λ the eigenvalues of the correlations of the SNPs.

M SNPs that are independent give M; SNPs that are all copies of one give 1.
"""

from __future__ import annotations

import numpy as np

from sfumato.dna.aligned import Aligned
from sfumato.dna.utility.weights import common_alleles, doses

_AT_ONCE = 500
"""neighbours that are looked at together: linkage does not reach far"""


def independent_snps(rows: Aligned) -> float | None:
    """Return M_eff, added up over stretches of 500 positions that vary; None where none varies.

    It is an estimate, and a low one where there are fewer people than positions in a stretch: then chance
    alone correlates them. Cells that say nothing are taken as the mean of their column.

    >>> from sfumato.dna.aligned import aligned
    >>> round(independent_snps(aligned("AC", "AT", "GC", "GT")), 6)
    2.0
    >>> round(independent_snps(aligned("AC", "AC", "GT", "GT")), 6)
    1.0
    """
    alleles = common_alleles(rows)
    found, varying = 0.0, False
    for first in range(0, rows.width, _AT_ONCE):
        x = doses(rows, alleles, slice(first, min(first + _AT_ONCE, rows.width)))
        said = ~np.isnan(x)
        number = said.sum(axis=0)
        mean = np.where(said, x, 0.0).sum(axis=0) / np.maximum(number, 1)
        x = np.where(said, x - mean, 0.0)
        spread = np.sqrt((x**2).sum(axis=0))
        varies = spread > 1e-9
        if varies.any():
            varying = True
            x = x[:, varies] / spread[varies]
            eigenvalues = np.maximum(np.linalg.eigvalsh(x.T @ x), 0.0)
            found += float(np.sqrt(eigenvalues).sum() ** 2 / eigenvalues.sum())
    return found if varying else None
