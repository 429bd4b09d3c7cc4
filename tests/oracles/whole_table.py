"""The whole table in persons, by sets of pairs: who has which value at all, and who has it in a class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

Row = tuple[str, str, str | None]
"""a person, what everybody may know of them, a sensitive value"""
Shares = dict[str | None, Fraction]


def shares(pairs: Iterable[tuple[str, str | None]]) -> Shares:
    """Return the share of every value among the different pairs of a person and a value."""
    different = set(pairs)
    counted = Counter(value for _, value in different)
    return {value: Fraction(many, len(different)) for value, many in counted.items()}


def compared(rows: Sequence[Row]) -> list[tuple[Shares, Shares]]:
    """Return for every class its shares beside those of the whole table, read as one class."""
    classes: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for who, quasi, value in rows:
        classes[quasi].append((who, value))
    whole = shares((who, value) for who, _, value in rows)
    return [(shares(pairs), whole) for pairs in classes.values()]


def equal_distance(rows: Sequence[Row]) -> Fraction:
    """Return the largest total variation distance of a class from the whole table."""
    return max(
        sum((abs(own.get(value, Fraction(0)) - share) for value, share in whole.items()), Fraction(0)) / 2
        for own, whole in compared(rows)
    )


def likeness(rows: Sequence[Row]) -> Fraction:
    """Return the largest relative gain of a value in a class over the whole table."""
    return max(share / whole[value] - 1 for own, whole in compared(rows) for value, share in own.items())
