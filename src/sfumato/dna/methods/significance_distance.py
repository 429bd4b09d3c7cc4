"""How far a site is from being significant, counted in people: a score that one person moves by 1.

A. Johnson & V. Shmatikov, "Privacy-preserving data exploration in genome-wide association studies" (2013);
computed fast: S. Simmons & B. Berger, "Realizing privacy preserving genome-wide association studies" (2016).

A site is significant when the allelic χ² is at least c. With d the least number of people whose genotypes
must be replaced until that turns round,

    score = d if the site is significant, 1 − d if it is not.

d changes by at most 1 when one person does, and where the site itself turns, d is 1 on both sides: the scores
are 1 and 0. So the sensitivity is 1, for any number of cases and controls.

Exact without trying people: only a, b matter, the alternate alleles of cases (of A = 2R) and of controls (of
B = 2S). χ² is a sum of x²/m terms and so convex in (a, b); for each b, the a that are not significant are an
interval around Ab/B, and its ends rise with b (they bound a convex set with (0, 0) and (A, B) in it). They
depend on R, S and c alone and are found once, in whole numbers. Then d is the least of
people(a → a′) + people(b → b′) over b′, where homozygotes move two alleles and heterozygotes one. A table
takes as many steps as the answer is large. Every comparison is exact, since a distance that is wrong by one
somewhere would have a larger sensitivity.
"""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.methods.association_scores import Table
from sfumato.dp.exact import Number, exact


def critical_value(p: Number) -> Fraction:
    """Return the c with Pr[χ² ≥ c] = p, one degree of freedom, to the precision of a float.

    >>> round(float(critical_value(0.05)), 4)
    3.8415
    """
    share = exact(p, where="significance")
    if not Fraction(1, 10**300) <= share < 1:
        raise BadInput("a significance level lies between 0 and 1", where="significance", remedy="try 5e-8")
    return Fraction(NormalDist().inv_cdf(float(share) / 2) ** 2)


def not_significant(
    cases: int, controls: int, critical: Fraction
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for b = 0 … 2S the smallest and the largest a at which a site is not significant.

    Where no whole number of alleles is, the smallest is larger than the largest.
    """
    own, other = 2 * cases, 2 * controls
    whole = own + other
    # M (aB − bA)² ≥ c A B m (M − m), in whole numbers.
    left = whole * critical.denominator
    right = critical.numerator * own * other

    def significant(a: int, b: int) -> bool:
        both = a + b
        return 0 < both < whole and left * (a * other - b * own) ** 2 >= right * both * (whole - both)

    lowest, highest = np.zeros(other + 1, np.int64), np.zeros(other + 1, np.int64)
    high = 0
    for b in range(other + 1):
        high = max(high, -(-own * b // other) - 1)
        while high < own and not significant(high + 1, b):
            high += 1
        highest[b] = high
    # Exchanging the two alleles turns the table round: (a, b) is what (A − a, B − b) is.
    lowest[:] = own - highest[::-1]
    return lowest, highest


def distance_scores(cases: Table, controls: Table, critical: Fraction) -> NDArray[np.int64]:
    """Return the score of each site.

    >>> ill, well = np.array([[0, 0, 5], [5, 0, 0]]), np.array([[5, 0, 0], [5, 0, 0]])
    >>> distance_scores(ill, well, critical_value(0.05)).tolist()
    [3, -1]
    """
    from sfumato.dna.methods import _kernels_significance as kernels

    if critical <= 0:
        raise BadInput("the critical value must be more than 0", where="significance")
    r, s = (np.array(table, np.int64, order="C") for table in (cases, controls))
    lowest, highest = not_significant(int(r[0].sum()), int(s[0].sum()), critical)
    found = np.zeros(len(r), np.int64)
    kernels.distance_scores(r, s, lowest, highest, found)
    return found
