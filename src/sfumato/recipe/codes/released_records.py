"""Read a released file in which quasi-identifiers stand beside the items of each record."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sfumato.codes.reading import read_published
from sfumato.codes.writing import CODES
from sfumato.core.errors import BadInput
from sfumato.engine import open_engine
from sfumato.engine.sources import CsvFile, ParquetFile, Source
from sfumato.recipe.codes.released_schema import ReleasedCodes
from sfumato.record.relational_codes.published import PublishedRecords


def read_records(path: Path, schema: ReleasedCodes) -> PublishedRecords:
    """Read a released file: its quasi-identifiers as they stand there, and its items as its schema says."""
    engine = open_engine("duckdb")
    try:
        source: Source = (
            ParquetFile(path) if path.suffix == ".parquet" else CsvFile(path, ",", quoted_missing=False)
        )
        table = engine.read(source)
        if sorted(table.names) != sorted([*schema.quasi, CODES]):
            raise BadInput(
                "the file has other columns than the schema names",
                where=str(path),
                remedy="get the release again",
            )
        quasi: pa.Table = engine.arrow(table).select(schema.quasi)
    finally:
        engine.close()
    return PublishedRecords(quasi, read_published(path, schema.layout, schema.declared()))
