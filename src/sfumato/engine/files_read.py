"""The bytes of what was read: of the file where it is one, else of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sfumato.core.fingerprint import chunks_of
from sfumato.engine.contract import Table
from sfumato.engine.sources import FILES, Source


def file_of_source(source: Source) -> tuple[Path, ...]:
    """Return the file of a source, if it is one."""
    return (source.path,) if isinstance(source, FILES) else ()


def input_bytes(source: Source, table: Table) -> Iterator[bytes]:
    """Return what the fingerprint of an input is made of."""
    if isinstance(source, FILES):
        return chunks_of(source.path)
    return (batch.serialize().to_pybytes() for batch in table.engine.scan(table))
