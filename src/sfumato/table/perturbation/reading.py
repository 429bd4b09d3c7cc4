"""Read the columns of records in memory as numbers, categories, strata and persons; write them back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import as_day, as_number, as_text
from sfumato.core.errors import BadInput, nearest

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


def names_of(given: str | Iterable[str]) -> tuple[str, ...]:
    """Take one name or several.

    >>> names_of("age"), names_of(["age", "zip"])
    (('age',), ('age', 'zip'))
    """
    return (given,) if isinstance(given, str) else tuple(given)


def check_names(step: str, columns: tuple[str, ...]) -> None:
    """Refuse a step without columns, and columns that are named twice."""
    if not columns:
        raise BadInput("no column is named", where=step, remedy="name columns: 'columns: [income]'")
    if len(set(columns)) < len(columns):
        raise BadInput("a column is named twice", where=step, remedy="name each once")


def column_of(records: pa.Table, name: str) -> pa.Array:
    """Return a column in one piece, or say which column is meant."""
    if name not in records.column_names:
        raise BadInput(f"there is no column '{name}'", remedy=nearest(name, records.column_names))
    column = records.column(name).combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def with_column(records: pa.Table, name: str, column: pa.Array) -> pa.Table:
    """Put a column in the place of the one with its name."""
    return records.set_column(records.column_names.index(name), name, column)


@dataclass(frozen=True)
class Axis:
    """A column as numbers: NaN where it is missing; dates as days."""

    name: str
    values: F64 = field(repr=False)
    type: pa.DataType

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a value."""
        return ~np.isnan(self.values)

    @property
    def whole(self) -> bool:
        """Whether the column holds whole numbers, by its type or as texts."""
        if pa.types.is_integer(self.type):
            return True
        some = self.values[self.present]
        return not pa.types.is_floating(self.type) and bool((some == np.floor(some)).all())

    def write(self, values: F64, *, whole: bool = False) -> pa.Array:
        """Make a column of numbers (whole ones on request), or of dates where it had dates."""
        gone = np.isnan(values)
        if pa.types.is_date(self.type):
            days = np.where(gone, 0, np.rint(values)).astype(np.int64).astype(np.int32)
            return pa.array(days, pa.int32(), mask=gone).cast(pa.date32()).cast(self.type)
        if whole:
            return pa.array(np.where(gone, 0, values).astype(np.int64), pa.int64(), mask=gone)
        return pa.array(values, pa.float64(), mask=gone)


def axis_of(records: pa.Table, name: str) -> Axis:
    """Read a column as numbers; texts count when all are plain numbers."""
    column = column_of(records, name)
    kind = column.type
    if pa.types.is_date(kind):
        values = _floats(column.cast(pa.date32()).cast(pa.int32()))
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        values = _floats(column)
    elif _all_days(column):
        return axis_of(with_column(records, name, _days(column)), name)
    else:
        values = _parsed(column, name)
    if np.isinf(values).any():
        raise BadInput(
            f"{int(np.isinf(values).sum())} values are infinite", where=f"column '{name}'", remedy="mend them"
        )
    return Axis(name, values, kind)


def no_numbers(column: pa.Array) -> bool:
    """Say whether a column holds texts of which none is written as a number."""
    if (
        pa.types.is_date(column.type)
        or pa.types.is_primitive(column.type)
        or pa.types.is_decimal(column.type)
    ):
        return False
    distinct = pc.unique(column).to_pylist()
    return not any(_number(value) is not None for value in distinct) and not _all_days(column)


def _number(value: Any) -> float | None:
    """Read a number; texts with leading zeros are codes (ZIP codes, for instance), not amounts.

    >>> _number("2135"), _number("02135"), _number("0.5")
    (2135.0, None, 0.5)
    """
    if isinstance(value, str) and len(value) > 1 and value[0] == "0" and value[1].isdigit():
        return None
    return as_number(value)


def _all_days(column: pa.Array) -> bool:
    present = [value for value in pc.unique(column).to_pylist() if value is not None]
    return bool(present) and all(isinstance(value, str) and as_day(value) is not None for value in present)


def _days(column: pa.Array) -> pa.Array:
    """Turn texts of dates into dates."""
    return pc.cast(column, pa.date32())


def _floats(column: pa.Array) -> F64:
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), np.float64).copy()


def _parsed(column: pa.Array, name: str) -> F64:
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    read = [np.nan if value is None else _number(value) for value in encoded.dictionary.to_pylist()]
    strange = np.array([value is None for value in read], np.bool_)
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    if strange.any():
        rows = np.flatnonzero(strange[codes])
        raise BadInput(
            f"{len(rows)} of {len(codes)} values are not numbers (first in row {rows[0] + 1})",
            where=f"column '{name}'",
            remedy="mend them, or name only columns of amounts here: codes with leading zeros are not",
        )
    return np.array(read, np.float64)[codes] if len(codes) else np.zeros(0)


def refuse_missing(name: str, missing: NDArray[np.bool_]) -> None:
    """Say how many values are missing where none may be."""
    if missing.any():
        first = int(np.flatnonzero(missing)[0]) + 1
        raise BadInput(
            f"{int(missing.sum())} of {len(missing)} values are missing (first in row {first})",
            where=f"column '{name}'",
            remedy="drop these rows, fill the values in, or leave the column out of this step",
        )


@dataclass(frozen=True)
class Categories:
    """A column as codes of its distinct values, sorted as text; missing, where it occurs, comes last."""

    name: str
    values: tuple[Any, ...]
    codes: I64 = field(repr=False)
    type: pa.DataType

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The values as they are written."""
        return tuple(None if value is None else as_text(value) for value in self.values)

    def write(self, codes: I64) -> pa.Array:
        """Make a column of the values with these codes."""
        return pa.array(self.values, self.type).take(pa.array(codes))


def categories_of(records: pa.Table, name: str) -> Categories:
    """Read a column as categories."""
    column = column_of(records, name)
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    values = encoded.dictionary.to_pylist()
    order = sorted(range(len(values)), key=lambda i: (values[i] is None, as_text(values[i])))
    place = np.empty(len(values), np.int64)
    place[order] = np.arange(len(values))
    codes = place[encoded.indices.to_numpy(zero_copy_only=False)] if len(values) else np.zeros(0, np.int64)
    return Categories(name, tuple(values[i] for i in order), codes, column.type)


def strata_of(records: pa.Table, columns: tuple[str, ...]) -> list[I64]:
    """Return the rows of each combination of values of some columns; all rows when there are none."""
    number = np.zeros(records.num_rows, np.int64)
    for name in columns:
        read = categories_of(records, name)
        _, number = np.unique(number * max(len(read.values), 1) + read.codes, return_inverse=True)
    order = np.argsort(number, kind="stable")
    cuts = np.flatnonzero(np.diff(number[order])) + 1
    return np.split(order, cuts) if records.num_rows else []


def owners_of(records: pa.Table, person: str | None) -> I64:
    """Number the persons; every row is a person of its own where no column names them."""
    if person is None:
        return np.arange(records.num_rows, dtype=np.int64)
    encoded = pc.dictionary_encode(column_of(records, person), null_encoding="encode")
    found: I64 = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def count_changed(before: pa.Array, after: pa.Array) -> int:
    """Count the rows where two columns differ; numbers are compared as numbers."""
    if before.type != after.type:
        try:
            before = before.cast(after.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return int(len(after) - after.null_count)
    same = pc.fill_null(pc.equal(before, after), False)
    both_missing = pc.and_(before.is_null(), after.is_null())
    return int(len(after) - pc.sum(pc.or_(same, both_missing)).as_py()) if len(after) else 0
