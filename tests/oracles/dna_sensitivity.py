"""Tests of association by their textbook formulas, and what one person does to them, tried on all tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

Row = tuple[int, int, int]
"""how many people have dosage 0, 1 and 2"""
Tables = tuple[Row, Row]
"""cases and controls"""
Score = Callable[[Tables], Fraction]


def rows(people: int) -> list[Row]:
    return [(people - one - two, one, two) for one in range(people + 1) for two in range(people + 1 - one)]


def all_tables(cases: int, controls: int) -> list[Tables]:
    return [(ill, well) for ill in rows(cases) for well in rows(controls)]


def _moved(row: Row) -> Iterator[Row]:
    for old in range(3):
        for new in range(3):
            if old != new and row[old]:
                counts = list(row)
                counts[old] -= 1
                counts[new] += 1
                yield counts[0], counts[1], counts[2]


def neighbours(tables: Tables) -> Iterator[Tables]:
    ill, well = tables
    for other in _moved(ill):
        yield other, well
    for other in _moved(well):
        yield ill, other


def pearson(table: list[list[int]]) -> Fraction:
    """Σ (observed − expected)² / expected over the cells whose expectation is not 0."""
    total = sum(map(sum, table))
    columns = [sum(column) for column in zip(*table, strict=True)]
    found = Fraction(0)
    for row in table:
        for cell, column in zip(row, columns, strict=True):
            expected = Fraction(sum(row) * column, total)
            if expected:
                found += (cell - expected) ** 2 / expected
    return found


def genotypic(tables: Tables) -> Fraction:
    return pearson([list(row) for row in tables])


def allelic(tables: Tables) -> Fraction:
    return pearson([[2 * row[0] + row[1], row[1] + 2 * row[2]] for row in tables])


def trend(tables: Tables) -> Fraction:
    """N times the squared correlation of dosage and status."""
    points = [
        (dosage, status)
        for status, row in ((1, tables[0]), (0, tables[1]))
        for dosage in range(3)
        for _ in range(row[dosage])
    ]
    n = len(points)
    mean_x, mean_y = Fraction(sum(x for x, _ in points), n), Fraction(sum(y for _, y in points), n)
    together = sum(((x - mean_x) * (y - mean_y) for x, y in points), Fraction(0))
    alone_x = sum(((x - mean_x) ** 2 for x, _ in points), Fraction(0))
    alone_y = sum(((y - mean_y) ** 2 for _, y in points), Fraction(0))
    return n * together**2 / (alone_x * alone_y) if alone_x else Fraction(0)


def worst_change(score: Score, cases: int, controls: int, *, full_columns: bool = False) -> Fraction:
    """Return the largest change of a score between neighbours; only tables without empty columns if asked."""
    scores = {tables: score(tables) for tables in all_tables(cases, controls)}
    if full_columns:
        scores = {t: s for t, s in scores.items() if all(t[0][j] + t[1][j] for j in range(3))}
    return max(
        abs(scores[tables] - scores[other])
        for tables in scores
        for other in neighbours(tables)
        if other in scores
    )


def distances(score: Score, critical: Fraction, cases: int, controls: int) -> dict[Tables, int]:
    """Return Johnson and Shmatikov's score of every table, by walking from table to table."""
    everything = all_tables(cases, controls)
    significant = {tables: score(tables) >= critical for tables in everything}
    far = {
        tables: 1
        for tables in everything
        if any(significant[other] != significant[tables] for other in neighbours(tables))
    }
    edge, steps = list(far), 1
    while edge:
        steps += 1
        edge = [other for tables in edge for other in neighbours(tables) if other not in far]
        far.update(dict.fromkeys(edge, steps))
        edge = list(dict.fromkeys(edge))
    whole = cases + controls + 1
    return {
        tables: far.get(tables, whole) if significant[tables] else 1 - far.get(tables, whole)
        for tables in everything
    }
