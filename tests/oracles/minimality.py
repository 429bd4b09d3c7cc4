"""The minimality attack by listing every world: who has which value, class by class, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

Record = tuple[str, str, str]
"""a code such as ``a1``, a sex, a sensitive value"""
Levels = tuple[int, int]


def shown(record: Record, levels: Levels) -> tuple[str, str]:
    """Generalise a code to its first letter and then to nothing, a sex to nothing."""
    code, sex, _ = record
    return (code, code[0] + "*", "*")[levels[0]], (sex, "*")[levels[1]]


def breaks(values: Sequence[str], share: Fraction, watched: Sequence[str]) -> bool:
    """Say whether a watched value has more than its share of a group."""
    return any(values.count(value) > share * len(values) for value in watched)


def every_world(records: Sequence[Record], levels: Levels) -> Iterator[list[str]]:
    """List every way to hand the values of each class out to its people; ways may come several times."""
    classes: dict[Any, list[int]] = {}
    for i, record in enumerate(records):
        classes.setdefault(shown(record, levels), []).append(i)
    for orders in product(*(permutations(members) for members in classes.values())):
        world = [""] * len(records)
        for members, order in zip(classes.values(), orders, strict=True):
            for person, owner in zip(members, order, strict=True):
                world[person] = records[owner][2]
        yield world


def refusing(
    records: Sequence[Record], levels: Levels, lower: Levels, share: Fraction, watched: Sequence[str]
) -> tuple[list[list[str]], int]:
    """Return the worlds in which some group of the lower node breaks the promise, and how many there are."""
    groups: dict[Any, list[int]] = {}
    for i, record in enumerate(records):
        groups.setdefault(shown(record, lower), []).append(i)
    everything = list(every_world(records, levels))
    kept = [
        world
        for world in everything
        if any(breaks([world[i] for i in group], share, watched) for group in groups.values())
    ]
    return kept, len(everything)


def credences(
    records: Sequence[Record], levels: Levels, lower: Levels, share: Fraction, watched: Sequence[str]
) -> tuple[Fraction, list[Fraction]]:
    """Return how likely the lower node is to fail, and the credence in each person's own value if it does."""
    kept, number = refusing(records, levels, lower, share, watched)
    found = [
        Fraction(sum(world[i] == value for world in kept), max(len(kept), 1))
        for i, (_, _, value) in enumerate(records)
    ]
    return Fraction(len(kept), number), found


def without(
    records: Sequence[Record], i: int, levels: Levels, lower: Levels, share: Fraction, watched: Sequence[str]
) -> Fraction:
    """Return the credence in a person's value when their record is not there: that of others of their group.

    The other classes are as they are; so they are fine or not with the probability that they have.
    """
    others = [record for j, record in enumerate(records) if j != i]
    inside = [record for record in others if shown(record, levels) == shown(records[i], levels)]
    alike = [j for j, record in enumerate(others) if shown(record, lower) == shown(records[i], lower)]
    value = records[i][2]
    kept, _ = refusing(others, levels, lower, share, watched)
    if alike and kept:
        return Fraction(sum(world[j] == value for world in kept for j in alike), len(kept) * len(alike))
    return Fraction(sum(record[2] == value for record in inside), max(len(inside), 1))
