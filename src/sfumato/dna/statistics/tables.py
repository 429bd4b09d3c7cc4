"""What the counts of a site say by themselves: alleles, frequencies, carriers, missing genotypes.

Counts are what ``GenotypeSource.counts`` gives: for each site how many people have dosage 0, 1, 2 of the
alternate allele, and a missing genotype. **People whose genotype is missing at a site are left out there, and
only there**: every figure of a site is over the people who were called at it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
"""… × sites × 4"""
Figures = NDArray[np.float64]


def called(counts: Counts) -> NDArray[np.int64]:
    """Return how many people have a genotype at each site."""
    return np.asarray(counts[..., :3].sum(axis=-1), np.int64)


def alternate(counts: Counts) -> NDArray[np.int64]:
    """Return how many alternate alleles they have: a heterozygote has one, a homozygote two."""
    return np.asarray(counts[..., 1] + 2 * counts[..., 2], np.int64)


def frequency(counts: Counts) -> Figures:
    """Return the share of alternate alleles, (n₁ + 2n₂) / 2(n₀ + n₁ + n₂); NaN where nobody was called.

    >>> frequency(np.array([[1, 2, 1, 6], [0, 0, 0, 9]]))
    array([0.5, nan])
    """
    return _share(alternate(counts), 2 * called(counts))


def minor(counts: Counts) -> Figures:
    """Return the frequency of the rarer allele."""
    found = frequency(counts)
    return np.asarray(np.minimum(found, 1 - found), np.float64)


def heterozygosity(counts: Counts) -> Figures:
    """Return the share of heterozygotes among those called."""
    return _share(counts[..., 1], called(counts))


def missing(counts: Counts) -> Figures:
    """Return the share of people without a genotype; NaN where there are no people."""
    return _share(counts[..., 3], counts.sum(axis=-1))


def carriers(counts: Counts) -> NDArray[np.int64]:
    """Return how many people carry the rarer allele at each site (the alternate one where both are as rare).

    >>> carriers(np.array([[7, 2, 1, 0], [1, 2, 7, 0]]))
    array([3, 3])
    """
    rare_is_alternate = alternate(counts) <= called(counts)
    return np.asarray(counts[..., 1] + np.where(rare_is_alternate, counts[..., 2], counts[..., 0]), np.int64)


def _share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Figures:
    found: Figures = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
    return found
