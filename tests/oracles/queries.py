"""Counting queries the slow way: every value that a label stands for is tried, one by one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Condition = tuple[Any, ...]
"""(word, left, right), ('not', inner), ('null', column), ('in', column, values), (sign, column, value)"""


def sql_of(condition: Condition) -> str:
    """Write a condition as SQL."""
    match condition:
        case ("and" | "or" as word, left, right):
            return f"({sql_of(left)} {word.upper()} {sql_of(right)})"
        case ("not", inner):
            return f"NOT ({sql_of(inner)})"
        case ("null", column):
            return f"{column} IS NULL"
        case ("in", column, values):
            return f"{column} IN ({', '.join(map(_literal, values))})"
        case (sign, column, value):
            return f"{column} {sign} {_literal(value)}"
    raise AssertionError(condition)


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def truth(condition: Condition, row: Mapping[str, Any]) -> bool | None:
    """Say whether a row satisfies a condition: True, False or, about missing values, unknown (None)."""
    match condition:
        case ("and", left, right):
            sides = [truth(left, row), truth(right, row)]
            return False if False in sides else None if None in sides else True
        case ("or", left, right):
            sides = [truth(left, row), truth(right, row)]
            return True if True in sides else None if None in sides else False
        case ("not", inner):
            found = truth(inner, row)
            return None if found is None else not found
        case ("null", column):
            return row[column] is None
        case ("in", column, values):
            return None if row[column] is None else row[column] in values
        case (sign, column, value):
            mine = row[column]
            if mine is None:
                return None
            return bool(
                {
                    "=": mine == value,
                    "<>": mine != value,
                    "<": mine < value,
                    "<=": mine <= value,
                    ">": mine > value,
                    ">=": mine >= value,
                }[sign]
            )
    raise AssertionError(condition)


def expected(rows: Sequence[Mapping[str, Sequence[Any]]], condition: Condition) -> Fraction:
    """Return the expected count: each row says for each column which values it may stand for."""
    total = Fraction(0)
    for row in rows:
        names = list(row)
        worlds = list(itertools.product(*(row[name] for name in names)))
        met = sum(truth(condition, dict(zip(names, world, strict=True))) is True for world in worlds)
        total += Fraction(met, len(worlds))
    return total
