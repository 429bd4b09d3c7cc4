"""Risk measured person by person: slow, obvious, and without any shared code.

A table is a list of (person, class) pairs: one for every class in which a person has rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction


def chances(pairs: Iterable[tuple[int, int]]) -> list[Fraction]:
    """For each person the highest chance to be found over the classes they are in."""
    pairs = set(pairs)
    people_of: dict[int, set[int]] = defaultdict(set)
    classes_of: dict[int, set[int]] = defaultdict(set)
    for person, class_ in pairs:
        people_of[class_].add(person)
        classes_of[person].add(class_)
    return [max(Fraction(1, len(people_of[class_])) for class_ in classes) for classes in classes_of.values()]


def sizes(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Persons per class."""
    return list(Counter(class_ for _, class_ in set(pairs)).values())


def highest(found: list[Fraction]) -> Fraction:
    return max(found)


def average(found: list[Fraction]) -> Fraction:
    return sum(found, Fraction(0)) / len(found)


def share_above(found: list[Fraction], threshold: Fraction) -> Fraction:
    return Fraction(sum(chance > threshold for chance in found), len(found))


def share_unique(found: list[Fraction]) -> Fraction:
    return Fraction(sum(chance == 1 for chance in found), len(found))
