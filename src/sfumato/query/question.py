"""A question that was understood: what SQL is turned into, and all that runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Statistic(StrEnum):
    """What is computed per group."""

    COUNT = "count"
    """rows (COUNT(*)), or rows where an expression is not missing"""
    PERSONS = "persons"
    """COUNT(DISTINCT person)"""
    SUM = "sum"
    MEAN = "mean"
    VARIANCE = "variance"
    QUANTILE = "quantile"


@dataclass(frozen=True)
class Expression:
    """Arithmetic on bounded columns, as SQL over prepared tables: a whole number of grid units, or missing.

    ``sql`` yields a BIGINT u for every row, and the value is u · grid with lower ≤ u · grid ≤ upper, proved
    by interval arithmetic over the declared bounds.
    """

    sql: str
    lower: Fraction
    upper: Fraction
    grid: Fraction


@dataclass(frozen=True)
class Measure:
    """One statistic of the answer."""

    name: str
    statistic: Statistic
    expression: Expression | None = None
    """None for COUNT(*) and PERSONS"""
    quantile: Fraction | None = None
    date: bool = False
    """the value is days since 1970-01-01 (quantiles of dates)"""


@dataclass(frozen=True)
class Key:
    """What is grouped by: an expression in SQL over prepared tables and its public values in order.

    ``values`` None: not public; the groups that are told are chosen by partition selection, which needs δ.
    Missing is a group of its own, the last one, when ``missing`` says that it can occur.
    """

    name: str
    sql: str
    values: tuple[str | int | bool, ...] | None
    missing: bool = True


@dataclass(frozen=True)
class Question:
    """SELECT keys, measures FROM sources JOIN ON person WHERE … GROUP BY keys."""

    data_set: str
    tables: tuple[str, ...]
    """joined on the person key, in this order"""
    where: str
    """a predicate in SQL over prepared tables, '' for none; rows where it is not true are left out"""
    keys: tuple[Key, ...]
    measures: tuple[Measure, ...]
    canonical: str
    """the same for all spellings of the same question: what is cached, logged and compared"""
    rows_per_person: int = 1
    """most rows of one person that count, after joins"""
    groups_per_person: int = 1
    columns: tuple[str, ...] = ()
    """'table.column' of everything that is looked at, sorted (what watching compares)"""
