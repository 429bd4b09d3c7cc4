"""Beliefs before and after a randomised value is seen, by enumeration: no formula is used here."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

Matrix = tuple[tuple[Fraction, ...], ...]


def priors(values: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """Every distribution over the values whose probabilities are multiples of 1 / parts."""
    for counts in product(range(parts + 1), repeat=values):
        if sum(counts) == parts:
            yield tuple(Fraction(count, parts) for count in counts)


def predicates(values: int) -> Iterator[tuple[int, ...]]:
    """Every set of values but the empty one and the whole."""
    for size in range(1, values):
        yield from combinations(range(values), size)


def beliefs(matrix: Matrix, prior: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, Fraction]]:
    """What an adversary believes before and after, for each predicate and each value that can be seen."""
    values = len(matrix)
    for seen in range(len(matrix[0])):
        total = sum(prior[u] * matrix[u][seen] for u in range(values))
        if total == 0:
            continue
        for predicate in predicates(values):
            before = sum((prior[u] for u in predicate), Fraction(0))
            after = sum((prior[u] * matrix[u][seen] for u in predicate), Fraction(0)) / total
            yield before, after


def all_beliefs(matrix: Matrix, parts: int) -> Iterator[tuple[Fraction, Fraction]]:
    """The same for every prior of a grid."""
    for prior in priors(len(matrix), parts):
        yield from beliefs(matrix, prior)


def two_point_beliefs(matrix: Matrix, before: Fraction) -> Iterator[Fraction]:
    """What is believed afterwards of one value by those who take one other value for possible."""
    for one, other in product(range(len(matrix)), repeat=2):
        if one == other:
            continue
        prior = [Fraction(0)] * len(matrix)
        prior[one], prior[other] = before, 1 - before
        for held, after in beliefs(matrix, tuple(prior)):
            if held == before:
                yield after


def exact_inverse(matrix: Matrix) -> list[list[Fraction]]:
    """Invert by elimination, in fractions."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = next(r for r in range(i, size) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for r in range(size):
            if r != i:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[size:] for row in rows]
