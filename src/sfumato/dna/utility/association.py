"""What a case/control study still finds: χ² of each position, its rank, and genome-wide hits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.measure import Measured
from sfumato.dna.aligned import Aligned
from sfumato.dna.utility.contract import checked_cases, matched
from sfumato.dna.utility.ranks import kendall, spearman, strongest
from sfumato.dna.utility.weights import common_alleles, counts_of, shares
from sfumato.hierarchy.iupac import SIZE

Test = Literal["allelic", "genotypic"]
"""2×2 tables of alleles (1 degree of freedom), or 3×2 tables of genotypes (2 degrees)"""


def chi_squares(
    rows: Aligned, cases: NDArray[np.bool_], alleles: NDArray[np.int64], test: Test = "allelic"
) -> NDArray[np.float64]:
    """Return Pearson's χ² of each column, cases against controls; 0 where there is nothing to test.

    Sets count evenly over what they may be (``weights``). Of bases, rows are alleles: the column's most
    frequent base against all others. Of genotypes, each person has two.

    >>> from sfumato.dna.aligned import aligned
    >>> rows = aligned("A", "A", "G", "G")
    >>> chi_squares(rows, np.array([True, True, False, False]), np.array([0])).tolist()
    [4.0]
    """
    # Cells count by multiples of 1/12: as whole numbers the sums are exact, and equal shares give exactly 0.
    table = np.rint(12 * _kinds(rows, alleles, test))
    groups = [np.einsum("cm,ckm->ck", counts_of(rows.cells[group]), table) for group in (cases, ~cases)]
    observed = np.stack(groups, axis=1)
    of_group, of_kind = observed.sum(axis=2, keepdims=True), observed.sum(axis=1, keepdims=True)
    whole = of_group.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = of_group * of_kind / whole
        parts = np.where(expected > 0, (observed - expected) ** 2 / expected, 0.0)
    found: NDArray[np.float64] = parts.sum(axis=(1, 2)) / 12
    return found


def _kinds(rows: Aligned, alleles: NDArray[np.int64], test: Test) -> NDArray[np.float64]:
    """Return columns × kinds × masks: what a cell adds to each row of its column's table."""
    diploid = rows.lattice.name == "genotypes"
    if test == "genotypic":
        if not diploid:
            raise BadInput("bases have no genotypes to test", where="test", remedy="choose allelic")
        three = np.zeros((3, SIZE))
        for mask in rows.lattice.masks.values():
            if mask != rows.lattice.top:
                three[:, mask] = [(mask >> dose & 1) / mask.bit_count() for dose in range(3)]
        return np.broadcast_to(three, (rows.width, 3, SIZE))
    share = shares(rows.lattice)[alleles]
    said = ~np.isnan(share)
    copies = 2.0 if diploid else 1.0
    two = np.stack([np.where(said, share, 0.0), np.where(said, 1 - share, 0.0)], axis=1)
    return copies * two


def p_values(chi2: NDArray[np.float64], test: Test = "allelic") -> NDArray[np.float64]:
    """Return P[X ≥ χ²] by the closed forms of 1 and 2 degrees of freedom.

    >>> p_values(np.array([3.841])).round(4).tolist()
    [0.05]
    >>> p_values(np.array([5.991]), "genotypic").round(4).tolist()
    [0.05]
    """
    if test == "genotypic":
        return np.exp(-chi2 / 2)
    return np.array([math.erfc(math.sqrt(one / 2)) for one in chi2.tolist()], np.float64)


def _check_test(test: Any, where: str) -> None:
    if test not in get_args(Test):
        raise BadInput("the test is not known", where=where, remedy=nearest(str(test), get_args(Test)))


@dataclass(frozen=True)
class RankingError:
    """The share of the positions most associated with the disease that a study no longer finds on top.

    1 − |top_t(original) ∩ top_t(release)| / t, by χ² of cases against controls. Ties at the end of either
    list count by their share. The details give Spearman's ρ and Kendall's τ-b over all positions.

    >>> from sfumato.dna.aligned import aligned
    >>> ill = np.array([True, True, False, False])
    >>> original, published = aligned("AC", "AT", "GC", "GT"), aligned("AC", "AT", "RC", "RT")
    >>> found = RankingError(top=1).of(original, published, cases=ill)
    >>> found.value, found.details["spearman"]
    (0.0, 1.0)
    """

    top: int = 10
    test: Test = "allelic"
    name: ClassVar[str] = "ranking-error"
    title: ClassVar[str] = "strongest associations lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the positions with the largest χ² that no longer lead the ranking"

    def __post_init__(self) -> None:
        if isinstance(self.top, bool) or not isinstance(self.top, int) or self.top < 1:
            raise BadInput("top must be a whole number of at least 1", where=self.name, remedy="try 10")
        _check_test(self.test, self.name)

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Rank both; None without cases, or where no position of the original is associated at all."""
        found = _both(original, published, kept, cases, self.test)
        if found is None or not found[0].any():
            return None
        before, after = found
        top = min(self.top, len(before))
        agreed = float(np.minimum(strongest(before, top), strongest(after, top)).sum()) / top
        details: dict[str, int | float | str] = {"positions": len(before), "top": top}
        for name, agreement in (("spearman", spearman(before, after)), ("kendall", kendall(before, after))):
            # A ranking in which all are equal agrees with nothing: no figure rather than 0.
            if agreement is not None:
                details[name] = agreement
        return Measured(1 - agreed, details)


@dataclass(frozen=True)
class HitsLost:
    """The share of the hits of a genome-wide study that the release no longer shows.

    A hit is a position with p ≤ α / M (Bonferroni, M positions). The value is |H \\ H'| / |H|; ``new hits``
    in the details are those of H' that the original does not have.

    >>> from sfumato.dna.aligned import aligned
    >>> rows = aligned(*["AC"] * 9, *["GC"] * 9)
    >>> ill = np.arange(18) < 9
    >>> HitsLost().of(rows, aligned(*["AC"] * 9, *["GC"] * 9), cases=ill).value
    0.0
    """

    alpha: float = 0.05
    test: Test = "allelic"
    name: ClassVar[str] = "hits-lost"
    title: ClassVar[str] = "genome-wide hits lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the significant positions that are no longer significant"

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, int | float) or isinstance(self.alpha, bool) or not 0 < self.alpha < 1:
            raise BadInput("alpha must lie between 0 and 1", where=self.name, remedy="try 0.05")
        _check_test(self.test, self.name)

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Count them; None without cases, or where the original has no hits to lose."""
        found = _both(original, published, kept, cases, self.test)
        if found is None:
            return None
        limit = self.alpha / len(found[0])
        before, after = (p_values(chi2, self.test) <= limit for chi2 in found)
        hits = int(before.sum())
        if not hits:
            return None
        lost = int((before & ~after).sum())
        return Measured(
            lost / hits,
            {
                "hits": hits,
                "hits kept": hits - lost,
                "new hits": int((after & ~before).sum()),
                "p at most": limit,
            },
        )


def _both(
    original: Aligned,
    published: Aligned,
    kept: NDArray[np.int64] | None,
    cases: NDArray[np.bool_] | None,
    test: Test,
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return χ² of the original and of the release; None where there is nothing to test."""
    rows = matched(original, published, kept)
    if cases is None or not original.width:
        return None
    ill = checked_cases(cases, original)
    alleles = common_alleles(original)
    return chi_squares(original, ill, alleles, test), chi_squares(published, ill[rows], alleles, test)
