"""Tests of association between a site and a disease, from the counts of cases and controls.

- *allelic*: Pearson's χ² (1900) of the 2 × 2 table of alleles, N(ad − bc)² / (row sums · column sums);
- *genotypic*: Pearson's χ² of the 3 × 2 table of genotypes, Σ_j (r_j S − s_j R)² / (R S n_j);
- *trend*: Cochran (1954) and Armitage (1955) with weights 0, 1, 2,
  N (N Σw r − R Σw n)² / (R S (N Σw² n − (Σw n)²)).

R cases and S controls are those called at the site, r_j, s_j and n_j how many have genotype j. The
differences are taken in whole numbers, so that nothing cancels. A table that tells nothing (nobody called in
an arm, one allele or genotype alone) has χ² = 0 and p = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.dna.statistics.tables import Counts, Figures, alternate, called
from sfumato.dna.statistics.tails import log10_p_value, p_value

Test = Literal["allelic", "genotypic", "trend"]
TESTS: tuple[str, ...] = get_args(Test)


@dataclass(frozen=True, eq=False)
class Outcome:
    """χ² of every site and its degrees of freedom; p and log₁₀ p follow."""

    chi2: Figures
    degrees: NDArray[np.int64]

    @property
    def p(self) -> Figures:
        """The p-values; those below 10⁻³⁰⁸ are 0 (see ``log10_p``)."""
        return p_value(self.chi2, self.degrees)

    @property
    def log10_p(self) -> Figures:
        """Their logarithms, however small they are."""
        return log10_p_value(self.chi2, self.degrees)


def outcome_of(cases: Counts, controls: Counts, test: str = "allelic") -> Outcome:
    """Test every site.

    >>> cases, controls = np.array([[5, 10, 5, 0]]), np.array([[10, 8, 2, 0]])
    >>> [outcome_of(cases, controls, test).chi2.round(4).tolist() for test in TESTS]
    [[3.3333], [3.1746], [3.1373]]
    """
    if test not in TESTS:
        raise BadInput(f"there is no test '{test}'", where="test", remedy=nearest(test, TESTS))
    return {"allelic": allelic, "genotypic": genotypic, "trend": trend}[test](cases, controls)


def allelic(cases: Counts, controls: Counts) -> Outcome:
    """Test the 2 × 2 tables of alleles."""
    a, c = alternate(cases), alternate(controls)
    rows = 2 * called(cases), 2 * called(controls)
    b, d = rows[0] - a, rows[1] - c
    product = rows[0].astype(np.float64) * rows[1] * (a + c) * (b + d)
    difference = (a * d - b * c).astype(np.float64)
    return _outcome((rows[0] + rows[1]) * difference**2, product)


def genotypic(cases: Counts, controls: Counts) -> Outcome:
    """Test the 3 × 2 tables of genotypes. Genotypes that nobody has take no degree of freedom."""
    many, few = called(cases), called(controls)
    seen = cases[:, :3] + controls[:, :3]
    difference = (cases[:, :3] * few[:, None] - controls[:, :3] * many[:, None]).astype(np.float64)
    parts = np.divide(difference**2, seen, out=np.zeros(seen.shape), where=seen > 0)
    product = many.astype(np.float64) * few
    found = _outcome(parts.sum(axis=1), product)
    degrees = np.where(product > 0, np.maximum((seen > 0).sum(axis=1) - 1, 0), 0)
    return Outcome(found.chi2, degrees.astype(np.int64))


def trend(cases: Counts, controls: Counts) -> Outcome:
    """Test for a trend over 0, 1, 2 alternate alleles."""
    many, few = called(cases), called(controls)
    people, both = many + few, cases + controls
    alleles = alternate(both)
    difference = (people * alternate(cases) - many * alleles).astype(np.float64)
    spread = people * (both[:, 1] + 4 * both[:, 2]) - alleles**2
    return _outcome(people * difference**2, many.astype(np.float64) * few * spread)


def odds_ratio(cases: Counts, controls: Counts) -> Figures:
    """Return ad / bc of the alleles, half an allele added to every cell where one is 0 (Haldane 1956).

    >>> odds_ratio(np.array([[5, 10, 5, 0]]), np.array([[10, 8, 2, 0]])).round(4)
    array([2.3333])
    """
    a, c = alternate(cases), alternate(controls)
    table = np.stack([a, 2 * called(cases) - a, c, 2 * called(controls) - c]).astype(np.float64)
    table += np.where((table == 0).any(axis=0), 0.5, 0.0)
    return np.asarray(table[0] * table[3] / (table[1] * table[2]), np.float64)


def _outcome(part: Figures, whole: Figures) -> Outcome:
    """Divide; where nothing can be told χ² is 0 without degrees of freedom, and p is 1."""
    chi2 = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
    return Outcome(chi2, (whole > 0).astype(np.int64))
