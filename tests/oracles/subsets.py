"""Every combination of columns, measured with dictionaries: slow, obvious, and without any shared code.

A table is a list of rows (tuples of values) and a list that says whose row each is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Measured:
    classes: int
    smallest: int
    uniques: int
    average: Fraction
    above: int
    distinction: Fraction
    separation: Fraction | None


def subsets(columns: int, up_to: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, up_to + 1):
        yield from combinations(range(columns), size)


def measured(
    rows: Sequence[Sequence[Any]], people: Sequence[int], chosen: Sequence[int], threshold: Fraction
) -> Measured:
    """Measure one combination: people of a class once each, pairs of rows one by one."""
    inside: dict[tuple[Any, ...], set[int]] = defaultdict(set)
    keys = [tuple(row[j] for j in chosen) for row in rows]
    for key, person in zip(keys, people, strict=True):
        inside[key].add(person)
    sizes = [len(found) for found in inside.values()]
    everybody = len(set(people))
    pairs = list(combinations(range(len(rows)), 2))
    different = sum(keys[a] != keys[b] for a, b in pairs)
    return Measured(
        classes=len(sizes),
        smallest=min(sizes),
        uniques=min(sizes.count(1), everybody),
        average=min(Fraction(len(sizes), everybody), Fraction(1, min(sizes))),
        above=min(sum(size for size in sizes if Fraction(1, size) > threshold), everybody),
        distinction=Fraction(len(sizes), len(rows)),
        separation=Fraction(different, len(pairs)) if pairs else None,
    )


def smallest_identifying(
    rows: Sequence[Sequence[Any]], people: Sequence[int], up_to: int, share: Fraction
) -> set[tuple[int, ...]]:
    """Find the combinations that single out a share of the people while no part of them does."""
    width = len(rows[0])
    everybody = len(set(people))
    enough = {
        chosen
        for chosen in subsets(width, up_to)
        if Fraction(measured(rows, people, chosen, Fraction(1, 5)).uniques, everybody) >= share
    }
    return {one for one in enough if not any(set(other) < set(one) for other in enough)}
