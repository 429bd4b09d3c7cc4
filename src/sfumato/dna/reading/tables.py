"""Columns of a table as texts, in the order of its rows, through the engine."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.dna.reading.rows import counted_as
from sfumato.engine import open_engine
from sfumato.engine.contract import Layout
from sfumato.engine.recoding import PerAttribute
from sfumato.engine.sources import FILES, CsvFile, Frame, Source, SqlTable, source_of


def place_of(data: Any) -> str:
    """Return how messages call a table."""
    if isinstance(data, str | Path):
        return str(data)
    return str(data.path) if isinstance(data, FILES) else "the table"


def names_of(data: Any) -> tuple[str, ...]:
    """Return the names of the columns."""
    source = _source(data)
    if isinstance(source, CsvFile):
        return tuple(source.header()[1])
    with contextlib.closing(open_engine()) as engine:
        return engine.read(source).names


def columns_of(data: Any, columns: Sequence[str] | None = None) -> pa.Table:
    """Return columns of a path, a source or a frame as texts (None where missing); all unless named."""
    if isinstance(data, pa.Table) and columns is not None and _are_texts(data, columns):
        return data.select(list(dict.fromkeys(columns)))
    with contextlib.closing(open_engine()) as engine:
        table = engine.read(_source(data))
        names = table.names
        wanted = tuple(dict.fromkeys(names if columns is None else columns))
        there = set(names)
        for column in wanted:
            if column not in there:
                raise BadInput(
                    f"there is no column '{column}'",
                    where=place_of(data),
                    remedy=nearest(column, names),
                )
        if 2 * len(wanted) > len(names):
            # A query that names thousands of columns costs more than the few others of the table.
            found = engine.arrow(table)
        else:
            found = engine.arrow(engine.recode(table, PerAttribute((), {}), Layout(wanted, ())))
    if not found.num_rows:
        raise BadInput("the table has no rows", where=place_of(data), remedy="give one with rows")
    return pa.table({name: _texts(found.column(name)) for name in wanted})


def check_filled(column: pa.ChunkedArray, name: str, where: str) -> None:
    """Refuse a column with missing values, and say in which row the first is."""
    if column.null_count:
        first = int(np.flatnonzero(column.is_null().to_numpy())[0]) + 1
        raise BadInput(
            f"{counted_as(column.null_count, 'value')} missing, the first in row {first:,}",
            where=f"{where}, column '{name}'",
            remedy="fill them in or leave those rows out",
        )


def numbered(column: pa.ChunkedArray, name: str, where: str) -> NDArray[np.int64]:
    """Return the same number for the same text: persons are numbers from here on."""
    check_filled(column, name, where)
    coded = column.combine_chunks().dictionary_encode()
    return np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int64)


def _are_texts(table: pa.Table, columns: Sequence[str]) -> bool:
    """Say whether columns lie in memory as they are wanted: then no engine is asked."""
    there = set(table.column_names)
    return (
        bool(table.num_rows)
        and len(there) == table.num_columns
        and there.issuperset(columns)
        and all(table.schema.field(name).type == pa.string() for name in columns)
    )


def _source(data: Any) -> Source:
    if isinstance(data, (*FILES, Frame, SqlTable)):
        return data
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(pa.string())
