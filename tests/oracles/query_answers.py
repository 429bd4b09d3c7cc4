"""Questions to a tiny clinic, the slow way: rows as dictionaries, one loop per statistic, no SQL.

``Clinic`` writes its rows straight into DuckDB tables in the form of prepared ones, so that thousands of
neighbouring data sets can be tried; what registration itself does is tested apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import duckdb

from sfumato.dp.neighbours import Neighbours
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.question import Expression, Key, Measure, Question, Statistic

Row = Mapping[str, Any]
People = Mapping[str, Sequence[Row]]
"""per person the rows in the order of their rank; a row has the columns v (−3 … 5), w, c, x"""

WIDE = 2**50
V = Expression('"v"', Fraction(-3), Fraction(5), Fraction(1))
W = Expression('"w"', Fraction(0), Fraction(WIDE), Fraction(1))
HALVES = Expression('"v"', Fraction(-3, 2), Fraction(5, 2), Fraction(1, 2))
PUBLIC = Key("c", '"c"', ("a", "b"))
UNKNOWN = Key("x", '"x"', None)
COLUMNS = {
    "v": Column("v", Type.INTEGER, Fraction(-3), Fraction(5)),
    "w": Column("w", Type.INTEGER, Fraction(0), Fraction(WIDE)),
    "c": Column("c", Type.CATEGORY, values=("a", "b")),
    "x": Column("x", Type.CATEGORY),
}

MEASURES = (
    Measure("n", Statistic.COUNT),
    Measure("n_v", Statistic.COUNT, V),
    Measure("persons", Statistic.PERSONS),
    Measure("sum", Statistic.SUM, V),
    Measure("mean", Statistic.MEAN, V),
    Measure("variance", Statistic.VARIANCE, V),
    Measure("median", Statistic.QUANTILE, V, Fraction(1, 2)),
    Measure("p90", Statistic.QUANTILE, V, Fraction(9, 10)),
    Measure("wide sum", Statistic.SUM, W),
    Measure("wide mean", Statistic.MEAN, W),
    Measure("wide variance", Statistic.VARIANCE, W),
    Measure("wide median", Statistic.QUANTILE, W, Fraction(1, 2)),
)


def metadata(
    rows: int = 2, groups: int = 1, neighbours: Neighbours = Neighbours.ADD_REMOVE, max_rows: int = 1000
) -> Metadata:
    """Say what is public of the clinic."""
    return Metadata(
        "clinic",
        {"visits": Table("visits", COLUMNS, "who", rows, max_rows)},
        neighbours,
        groups_per_person=groups,
    )


def question(
    measures: Sequence[Measure], keys: Sequence[Key] = (), where: str = "", rows: int = 2, groups: int = 1
) -> Question:
    """Ask the clinic."""
    return Question("clinic", ("visits",), where, tuple(keys), tuple(measures), "q", rows, groups)


@dataclass(frozen=True)
class Clinic:
    """One DuckDB with the table of visits, filled anew for every data set."""

    connection: duckdb.DuckDBPyConnection

    @classmethod
    def open(cls) -> Clinic:
        connection = duckdb.connect(":memory:", config={"threads": 1})
        connection.execute(
            'CREATE TABLE visits (__person BIGINT, __rank BIGINT, "v" BIGINT, "w" BIGINT, '
            "\"c\" ENUM('a', 'b'), \"x\" VARCHAR)"
        )
        return cls(connection)

    def fill(self, people: People, rows: int) -> duckdb.DuckDBPyConnection:
        """Put people into the table, each with the first ``rows`` of their rows."""
        self.connection.execute("DELETE FROM visits")
        values = [
            (number, rank, row["v"], row["w"], row["c"], row["x"])
            for number, name in enumerate(sorted(people))
            for rank, row in enumerate(people[name][:rows], 1)
        ]
        if values:
            marks = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(values))
            self.connection.execute(f"INSERT INTO visits VALUES {marks}", [v for row in values for v in row])
        return self.connection


def neighbours_of(people: People, stranger: Sequence[Row], notion: Neighbours) -> Iterator[People]:
    """Return all data sets without one person, or with one person replaced by a stranger."""
    for name in people:
        others = {other: rows for other, rows in people.items() if other != name}
        yield others if notion is Neighbours.ADD_REMOVE else {**others, name: stranger}


def counted_rows(people: People, rows: int, groups: int | None, keys: Sequence[str]) -> list[tuple[str, Row]]:
    """Return the rows that count: the first of each person, in the first groups of that person."""
    kept = []
    for name, held in people.items():
        told: list[tuple[Any, ...]] = []
        for row in held[:rows]:
            group = tuple(row[key] for key in keys)
            if group not in told and groups is not None and len(told) == groups:
                continue
            if group not in told:
                told.append(group)
            kept.append((name, row))
    return kept


def numbers_of(measure: Measure, rows: Sequence[tuple[str, Row]]) -> list[int]:
    """Return the whole numbers that a measure is made of, from the definition of each."""
    column = "w" if measure.expression is W else "v"
    values = [row[column] for _, row in rows if row[column] is not None]
    low, high = (0, WIDE) if column == "w" else (-3, 5)
    match measure.statistic:
        case Statistic.COUNT:
            return [len(rows) if measure.expression is None else len(values)]
        case Statistic.PERSONS:
            return [len({name for name, _ in rows})]
        case Statistic.SUM:
            return [sum(values)]
        case Statistic.MEAN:
            return [sum(v - low for v in values), sum(high - v for v in values)]
        case Statistic.VARIANCE:
            step = max(1, -(-(high - low) // 2**30))
            width = (high - low) // step
            shares = [(v - low) // step for v in values]
            return [
                sum(a * a for a in shares),
                sum(2 * a * (width - a) for a in shares),
                sum((width - a) ** 2 for a in shares),
            ]
    raise AssertionError(measure)


def scores_of(measure: Measure, rows: Sequence[tuple[str, Row]], candidates: Sequence[int]) -> list[Fraction]:
    """Return the score of every candidate of a quantile, by counting."""
    column = "w" if measure.expression is W else "v"
    values = [row[column] for _, row in rows if row[column] is not None]
    a = measure.quantile
    assert a is not None
    return [
        -abs((1 - a) * sum(v < point for v in values) - a * sum(v > point for v in values))
        for point in candidates
    ]
