r"""Tests of association between a site and a disease, and how far one person can move them.

C. Uhler, A. Slavković & S. Fienberg (2013) gave 4N/(N + 2) for 3 × 2 tables with as many cases as controls.
Here are all three tests for any R cases and S controls, N = R + S, over **all** tables, empty columns
included (an empty column adds 0; a site without variation scores 0). Neighbours: one person's genotypes are
replaced and the status is kept, so that R and S are public. That somebody is a case instead of a control is
two replacements. Were the status replaced too, no useful bound would hold: with one case, χ² can be N.

*Genotypic* (3 × 2). With nⱼ = rⱼ + sⱼ,  χ² = Σⱼ (rⱼS − sⱼR)² / RSnⱼ = N²/RS · Σⱼ f(rⱼ, sⱼ) − NR/S with
f(r, s) = r²/(r + s), f(0, 0) = 0. One more case adds g(r, s) = f(r + 1, s) − f(r, s), which is
1 − s²/(r + s)(r + s + 1), and 1 where s = 0, to a column. A case who moves from column j to k changes
the sum by g(rₖ, sₖ) − g(rⱼ − 1, sⱼ). g is at most 1, and at least 1/(S + 1), at r = 0 and
s = S. So the change is at most S/(S + 1), reached where all controls and that one case share a column and the
case leaves for one without controls. The same holds for a control, and

    Δ = N² / (RS + min(R, S)),    which is 4N/(N + 2) for R = S.

*Allelic* (2 × 2, two alleles of each person). The same with A = 2R, B = 2S alleles of M = 2N, of which one
person moves two: f(a + 2, b) − f(a, b) = 2 − 2b²/(a + b)(a + b + 2) is at most 2 and at least 4/(B + 2), the
change at most 2B/(B + 2), and M²/AB · 2B/(B + 2) = 2N²/R(S + 1): Δ is twice the one above. (One allele alone
moves M²/A(B + 1), which is less.)

*Trend* (Cochran 1954, Armitage 1955; scores x = 0, 1, 2). χ² = N ρ², ρ the correlation of x with status y,
which is N − N²/RS · Q with Q the least Σ (yᵢ − α − βxᵢ)². Let Q₋ be that of all others. Replacing one person
leads from Q ≥ Q₋ to Q′ = Q₋ + e²(1 − h), where h ≥ 0 is a leverage and e the error with which the others
predict that person. The prediction at x is Σ Wₓ ȳₓ with weights that sum to 1 and reproduce lines. At x = 2:
W₂ = n₂h₂ lies in [0, 1] (a block of a projection), W₁ = 2 − 2W₂ ≥ 0 and W₀ = W₂ − 1 ≥ −1; at x = 0 alike; at
x = 1 none is negative. So it lies in [−1, 2], |e| ≤ 2, and

    Δ ≤ min(N, 4N² / RS).

(All others at one x predict nothing new: e ≤ 1 or Q′ = Q₋.) It is nearly reached: all controls at 1 and all
cases but one at 0 give 4N²(R − 1)/R(RS + 4R − 4). One person with two alleles among people who all have the
same genotype moves the trend four times as far as a 3 × 2 table.
"""

from __future__ import annotations

import math
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

Table = NDArray[np.int64]
"""sites × 3: how many people have dosage 0, 1 and 2"""

UNITS = 2**20
"""scores are whole numbers of one in so many"""
_ROUNDING = Fraction(1, 2**48)
"""of the largest score: what a handful of float operations on whole numbers are off by, and far more"""


class Test(StrEnum):
    """Which test of association."""

    __test__ = False  # pytest takes names that begin so for its own

    GENOTYPIC = "genotypic"
    """3 × 2, two degrees of freedom"""
    ALLELIC = "allelic"
    """2 × 2 on alleles, one degree of freedom"""
    TREND = "trend"
    """Cochran–Armitage, one degree of freedom"""


def read_test(name: str, where: str) -> Test:
    """Read the name of a test, or refuse it."""
    try:
        return Test(name)
    except ValueError:
        raise BadInput(
            "there is no such test", where=where, remedy="choose genotypic, allelic or trend"
        ) from None


def sensitivity(test: Test, cases: int, controls: int) -> Fraction:
    """Return the most that replacing one person's genotypes changes χ² at a site, exactly or from above.

    >>> sensitivity(Test.GENOTYPIC, 10, 10) == Fraction(4 * 20, 22), sensitivity(Test.ALLELIC, 10, 30)
    (True, Fraction(320, 31))
    """
    people = cases + controls
    if min(cases, controls) < 1:
        raise AssertionError("a test has cases and controls")
    if test is Test.TREND:
        return min(Fraction(people), Fraction(4 * people**2, cases * controls))
    one = Fraction(people**2, cases * controls + min(cases, controls))
    return one if test is Test.GENOTYPIC else 2 * one


def chi_squared(test: Test, cases: Table, controls: Table) -> NDArray[np.float64]:
    """Return χ² of each site; 0 where nothing varies.

    >>> chi_squared(Test.GENOTYPIC, np.array([[0, 0, 5]]), np.array([[5, 0, 0]]))
    array([10.])
    """
    r, s = cases.astype(np.float64), controls.astype(np.float64)
    ill, well = r.sum(axis=1), s.sum(axis=1)
    if test is Test.GENOTYPIC:
        apart = r * well[:, None] - s * ill[:, None]
        parts = _ratio(apart**2, (ill * well)[:, None] * (r + s))
        return parts[:, 0] + parts[:, 1] + parts[:, 2]
    mine, theirs = r[:, 1] + 2 * r[:, 2], s[:, 1] + 2 * s[:, 2]
    apart, both = well * mine - ill * theirs, mine + theirs
    if test is Test.ALLELIC:
        alleles = 2 * (ill + well)
        return _ratio(alleles * apart**2, ill * well * (both * (alleles - both)))
    people = ill + well
    squares = r[:, 1] + s[:, 1] + 4 * (r[:, 2] + s[:, 2])
    return _ratio(people * apart**2, ill * well * (people * squares - both**2))


def whole_scores(test: Test, cases: Table, controls: Table) -> tuple[NDArray[np.int64], int]:
    """Return χ² in whole units of 2⁻²⁰, and the most that one person changes one of them.

    Floats are off by less than 2⁻⁴⁸ of the largest χ² there can be; twice that is added to the sensitivity.
    Rounding half up then moves two scores by no more than ⌈Δ⌉ units apart.
    """
    ill, well = int(cases[0].sum()), int(controls[0].sum())
    largest = (ill + well) * (2 if test is Test.ALLELIC else 1)
    apart = sensitivity(test, ill, well) + 2 * largest * _ROUNDING
    scores = np.floor(chi_squared(test, cases, controls) * UNITS + 0.5).astype(np.int64)
    return scores, math.ceil(apart * UNITS)


def _ratio(over: NDArray[np.float64], under: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(over, under, out=np.zeros_like(over), where=under > 0)
