"""Statistics of sites by their definitions: plain loops and fractions, slow and obvious."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def frequency(genotypes: Sequence[int]) -> Fraction | None:
    """The share of alternate alleles among those called."""
    here = [g for g in genotypes if g >= 0]
    return Fraction(sum(here), 2 * len(here)) if here else None


def pearson(table: Sequence[Sequence[int]]) -> tuple[Fraction, int]:
    """χ² of a table as Σ (seen − expected)² / expected, without empty columns; and its degrees of freedom."""
    columns = [column for column in zip(*table, strict=True) if sum(column)]
    rows = [sum(row) for row in table]
    total = sum(rows)
    if 0 in rows or len(columns) < 2:
        return Fraction(0), 0
    found = Fraction(0)
    for column in columns:
        for seen, row in zip(column, rows, strict=True):
            expected = Fraction(row * sum(column), total)
            found += (seen - expected) ** 2 / expected
    return found, len(columns) - 1


def alleles(genotypes: Sequence[int]) -> list[int]:
    """How many alternate and reference alleles there are."""
    here = [g for g in genotypes if g >= 0]
    return [sum(here), 2 * len(here) - sum(here)]


def numbers(genotypes: Sequence[int]) -> list[int]:
    """How many people have each genotype."""
    return [list(genotypes).count(g) for g in (0, 1, 2)]


def squared_correlation(x: Sequence[int], y: Sequence[int]) -> Fraction | None:
    """r² over the places where both are known; None where one does not vary."""
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a >= 0 and b >= 0]
    if not pairs:
        return None
    mean_x = Fraction(sum(a for a, _ in pairs), len(pairs))
    mean_y = Fraction(sum(b for _, b in pairs), len(pairs))
    xy = sum(((a - mean_x) * (b - mean_y) for a, b in pairs), Fraction(0))
    xx = sum(((a - mean_x) ** 2 for a, _ in pairs), Fraction(0))
    yy = sum(((b - mean_y) ** 2 for _, b in pairs), Fraction(0))
    return xy**2 / (xx * yy) if xx and yy else None


def trend(cases: Sequence[int], controls: Sequence[int]) -> Fraction:
    """Cochran and Armitage: N times r² of being a case and the dosage."""
    ill = [(g, 1) for g in cases if g >= 0] + [(g, 0) for g in controls if g >= 0]
    found = squared_correlation([g for g, _ in ill], [state for _, state in ill]) if ill else None
    return len(ill) * found if found is not None else Fraction(0)


def hardy_weinberg_exact(none: int, one: int, two: int) -> Fraction:
    """Sum the probabilities of all numbers of heterozygotes that are at most as likely as the one seen."""
    people, rare = none + one + two, one + 2 * two

    def ways(het: int) -> int:
        homozygotes = (rare - het) // 2
        rest = people - het - homozygotes
        apart = math.factorial(het) * math.factorial(homozygotes) * math.factorial(rest)
        return math.factorial(people) // apart * (1 << het)

    possible = [het for het in range(rare % 2, rare + 1, 2) if people - het - (rare - het) // 2 >= 0]
    whole = sum(ways(het) for het in possible)
    return (
        Fraction(sum(ways(het) for het in possible if ways(het) <= ways(one)), whole)
        if whole
        else Fraction(1)
    )


def area(members: Sequence[float], others: Sequence[float]) -> float:
    """AUC by comparing everybody with everybody."""
    won = sum((a > b) + (a == b) / 2 for a in members for b in others)
    return won / (len(members) * len(others))


def likelihood_ratio(genotypes: Sequence[int], m: Sequence[float], p: Sequence[float]) -> float:
    """Σ g ln(M/P) + (2 − g) ln((1 − M)/(1 − P)) over the sites that are known."""
    return math.fsum(
        g * math.log(a / b) + (2 - g) * math.log((1 - a) / (1 - b))
        for g, a, b in zip(genotypes, m, p, strict=True)
        if g >= 0
    )


def homer(genotypes: Sequence[int], m: Sequence[float], p: Sequence[float]) -> float:
    """T of D = |g/2 − P| − |g/2 − M| over the sites that are known."""
    d = [abs(g / 2 - b) - abs(g / 2 - a) for g, a, b in zip(genotypes, m, p, strict=True) if g >= 0]
    mean = sum(d) / len(d)
    sd = math.sqrt(sum((x - mean) ** 2 for x in d) / (len(d) - 1))
    return mean / (sd / math.sqrt(len(d)))
