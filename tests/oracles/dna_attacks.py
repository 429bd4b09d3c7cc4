"""Attacks on DNA the slow way: one person, one site, one pair at a time, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product


def area(members: Sequence[float], outside: Sequence[float]) -> Fraction:
    """Compare every member with every stranger; a tie is half a win."""
    wins = sum(Fraction(2 * (a > b) + (a == b), 2) for a in members for b in outside)
    return Fraction(wins, len(members) * len(outside))


def homer(dosages: Sequence[int], pool: Sequence[float], population: Sequence[float]) -> float:
    """T over the sites where the genotype is known."""
    d = [abs(g / 2 - p) - abs(g / 2 - m) for g, m, p in zip(dosages, pool, population, strict=True) if g >= 0]
    mean = sum(d) / len(d)
    spread = math.sqrt(sum((one - mean) ** 2 for one in d) / (len(d) - 1))
    return mean / (spread / math.sqrt(len(d)))


def likelihood_ratio(dosages: Sequence[int], pool: Sequence[float], population: Sequence[float]) -> float:
    """L over the sites where the genotype is known."""
    return sum(
        g * math.log(m / p) + (2 - g) * math.log((1 - m) / (1 - p))
        for g, m, p in zip(dosages, pool, population, strict=True)
        if g >= 0
    )


def beacon_no(people: int, frequency: float, inside: bool, error: float, flip: float, least: int) -> float:
    """The chance of a no, by going through how many of the others carry the allele."""
    carries = 1 - (1 - frequency) ** 2

    def exactly(count: int, among: int) -> float:
        return math.comb(among, count) * carries**count * (1 - carries) ** (among - count)

    if not inside:
        no = sum(exactly(count, people) for count in range(people + 1) if count < least)
    else:
        others = people - 1
        read = sum(exactly(count, others) for count in range(others + 1) if count + 1 < least)
        misread = sum(exactly(count, others) for count in range(others + 1) if count < least)
        no = (1 - error) * read + error * misread
    return no * (1 - flip) + (1 - no) * flip


def fitting_rows(known: dict[int, set[str]], published: Sequence[Sequence[set[str]]]) -> list[int]:
    """The rows each of whose cells may be all that is known at that column."""
    return [
        row
        for row, cells in enumerate(published)
        if all(values <= cells[column] for column, values in known.items())
    ]


def haplotype_tables(haplotypes: int, alleles: Sequence[int]) -> list[dict[tuple[int, int], int]]:
    """All tables of haplotypes with these allele counts, as counts of 1–1 of each pair of sites."""
    sites = len(alleles)
    kinds = list(product((0, 1), repeat=sites))
    found = []
    for counts in compositions(haplotypes, len(kinds)):
        if any(
            sum(count for count, kind in zip(counts, kinds, strict=True) if kind[site]) != alleles[site]
            for site in range(sites)
        ):
            continue
        found.append(
            {
                (i, j): sum(count for count, kind in zip(counts, kinds, strict=True) if kind[i] and kind[j])
                for i in range(sites)
                for j in range(i + 1, sites)
            }
        )
    return found


def compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    """All ways to write a number as so many whole numbers of at least 0, in order."""
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in compositions(total - first, parts - 1)]


def r_squared(haplotypes: int, first: int, second: int, both: int) -> Fraction:
    """r² of two sites from counts of haplotypes."""
    p, q, pq = (Fraction(count, haplotypes) for count in (first, second, both))
    return (pq - p * q) ** 2 / (p * (1 - p) * q * (1 - q))


def king(person: Sequence[int | None], row: Sequence[int | None]) -> float | None:
    """KING's robust kinship of two people from their dosages, None being unknown."""
    pairs = [(a, b) for a, b in zip(person, row, strict=True) if a is not None and b is not None]
    fewer, more = sorted((sum(a == 1 for a, _ in pairs), sum(b == 1 for _, b in pairs)))
    if not fewer:
        return None
    both = sum(a == b == 1 for a, b in pairs)
    opposite = sum({a, b} == {0, 2} for a, b in pairs)
    return (both - 2 * opposite) / (2 * fewer) + 1 / 2 - (fewer + more) / (4 * fewer)
