"""Special uniques, record by record and subset by subset: slow, obvious, and without any shared code."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial, prod
from typing import Any

Row = Sequence[Any]


def minimal_uniques(
    rows: Sequence[Row], people: Sequence[int], up_to: int, *, ignore_missing: bool = False
) -> list[list[tuple[int, ...]]]:
    """For each record the smallest sets of columns by which only rows of one person look like it."""

    def alone(r: int, chosen: tuple[int, ...]) -> bool:
        if ignore_missing and any(rows[r][j] is None for j in chosen):
            return False
        alike = {p for row, p in zip(rows, people, strict=True) if all(row[j] == rows[r][j] for j in chosen)}
        return len(alike) == 1

    width = len(rows[0])
    everything = [c for size in range(1, up_to + 1) for c in combinations(range(width), size)]
    found = []
    for r in range(len(rows)):
        lone = [chosen for chosen in everything if alone(r, chosen)]
        found.append([one for one in lone if not any(set(other) < set(one) for other in lone)])
    return found


def weight(size: int, columns: int, up_to: int, scoring: str) -> Fraction:
    if scoring == "elliot":
        return Fraction(prod(columns - i for i in range(size, up_to + 1) if i < columns))
    ways = Fraction(factorial(size) * factorial(columns - size), factorial(columns))
    return (2 ** (columns - size) - 1) * ways


def scores(
    found: Sequence[Sequence[tuple[int, ...]]], columns: int, up_to: int, scoring: str
) -> list[Fraction]:
    return [
        sum((weight(len(one), columns, up_to, scoring) for one in of_record), Fraction(0))
        for of_record in found
    ]


def dis(rows: Sequence[Row], fraction: Fraction) -> Fraction | None:
    """The chance of a correct match with a unique: uniques and pairs of the whole combination."""
    frequencies = [sum(row == other for other in rows) for row in rows]
    uniques, in_pairs = frequencies.count(1), frequencies.count(2)
    if not uniques:
        return None
    return uniques * fraction / (uniques * fraction + in_pairs * (1 - fraction))


def dis_suda(rows: Sequence[Row], scored: Sequence[float], fraction: float) -> list[float]:
    """Spread DIS over the records as sdcMicro writes it: by way of U / DIS − U."""
    risk = dis(rows, Fraction(str(fraction)))
    if risk is None:
        return [0.0] * len(rows)
    uniques = sum(sum(row == other for other in rows) == 1 for row in rows)
    power = 1 + (8 - len(rows[0])) / 20
    total = sum(score**-power for score in scored if score)
    wrong = float(uniques / risk - uniques)
    return [1 / (1 + wrong / (score**power * total)) if score else 0.0 for score in scored]
