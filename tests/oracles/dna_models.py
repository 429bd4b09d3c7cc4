"""Slow, obvious answers about rows of sequences and genotypes: sets, loops and the definitions."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

BASES = {
    "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT",
    "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT-", "-": "-",
}  # fmt: skip
"""what each letter may be; a gap joined with a base is written N, so that N may be a gap"""


def may_be(letter: str) -> set[str]:
    return set(BASES[letter])


def people_alike(rows: Sequence[str], persons: Sequence[int], columns: Sequence[int]) -> list[int]:
    """For each row, how many persons have a row that is the same on the columns."""
    return [
        len(
            {
                who
                for other, who in zip(rows, persons, strict=True)
                if all(other[at] == row[at] for at in columns)
            }
        )
        for row in rows
    ]


def rarest_value(row: str) -> int:
    """How often the rarest letter of a row stands in it."""
    return min(Counter(row).values())


def people_fitting(
    row: str, population: Sequence[str], persons: Sequence[int], columns: Sequence[int]
) -> int:
    """How many persons of the population are surely held by a row."""
    return len(
        {
            who
            for other, who in zip(population, persons, strict=True)
            if all(may_be(other[at]) <= may_be(row[at]) for at in columns)
        }
    )


def fewest_by_snps(
    rows: Sequence[str], persons: Sequence[int], columns: Sequence[int], known: int, k: int
) -> tuple[int, set[int]]:
    """The fewest persons whom some values of ``known`` positions lead to, and all rows below k."""
    fewest = len(set(persons))
    exposed: set[int] = set()
    for chosen in itertools.combinations(columns, min(known, len(columns))):
        said = {
            values
            for row in rows
            for values in itertools.product(*(sorted(may_be(row[at])) for at in chosen))
        }
        for values in said:
            fits = [
                number
                for number, row in enumerate(rows)
                if all(value in may_be(row[at]) for value, at in zip(values, chosen, strict=True))
            ]
            found = len({persons[number] for number in fits})
            fewest = min(fewest, found)
            if found < k:
                exposed.update(fits)
    return fewest, exposed
