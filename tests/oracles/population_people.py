"""A population of people, some with several rows: who looks like whom, by sets of persons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

Row = tuple[Any, Any]
"""a person and what everybody may know of them"""


def by_class(rows: Iterable[Row], shown: Callable[[Any], Any]) -> dict[Any, set[Any]]:
    """Return the persons behind every class; ``shown`` says what a release shows of a value."""
    found: dict[Any, set[Any]] = defaultdict(set)
    for who, value in rows:
        found[shown(value)].add(who)
    return dict(found)


def fewest(released: Sequence[Row], population: Sequence[Row], shown: Callable[[Any], Any]) -> int:
    """Return the fewest persons of the population who look like a released record: the k of k-map."""
    listed = by_class(population, shown)
    return min(len(listed.get(label, set())) for label in by_class(released, shown))


def presence(
    released: Sequence[Row], population: Sequence[Row], shown: Callable[[Any], Any]
) -> list[Fraction]:
    """Return for every class of the population the share of its persons who are released."""
    inside, listed = by_class(released, shown), by_class(population, shown)
    return [Fraction(len(inside.get(label, set())), len(people)) for label, people in listed.items()]


def chances(
    released: Sequence[Row], population: Sequence[Row], shown: Callable[[Any], Any]
) -> dict[Any, Fraction]:
    """Return for every person of the population how likely they are in: over the classes of their rows."""
    inside, listed = by_class(released, shown), by_class(population, shown)
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for label, people in listed.items():
        for who in people:
            found[who] += Fraction(len(inside.get(label, set())), len(people))
    return {who: min(share, Fraction(1)) for who, share in found.items()}
