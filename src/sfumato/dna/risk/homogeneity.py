"""What rows that look alike share: a phenotype is learned without finding anybody's row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.models.classes import classes_of, row_numbers


@dataclass(frozen=True)
class Homogeneity:
    """People of whom a sequence tells the phenotype for sure: all who look like them have the same."""

    people: int
    told: int
    """the phenotype is the same in all rows that look like theirs"""
    in_company: int
    """of these, people who do not stand alone"""
    most_frequent: int
    """people with the most frequent phenotype: what a blind guess gets right"""

    def __str__(self) -> str:
        return (
            f"phenotype: told for sure of {in_per_cent(self.told / self.people)} of the people, "
            f"{in_per_cent(self.in_company / self.people)} though they do not stand alone "
            f"(a blind guess: {in_per_cent(self.most_frequent / self.people)})"
        )


def homogeneity(rows: Aligned, phenotype: Sequence[object]) -> Homogeneity:
    """Count people whose class of equal rows has one phenotype. A missing one is a phenotype of its own.

    >>> from sfumato.dna.aligned import aligned
    >>> found = homogeneity(aligned("A", "A", "G", "G", "C"), ["ill", "ill", "ill", "well", "well"])
    >>> found.told, found.in_company, found.most_frequent
    (3, 2, 3)
    """
    if len(phenotype) != len(rows):
        raise BadInput(f"there are {len(phenotype):,} phenotypes for {len(rows):,} rows", where="phenotype")
    known: dict[object, int] = {}
    # A NaN is no two times the same key, and all that is missing is one phenotype.
    named = [None if isinstance(one, float) and math.isnan(one) else one for one in phenotype]
    values = np.array([known.setdefault(one, len(known)) for one in named], np.int64)
    classes = classes_of(row_numbers(rows.cells), rows.owners)
    # Counted as if each phenotype were a person: classes with one of them tell it.
    kinds = classes_of(classes.of_row, values).persons
    certain, together = kinds == 1, classes.persons > 1

    def people(which: np.ndarray) -> int:
        return len(np.unique(rows.owners[which[classes.of_row]]))

    of_value = [len(np.unique(rows.owners[values == value])) for value in range(len(known))]
    return Homogeneity(
        len(np.unique(rows.owners)), people(certain), people(certain & together), max(of_value, default=0)
    )
