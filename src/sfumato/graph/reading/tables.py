"""Tables with a header beside a network, through the engine: of nodes, of groups, of figures."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.engine import open_engine
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import check_names, source_of


def place_of(data: Any) -> str:
    """Return how messages call a table."""
    return str(data) if isinstance(data, str | Path) else "the table"


def table_of(data: Any) -> pa.Table:
    """Return a CSV or Parquet file, whose first line names its columns, or a frame."""
    if not isinstance(data, str | Path):
        table = to_arrow(data)
        check_names(table.column_names, place_of(data))
        return table
    with contextlib.closing(open_engine()) as engine:
        return engine.arrow(engine.read(source_of(data)))
