"""Risk against a list of the population, person by person: slow, obvious, without any shared code.

A file and a list are lists of combinations, one for each person.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

People = Sequence[Hashable]


def lambdas(file: People, everybody: People) -> tuple[Fraction | None, Fraction, Fraction]:
    alone = [person for person in file if file.count(person) == 1]
    both = [person for person in alone if everybody.count(person) == 1]
    alone_there = [person for person in everybody if everybody.count(person) == 1]
    first = Fraction(len(both), len(alone)) if alone else None
    return first, Fraction(len(both), len(file)), Fraction(len(alone_there), len(everybody))


def chances(file: People, everybody: People) -> list[Fraction]:
    """For each person of the file with a match, the chance that a name that fits is theirs."""
    return [
        Fraction(1, max(everybody.count(person), file.count(person)))
        for person in file
        if person in everybody
    ]


def journalist(file: People, everybody: People) -> tuple[Fraction, Fraction]:
    """The highest chance, and the average: whatever way round succeeds better."""
    found = chances(file, everybody)
    matched = {person for person in file if person in everybody}
    sizes = [max(everybody.count(person), file.count(person)) for person in matched]
    return max(found), max(Fraction(len(matched), sum(sizes)), sum(found, Fraction(0)) / len(found))


def marketer(file: People, everybody: People) -> Fraction:
    found = chances(file, everybody)
    return sum(found, Fraction(0)) / len(found)


def presence(file: People, everybody: People) -> list[Fraction]:
    """For each of the population the chance to be in the file."""
    return [min(Fraction(file.count(person), everybody.count(person)), Fraction(1)) for person in everybody]
