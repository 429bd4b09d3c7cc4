"""The SQL that computes exact whole numbers of a planned question. Built from metadata and the plan alone."""

from __future__ import annotations

import re

from sfumato.engine.sql import quote
from sfumato.query.plan import NoisePlan, NoisyChoice, NoisyNumbers, column_of
from sfumato.query.prepared import PERSON, RANK
from sfumato.query.question import Key
from sfumato.query.statistics import persons, units

PLACE_OF_ROW = "__place_of_row"
FIRST_OF_GROUP = "__first_of_group"
"""begin with two underscores: a declared column of the same name would be taken instead (QUALIFY)"""
_QUOTED_OR_WHOLE = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*')|(?<![\w.])([0-9]{1,15})::BIGINT""")


def key_of(number: int) -> str:
    """Return the name of the column that holds a key."""
    return f"k{number}"


def without_numbers(statement: str) -> tuple[str, tuple[int, ...]]:
    """Return a statement with places for its whole numbers, and the numbers.

    Questions often differ in nothing else, and the engine need read and try their common shape only once.
    What stands in quotes is left as it is, and so are numbers that a BIGINT might not hold.

    >>> without_numbers("(age >= 18::BIGINT) AND (sex <> '9::BIGINT')")
    ("(age >= ?::BIGINT) AND (sex <> '9::BIGINT')", (18,))
    """
    numbers: list[int] = []

    def place(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1]
        numbers.append(int(found[2]))
        return "?::BIGINT"

    return _QUOTED_OR_WHOLE.sub(place, statement), tuple(numbers)


def of_numbers(planned: NoisePlan) -> str | None:
    """Return one statement for all measures that are added up: keys, then numbers, then persons.

    None when there is nothing to add up. Persons are counted only where groups are selected by them.
    """
    wanted = [
        f"CAST({aggregate} AS BIGINT)"
        for measure in planned.measures
        if isinstance(measure, NoisyNumbers)
        for aggregate in (*measure.numbers.aggregates, *measure.numbers.shared)
    ]
    if planned.selection is not None:
        wanted.append(persons(planned.reach))
    if not wanted:
        return None
    keys = [_told(key, key_of(i)) for i, key in enumerate(planned.question.keys)]
    return f"SELECT {', '.join([*keys, *wanted])} FROM ({_rows(planned)}){_grouped(planned)}"


def of_histogram(planned: NoisePlan, number: int) -> str:
    """Return the statement that counts the values of a quantile's measure: keys, place, rows."""
    measure = planned.measures[number]
    assert isinstance(measure, NoisyChoice)
    column = column_of(number)
    keys = [_told(key, key_of(i)) for i, key in enumerate(planned.question.keys)]
    picked = ", ".join([*keys, "place", "COUNT(*)"])
    place = f"{measure.candidates.position(column)} AS place"
    grouped = ", ".join([*(key_of(i) for i in range(len(planned.question.keys))), "place"])
    return (
        f"SELECT {picked} FROM (SELECT *, {place} FROM ({_rows(planned)}) WHERE {column} IS NOT NULL) "
        f"GROUP BY {grouped}"
    )


def _told(key: Key, column: str) -> str:
    """Return the key in a type that its public values can be compared in."""
    first = key.values[0] if key.values else ""
    kind = "BOOLEAN" if isinstance(first, bool) else "BIGINT" if isinstance(first, int) else "VARCHAR"
    return f"CAST({column} AS {kind})"


def _grouped(planned: NoisePlan) -> str:
    names = [key_of(i) for i in range(len(planned.question.keys))]
    return f" GROUP BY {', '.join(names)}" if names else ""


def _rows(planned: NoisePlan) -> str:
    """Return the rows that count: joined, filtered, then bounded per person."""
    question, reach = planned.question, planned.reach
    picked = [f"{key.sql} AS {key_of(i)}" for i, key in enumerate(question.keys)]
    for i, measure in enumerate(planned.measures):
        if measure.measure.expression is not None:
            # The bounds were proved; clamping again means that no guarantee rests on that proof.
            lower, upper = units(measure.measure.expression)
            value = f"({measure.measure.expression.sql})"
            held = f"WHEN {value} < {lower} THEN {lower} WHEN {value} > {upper} THEN {upper}"
            picked.append(f"CASE {held} ELSE {value} END AS {column_of(i)}")
    first, *others = (quote(name) for name in question.tables)
    tables = first + "".join(f" JOIN {name} ON {name}.{PERSON} = {first}.{PERSON}" for name in others)
    picked.append(f"{first}.{PERSON} AS person")
    where = f" WHERE {question.where}" if question.where else ""
    if not reach.bound_rows and not reach.bound_groups:
        return f"SELECT {', '.join(picked)} FROM {tables}{where}"
    ranks = [f"{quote(name)}.{RANK}" for name in question.tables]
    # Ranks are different for all rows of a person, so that this order has no ties.
    order = ", ".join([" + ".join(ranks), *ranks])
    picked.append(f"row_number() OVER (PARTITION BY {first}.{PERSON} ORDER BY {order}) AS {PLACE_OF_ROW}")
    bounded = f"SELECT {', '.join(picked)} FROM {tables}{where} QUALIFY {PLACE_OF_ROW} <= {reach.rows}"
    if not reach.bound_groups:
        return bounded
    keys = ", ".join(["person", *(key_of(i) for i in range(len(question.keys)))])
    return (
        f"SELECT * FROM (SELECT *, min({PLACE_OF_ROW}) OVER (PARTITION BY {keys}) AS {FIRST_OF_GROUP} "
        f"FROM ({bounded})) "
        f"QUALIFY dense_rank() OVER (PARTITION BY person ORDER BY {FIRST_OF_GROUP}) <= {reach.groups}"
    )
