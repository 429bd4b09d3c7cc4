"""Rows made up from metadata alone, to try questions out: nothing is charged, nothing is true.

Values are drawn independently and evenly between the declared bounds; every table has all of its declared
columns, some values are missing, and people have up to ``rows_per_person`` rows.
"""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.query.metadata import Column, Metadata, Table, Type

MISSING = 0.03
"""share of values that are missing"""
UNKNOWN = tuple(f"value {number}" for number in range(1, 13))
"""values of categories whose own are not public"""
MOST_ROWS = 20
"""of one person"""
DUMMY_ROWS = 1000
"""of a table"""
UNBOUNDED = 1000
"""where bounds are not declared"""
_FIRST_DAY = datetime.date(1970, 1, 1)


def dummy_tables(metadata: Metadata, rows: int = DUMMY_ROWS, seed: int = 1) -> dict[str, pa.Table]:
    """Return made-up tables in the shape of the sources that metadata declare.

    >>> from fractions import Fraction
    >>> age = Column("age", Type.INTEGER, Fraction(0), Fraction(120))
    >>> people = Table("people", {"age": age}, person="id", rows_per_person=1, max_rows=1000)
    >>> dummy_tables(Metadata("clinic", {"people": people}), rows=3)["people"].column_names
    ['id', 'age']
    """
    if rows < 0:
        raise BadInput("the number of rows is negative", where="rows", remedy="try 1000")
    random = np.random.default_rng(seed)
    return {name: _table(table, min(rows, table.max_rows), random) for name, table in metadata.tables.items()}


def _table(table: Table, rows: int, random: np.random.Generator) -> pa.Table:
    made: dict[str, pa.Array] = {}
    if table.person is not None:
        made[table.person] = pa.array(_people(rows, min(table.rows_per_person, MOST_ROWS), random))
    for name, column in table.columns.items():
        values = _values(column, rows, random)
        absent = random.random(rows) < MISSING
        made[name] = pa.array(
            [None if gone else value for value, gone in zip(values, absent, strict=True)], _type(column)
        )
    return pa.table(made)


def _people(rows: int, rows_per_person: int, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Number people from 1, the same in all tables so that they can be joined."""
    people = max(1, math.ceil(2 * rows / (rows_per_person + 1)))
    # As many tickets for everybody as a person may have rows; so many of them are drawn as there are rows.
    tickets = random.permutation(people * rows_per_person)[:rows]
    return tickets // rows_per_person + 1


def _values(column: Column, rows: int, random: np.random.Generator) -> list[Any]:
    match column.type:
        case Type.BOOLEAN:
            return [bool(value) for value in random.integers(0, 2, rows)]
        case Type.CATEGORY:
            known = UNKNOWN if column.values is None else column.values
            return (
                [known[place] for place in random.integers(0, len(known), rows)] if known else [None] * rows
            )
    lower = -UNBOUNDED if column.lower is None else math.ceil(column.lower / column.grid)
    upper = UNBOUNDED if column.upper is None else math.floor(column.upper / column.grid)
    units = [int(count) for count in random.integers(lower, max(lower, upper), rows, endpoint=True)]
    match column.type:
        case Type.DATE:
            return [_FIRST_DAY + datetime.timedelta(days=count) for count in units]
        case Type.INTEGER:
            return [int(count * column.grid) for count in units]
    return [float(count * column.grid) for count in units]


def _type(column: Column) -> pa.DataType:
    return {
        Type.BOOLEAN: pa.bool_(),
        Type.CATEGORY: pa.string(),
        Type.DATE: pa.date32(),
        Type.INTEGER: pa.int64(),
        Type.NUMBER: pa.float64(),
    }[column.type]
