"""From published r² back to counts of haplotypes, by whole numbers.

R. Wang, Y. F. Li, X. Wang, H. Tang and X. Zhou, "Learning your identity and disease from research papers:
information leaks in genome wide association study", CCS 2009: published figures are made of few small whole
numbers, and only some of them fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from sfumato.core.errors import BadInput

MOST_SITES = 60
"""triples of more sites than this take long, and a paper's table has fewer"""
EXACT = 12
"""a figure that is not rounded is taken to be right to so many decimals"""
Pair = tuple[int, int]


@dataclass(frozen=True)
class Recovered:
    """For each published pair of sites the counts of the haplotype 1–1 that fit all published figures.

    ``counts[i, j]`` are the candidates for how many of the haplotypes carry both alternate alleles; the count
    of 1–1 and the frequencies give the other three.
    """

    counts: Mapping[Pair, tuple[int, ...]] = field(repr=False)
    signs: Mapping[Pair, int] = field(repr=False)
    """+1 or −1 where all candidates agree on the sign of r, 0 where they do not"""
    pairs: int
    known: int
    """pairs of which one count is left"""
    signed: int
    """pairs of which the sign of r is known"""

    def __str__(self) -> str:
        return (
            f"of {self.pairs:,} pairs of sites the counts of {self.known:,} are recovered, "
            f"the sign of r of {self.signed:,}"
        )


def recovered(
    haplotypes: int,
    alleles: Sequence[int],
    squared: Mapping[Pair, float],
    *,
    decimals: int | None = None,
    triples: bool = True,
) -> Recovered:
    """Find all counts that fit.

    With n haplotypes, c_i and c_j alternate alleles and x haplotypes 1–1,

        r² = (n x − c_i c_j)² / (c_i (n − c_i) c_j (n − c_j)),    max(0, c_i + c_j − n) ≤ x ≤ min(c_i, c_j)

    and r² rounded to ``decimals`` leaves few x, most often one for each sign of r. With ``triples`` counts
    of three sites must also have a table in common: a number t of haplotypes 1–1–1 with

        max(0, x_ij + x_ik − c_i, …) ≤ t ≤ min(x_ij, x_ik, x_jk, n − c_i − c_j − c_k + x_ij + x_ik + x_jk)

    which removes more until nothing changes. All in whole numbers; ``alleles`` are frequencies · n, which
    must be published for the attack to begin.

    >>> published = {(0, 1): 0.335, (0, 2): 0.143, (1, 2): 0.5}
    >>> print(recovered(20, [6, 8, 5], published, decimals=3, triples=False))
    of 3 pairs of sites the counts of 2 are recovered, the sign of r of 2
    >>> print(recovered(20, [6, 8, 5], published, decimals=3))
    of 3 pairs of sites the counts of 3 are recovered, the sign of r of 3
    """
    _check(haplotypes, alleles, squared, decimals)
    half = Fraction(1, 2 * 10**decimals) if decimals is not None else Fraction(1, 10**EXACT)
    left = {
        pair: _fitting(haplotypes, alleles[pair[0]], alleles[pair[1]], Fraction(str(value)), half)
        for pair, value in squared.items()
    }
    if triples:
        _narrow(haplotypes, alleles, left)
    if not all(left.values()):
        raise BadInput(
            "no counts fit the published figures",
            where="r²",
            remedy="check the number of haplotypes, the frequencies, and to how many decimals r² is rounded",
        )
    signs = {pair: _sign(haplotypes, alleles, pair, fit) for pair, fit in left.items()}
    return Recovered(
        {pair: tuple(sorted(fit)) for pair, fit in left.items()},
        signs,
        len(left),
        sum(len(fit) == 1 for fit in left.values()),
        sum(sign != 0 for sign in signs.values()),
    )


def _check(
    haplotypes: int, alleles: Sequence[int], squared: Mapping[Pair, float], decimals: int | None
) -> None:
    if not squared:
        raise BadInput("no r² is published", where="r²", remedy="give r² of at least one pair of sites")
    if len(alleles) > MOST_SITES:
        raise BadInput(
            f"{len(alleles):,} sites are too many to try all triples of", where="r²", remedy="take fewer"
        )
    if decimals is not None and decimals < 1:
        raise BadInput("'decimals' must be at least 1", where="r²", remedy="leave it out if r² is exact")
    if any(not 0 < count < haplotypes for count in alleles):
        raise BadInput("a site that does not vary has no r²", where="r²", remedy="leave it out")
    if any(not 0 <= value <= 1 for value in squared.values()):
        raise BadInput(
            "an r² does not lie between 0 and 1", where="r²", remedy="leave pairs out whose r² is not known"
        )
    if any(not 0 <= i < j < len(alleles) for i, j in squared):
        raise BadInput("pairs are (i, j) with i < j, sites numbered from 0", where="r²")


def _fitting(n: int, ci: int, cj: int, value: Fraction, half: Fraction) -> set[int]:
    size = ci * (n - ci) * cj * (n - cj)
    return {
        x
        for x in range(max(0, ci + cj - n), min(ci, cj) + 1)
        if abs(Fraction((n * x - ci * cj) ** 2, size) - value) <= half
    }


def _narrow(n: int, c: Sequence[int], left: dict[Pair, set[int]]) -> None:
    """Take away counts that fit no table of some three sites, until none is left to take."""
    sites = sorted({site for pair in left for site in pair})
    triples = [
        (i, j, k)
        for i, j, k in combinations(sites, 3)
        if (i, j) in left and (i, k) in left and (j, k) in left
    ]
    changed = True
    while changed:
        changed = False
        for i, j, k in triples:
            ij, ik, jk = left[i, j], left[i, k], left[j, k]
            fits = [(a, b, d) for a in ij for b in ik for d in jk if has_table(n, c[i], c[j], c[k], a, b, d)]
            for pair, old, place in (((i, j), ij, 0), ((i, k), ik, 1), ((j, k), jk, 2)):
                new = {one[place] for one in fits}
                if new != old:
                    left[pair] = new
                    changed = True


def has_table(n: int, ci: int, cj: int, ck: int, ij: int, ik: int, jk: int) -> bool:
    """Say whether some table of n haplotypes of three sites has these counts of alleles and of 1–1."""
    least = max(0, ij + ik - ci, ij + jk - cj, ik + jk - ck)
    return least <= min(ij, ik, jk, n - ci - cj - ck + ij + ik + jk)


def _sign(n: int, c: Sequence[int], pair: Pair, fit: set[int]) -> int:
    found = {(n * x > c[pair[0]] * c[pair[1]]) - (n * x < c[pair[0]] * c[pair[1]]) for x in fit}
    return found.pop() if len(found) == 1 else 0
