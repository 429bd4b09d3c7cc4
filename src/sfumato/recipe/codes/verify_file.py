"""Verify that a released file holds its records and nothing else: no column, key or remark beside them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading.numbering import as_texts
from sfumato.codes.reading.opening import opened
from sfumato.codes.writing import CODES, RECORD, PublishedLayout, as_lines, published_table
from sfumato.core.errors import BadInput
from sfumato.core.files import read_bytes
from sfumato.core.findings import Finding, Status, written_again
from sfumato.core.system import raise_system_fault
from sfumato.engine.contract import Order
from sfumato.recipe.codes.released_schema import ReleasedCodes
from sfumato.record.relational_codes.published import PublishedRecords

_LINES = (".jsonl", ".dat")


def nothing_else(
    path: Path, schema: ReleasedCodes, published: PublishedSets | Disassociated | PublishedRecords
) -> Finding:
    """Write what was read once more, in its order, and compare.

    A checker that passes over a column of names, or over the second of two keys that are called alike,
    would confirm what other programs read otherwise.
    """
    claim = "the file holds its records and nothing else"
    try:
        same = _same(path, schema, published)
    except (BadInput, OSError, pa.ArrowException) as problem:
        raise_system_fault(problem)
        return Finding(claim, Status.REFUTED, "it could not be read again")
    return written_again(claim, same)


def _same(
    path: Path, schema: ReleasedCodes, published: PublishedSets | Disassociated | PublishedRecords
) -> bool:
    if isinstance(published, Disassociated):
        return read_bytes(path) == "".join(f"{line}\n" for line in published.to_lines()).encode()
    layout = PublishedLayout(schema.layout)
    sets = published.sets if isinstance(published, PublishedRecords) else published
    expected = published_table(sets, layout, order=Order.KEPT)
    if path.suffix in _LINES:
        return read_bytes(path) == as_lines(expected, layout)
    names: tuple[str, ...] = (RECORD, CODES) if layout is PublishedLayout.LONG else (CODES,)
    if isinstance(published, PublishedRecords):
        names = (*schema.quasi, CODES)
        # What the house writes is text: another type could hold what is not compared.
        if not all(column.type in (pa.string(), pa.null()) for column in published.quasi.schema):
            return False
        expected = published.quasi.append_column(CODES, expected.column(CODES))
    with opened(path) as (table, _):
        if table.names != names:
            return False
        found = table.engine.arrow(table)
    if path.suffix == ".parquet" and _remarks(path):
        return False
    return all(_texts(found.column(name)) == _texts(expected.column(name)) for name in names)


def _remarks(path: Path) -> bool:
    """Say whether a Parquet file carries words of its own beside the columns."""
    import pyarrow.parquet as pq

    schema = pq.read_schema(path)
    # The number of a column is all that Parquet itself says of it.
    told = (set(column.metadata or {}) - {b"PARQUET:field_id"} for column in schema)
    return bool(schema.metadata) or any(told)


def _texts(column: pa.ChunkedArray) -> list[object]:
    """Return what a column shows; an empty cell of a CSV file may be read as missing."""
    if pa.types.is_list(column.type):
        return list(column.to_pylist())
    return [text or "" for text in as_texts(column).to_pylist()]
