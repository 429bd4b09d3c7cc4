"""Releases and identified files for attacks, made from rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import Frame
from sfumato.table.attacks.contract import People
from sfumato.table.published import PublishedTable


def table(engine: Engine, data: pd.DataFrame | pa.Table) -> Table:
    """Put a frame into an engine."""
    return engine.read(Frame(data))


def rows_table(engine: Engine, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Put rows into an engine, each column with the type of its values."""
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in names]
    return engine.read(Frame(pa.table({name: pa.array(c) for name, c in zip(names, columns, strict=True)})))


def release(
    engine: Engine, names: Sequence[str], rows: Sequence[Sequence[Any]], **more: Any
) -> PublishedTable:
    """Publish rows; all columns are quasi-identifiers unless said otherwise."""
    quasi = more.pop("quasi", names)
    return PublishedTable(rows_table(engine, names, rows), tuple(quasi), **more)


def people(
    engine: Engine,
    names: Sequence[str],
    rows: Sequence[Sequence[Any]],
    columns: dict[str, str] | None = None,
    person: str | None = None,
) -> People:
    """Identify people by rows; columns have the names that the release gives them unless said otherwise."""
    shared = {name: name for name in names if name != person} if columns is None else columns
    return People(rows_table(engine, names, rows), shared, person)
