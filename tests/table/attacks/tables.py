"""Tables in memory for attacks that read them row by row."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import Frame


@functools.cache
def engine() -> Engine:
    """One engine for all: property tests open many tables."""
    return open_engine("duckdb", threads=1)


def in_memory(columns: Mapping[str, Any] | pa.Table) -> Table:
    """Read columns into the engine."""
    records = columns if isinstance(columns, pa.Table) else pa.table(dict(columns))
    return engine().read(Frame(records))
