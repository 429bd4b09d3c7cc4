"""From whatever holds the data to the columns that are needed, in their order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.errors import BadInput, nearest
from sfumato.engine import open_engine
from sfumato.engine.contract import Layout, Table
from sfumato.engine.recoding import PerAttribute
from sfumato.engine.sources import FILES, Frame, Source, SqlTable, source_of


@contextlib.contextmanager
def opened(data: Any) -> Iterator[tuple[Table, str]]:
    """Open a table of an engine, a source, a path or a frame; yield it and how messages call it."""
    if isinstance(data, Table):
        yield data, "the table"
        return
    source = sourced(data)
    engine = open_engine()
    try:
        yield engine.read(source), str(source.path) if isinstance(source, FILES) else "the data"
    finally:
        engine.close()


def sourced(data: Any) -> Source:
    """Take a source as it is; else a path, else a frame."""
    if isinstance(data, (*FILES, Frame, SqlTable)):
        return data
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def only(table: Table, columns: Sequence[str], where: str) -> Table:
    """Leave out all other columns before any row travels."""
    for column in columns:
        if column not in table.names:
            raise BadInput(f"there is no column '{column}'", where=where, remedy=nearest(column, table.names))
    picked = tuple(dict.fromkeys(columns))
    return table.engine.recode(table, PerAttribute((), {}), Layout(picked, ()))


def is_list(kind: pa.DataType) -> bool:
    """Say whether a column holds lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list_view(kind))
