"""Slow, obvious measures of what rows of sequences and genotypes have lost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

LEVEL = {letter: len(text) for letter, text in {
    "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT",
    "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT", "-": "---",
}.items()}  # fmt: skip
"""a gap lies at level 3"""
HOLDS = {
    "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT",
    "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT-", "-": "-",
}  # fmt: skip


def lattice_loss(original: Sequence[str], published: Sequence[str], kept: Sequence[int]) -> tuple[int, int]:
    """Levels lost, and levels that could be lost."""
    shown = dict(zip(kept, published, strict=True))
    lost = possible = 0
    for number, row in enumerate(original):
        for at, letter in enumerate(row):
            room = 4 - LEVEL[letter]
            possible += room
            after = shown[number][at] if number in shown else "N"
            true = set(HOLDS[letter]) <= set(HOLDS[after])
            lost += LEVEL[after] - LEVEL[letter] if true else room
    return lost, possible


def base_shares(letter: str) -> dict[str, Fraction] | None:
    """How much of each base a letter is; None where it says nothing."""
    if letter in "N-":
        return None
    return {base: Fraction(base in HOLDS[letter], len(HOLDS[letter])) for base in "ACGT"}


def base_frequencies(column: Sequence[str]) -> dict[str, Fraction] | None:
    said = [found for letter in column if (found := base_shares(letter)) is not None]
    if not said:
        return None
    return {base: sum((one[base] for one in said), Fraction(0)) / len(said) for base in "ACGT"}


def frequency_error(original: Sequence[str], published: Sequence[str]) -> float | None:
    errors = []
    for at in range(len(original[0])):
        before = base_frequencies([row[at] for row in original])
        after = base_frequencies([row[at] for row in published])
        if before is None:
            continue
        if after is None:
            errors.append(Fraction(1))
        else:
            errors.append(max(abs(after[base] - before[base]) for base in "ACGT"))
    return float(sum(errors) / len(errors)) if errors else None


def common_base(column: Sequence[str]) -> str | None:
    found = base_frequencies(column)
    return None if found is None else max("ACGT", key=lambda base: (found[base], -"ACGT".index(base)))


def squared_correlation(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    if not pairs:
        return None
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    joint = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    of_x, of_y = sum((x - mean_x) ** 2 for x, _ in pairs), sum((y - mean_y) ** 2 for _, y in pairs)
    return Fraction(joint**2) / Fraction(of_x * of_y) if of_x and of_y else None


def linkage_error(original: Sequence[str], published: Sequence[str], apart: int) -> float | None:
    width = len(original[0])
    common = [common_base([row[at] for row in original]) for at in range(width)]

    def squared(rows: Sequence[str], i: int, j: int) -> Fraction | None:
        if common[i] is None or common[j] is None:
            return None
        pairs = [
            (x[common[i] or ""], y[common[j] or ""])
            for row in rows
            if (x := base_shares(row[i])) is not None and (y := base_shares(row[j])) is not None
        ]
        return squared_correlation(pairs)

    errors = []
    for i, j in itertools.combinations(range(width), 2):
        before = squared(original, i, j) if j - i <= apart else None
        if before is not None:
            errors.append(abs((squared(published, i, j) or 0) - before))
    return float(sum(errors) / len(errors)) if errors else None


def chi_square(cases: Sequence[Fraction], controls: Sequence[Fraction]) -> Fraction:
    """Pearson's χ² of a table of two rows, whose counts need not be whole."""
    whole = sum(cases) + sum(controls)
    found = Fraction(0)
    for group in (cases, controls):
        for at, observed in enumerate(group):
            if expected := (sum(group) * (cases[at] + controls[at]) / whole if whole else 0):
                found += (observed - expected) ** 2 / expected
    return found


def allelic(rows: Sequence[str], ill: Sequence[bool], common: str | None, at: int) -> Fraction:
    """χ² of the common base against the others."""
    table = [[Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)]]
    for row, case in zip(rows, ill, strict=True):
        if common is not None and (share := base_shares(row[at])) is not None:
            table[not case][0] += share[common]
            table[not case][1] += 1 - share[common]
    return chi_square(*table)


def kendall(x: Sequence[float], y: Sequence[float]) -> float | None:
    """τ-b over all pairs."""

    def sign(a: float, b: float) -> int:
        return (a > b) - (a < b)

    pairs = list(itertools.combinations(range(len(x)), 2))
    agree = sum(sign(x[i], x[j]) * sign(y[i], y[j]) for i, j in pairs)
    untied_x, untied_y = sum(x[i] != x[j] for i, j in pairs), sum(y[i] != y[j] for i, j in pairs)
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None


def ranks(values: Sequence[float]) -> list[Fraction]:
    """One more than those below, and half a place for each other that is equal."""
    return [
        1 + sum(other < one for other in values) + Fraction(sum(other == one for other in values) - 1, 2)
        for one in values
    ]
