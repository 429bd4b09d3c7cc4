"""Whether genotypes stand in the proportions p², 2pq, q² (Hardy 1908, Weinberg 1908).

The χ² test with one degree of freedom, N (4n₀n₂ − n₁²)² / ((2n₀ + n₁)² (2n₂ + n₁)²), and the exact test of
Wigginton, Cutler & Abecasis (2005): given the alleles, the probability of all numbers of heterozygotes that
are at most as likely as the one seen. Sites with one allele are in proportion (χ² = 0, p = 1).
"""

from __future__ import annotations

import numpy as np

from sfumato.dna.statistics.association import Outcome
from sfumato.dna.statistics.tables import Counts, Figures, called


def hardy_weinberg(counts: Counts) -> Outcome:
    """Test every site by χ².

    >>> hardy_weinberg(np.array([[25, 50, 25, 0], [40, 20, 40, 0]])).chi2
    array([ 0., 36.])
    """
    none, one, two = (counts[:, dosage] for dosage in range(3))
    product = ((2 * none + one).astype(np.float64) * (2 * two + one)) ** 2
    difference = (4 * none * two - one * one).astype(np.float64)
    chi2 = np.divide(called(counts) * difference**2, product, out=np.zeros(len(counts)), where=product > 0)
    return Outcome(chi2, (product > 0).astype(np.int64))


def hardy_weinberg_exact(counts: Counts) -> Figures:
    """Return exact p-values: right for rare alleles, too, where χ² is not.

    >>> hardy_weinberg_exact(np.array([[2, 0, 1, 0]])).round(4)
    array([0.2])
    """
    from sfumato.dna.statistics._kernels_tails import exact_proportions

    found = np.empty(len(counts))
    exact_proportions(np.array(counts, np.int64, order="C"), found)
    return found
