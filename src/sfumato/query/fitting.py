"""How a raw value is made to fit its column, in SQL that cannot fail whatever the value is."""

from __future__ import annotations

import math

import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.engine.sql import literal, quote
from sfumato.query.metadata import Column, Type

LARGEST = 2**61
"""units of columns without declared bounds are held to this; such columns cannot be asked for sums"""
WHOLE = 2**53
"""up to here floats hold every whole number"""


def units_of(column: Column) -> tuple[int, int]:
    """Return the smallest and largest whole number of grid units between the column's bounds."""
    lower = -LARGEST if column.lower is None else math.ceil(column.lower / column.grid)
    upper = LARGEST if column.upper is None else math.floor(column.upper / column.grid)
    if not -LARGEST <= lower <= upper <= LARGEST:
        raise BadInput(
            "between the bounds there is no multiple of the grid, or the bounds are too far out",
            where=f"column '{column.name}'",
            remedy="mend 'lower', 'upper' or 'grid'",
        )
    return lower, upper


def type_of(column: Column) -> str:
    """Return the SQL type of a prepared column. Public lists are enumerations: they group faster."""
    match column.type:
        case Type.BOOLEAN:
            return "BOOLEAN"
        case Type.CATEGORY if column.values:
            return f"ENUM({', '.join(literal(value) for value in column.values)})"
        case Type.CATEGORY:
            return "VARCHAR"
        case _:
            return "BIGINT"


def converted(column: Column) -> str:
    """Return the SQL that makes a raw value fit its declaration, without any way to fail."""
    raw = quote(column.name)
    match column.type:
        case Type.BOOLEAN:
            return f"TRY_CAST({raw} AS BOOLEAN)"
        case Type.CATEGORY if column.values is None:
            return f"CAST({raw} AS VARCHAR)"
        case Type.CATEGORY:
            return (
                f"TRY_CAST(CAST({raw} AS VARCHAR) AS {type_of(column)})" if column.values else "NULL::VARCHAR"
            )
        case Type.DATE:
            day = f"TRY_CAST({raw} AS DATE)"
            units = f"CASE WHEN isfinite({day}) THEN date_diff('day', DATE '1970-01-01', {day}) END"
        case Type.INTEGER if column.grid == 1:
            units = f"TRY_CAST({raw} AS HUGEINT)"
        case _:
            number = f"TRY_CAST({raw} AS DOUBLE)"
            # Divided first and then tested: a quotient may be infinite where the number is not.
            quotient = f"{number} * {column.grid.denominator}.0 / {column.grid.numerator}.0"
            units = f"CASE WHEN isfinite({number}) THEN round({quotient}) END"
    lower, upper = units_of(column)
    # LEAST and GREATEST would turn missing into a bound; comparisons leave it missing.
    clamped = f"CASE WHEN __u <= {lower} THEN {lower} WHEN __u >= {upper} THEN {upper} ELSE __u END"
    return f"(SELECT CAST({clamped} AS BIGINT) FROM (SELECT {units} AS __u))"


def text_of(raw: str, kind: pa.DataType) -> str:
    """Return the SQL of a name or category as text, which hangs on the value and not on the column's type.

    A column of whole numbers becomes one of floats as soon as one of them is missing (in pandas, say), and
    ``1`` would become ``1.0`` for everybody: one person would change the names of all others.
    """
    text = f"CAST({raw} AS VARCHAR)"
    number = f"CAST(CAST({raw} AS HUGEINT) AS VARCHAR)"
    if pa.types.is_floating(kind):
        whole = f"{raw} = trunc({raw}) AND abs({raw}) <= {WHOLE}"
        return f"CASE WHEN NOT isfinite({raw}) THEN NULL WHEN {whole} THEN {number} ELSE {text} END"
    if pa.types.is_decimal(kind):
        return f"CASE WHEN {raw} = trunc({raw}) THEN {number} ELSE rtrim({text}, '0') END"
    return text
