"""A released table about nodes, opened with the roles that its schema names: what checkers read."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import CsvFile, ParquetFile, Source
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.table.published import PublishedTable


def source_of_people(path: Path) -> Source:
    """Return how the file is read."""
    return ParquetFile(path) if path.suffix == ".parquet" else CsvFile(path, ",", quoted_missing=False)


def open_people(path: Path, schema: ReleasedSchema, blanked: int, engine: Engine) -> PublishedTable:
    """Open the table; raises ``BadInput`` where it has other columns than its schema."""
    table = engine.read(source_of_people(path))
    if table.names != tuple(one.name for one in schema.fields):
        raise BadInput("the table about nodes has other columns than its schema", remedy="get it again")
    return PublishedTable(
        table,
        schema.quasi,
        schema.sensitive,
        known=schema.known,
        hierarchies=schema.sensitive_hierarchies,
        blanked=blanked,
    )
