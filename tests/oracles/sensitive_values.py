"""Guessing a sensitive value person by person: slow, obvious, without any shared code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

People = Sequence[tuple[int, int]]
"""class and value of each person"""


def _right(value: int, others: list[int]) -> Fraction:
    counted = Counter(others)
    best = [one for one, times in counted.items() if times == max(counted.values())]
    return Fraction(1, len(best)) if value in best else Fraction(0)


def guessed(people: People) -> Fraction:
    right = [_right(value, [v for c, v in people if c == class_]) for class_, value in people]
    return sum(right, Fraction(0)) / len(people)


def without(people: People) -> Fraction:
    total = Fraction(0)
    for i, (class_, value) in enumerate(people):
        rest = [*people[:i], *people[i + 1 :]]
        others = [v for c, v in rest if c == class_] or [v for _, v in rest]
        total += _right(value, others) if others else 0
    return total / len(people)


def sure(people: People) -> Fraction:
    found = sum(len({v for c, v in people if c == class_}) == 1 for class_, _ in people)
    return Fraction(found, len(people))
