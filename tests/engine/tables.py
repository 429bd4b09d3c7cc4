"""How the tests of engines put tables in and take them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.engine.contract import Engine, Order, Table
from sfumato.engine.sources import CsvFile, Frame

Rows = list[dict[str, Any]]


def load(engine: Engine, data: dict[str, Any], *, row_ids: bool = False) -> Table:
    return engine.read(Frame(pa.table(data)), row_ids=row_ids)


def csv(engine: Engine, folder: Path, text: str, **options: Any) -> Table:
    path = folder / "in.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return engine.read(CsvFile(path, **options))


def content(engine: Engine, table: Table, order: Order = Order.KEPT) -> list[tuple[Any, ...]]:
    found = engine.arrow(table, order=order)
    assert tuple(found.column_names) == table.names
    return [tuple(row.values()) for row in found.to_pylist()]


def counted(
    engine: Engine, table: Table, quasi: list[str], person: str | None = None
) -> dict[tuple[Any, ...], tuple[int, int]]:
    found = {}
    for batch in engine.count(table, quasi, person=person):
        assert batch.num_columns == len(quasi) + 2
        for *combination, rows, persons in zip(
            *(column.to_pylist() for column in batch.columns), strict=True
        ):
            assert tuple(combination) not in found
            found[tuple(combination)] = (rows, persons)
    return found


def mapping(pairs: dict[Any, str | None], kind: pa.DataType | None = None) -> pa.Table:
    return pa.table({"value": pa.array(list(pairs), kind), "label": pa.array(pairs.values(), pa.string())})
