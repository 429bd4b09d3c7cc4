"""Lay notes out for handling: one Parquet file, sorted by person, each row group a batch of whole persons.

Rows are dealt out to buckets on disk by person, and each bucket is sorted in memory. A batch never parts a
person, so that one person keeps one surrogate and one shift of dates; batches are of about the same length,
and a person with more than that is one batch.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import CsvFile, JsonLines, Source
from sfumato.text.stream.layout import OURS, PERSON, ROW, Layout
from sfumato.text.stream.partition import buckets_for, dealt
from sfumato.text.stream.reading import Mended, NotesFolder, rows_of

BATCH = 200_000
"""characters of a batch, about: a few seconds of work, which is what a crash costs at most"""
_PIECE = 1 << 20
_MOST_ROWS = 2048


@dataclass(frozen=True)
class Staged:
    """What was read."""

    rows: int
    characters: int
    mended: Mended


def stage(
    source: Source | NotesFolder,
    layout: Layout,
    path: Path,
    engine: DuckEngine,
    check: Callable[[tuple[str, ...]], None],
) -> Staged:
    """Copy a source into a Parquet file with numbered rows; ``check`` looks at the names first."""
    if isinstance(source, CsvFile | JsonLines | NotesFolder):
        with rows_of(source) as rows:
            _refuse_ours(rows.names)
            check(rows.names)
            return _written(rows.pieces(), layout, path, rows.mended)
    table = engine.read(source)
    _refuse_ours(table.names)
    check(table.names)
    return _written(engine.pieces(table, 256), layout, path, Mended())


def _refuse_ours(names: Iterable[str]) -> None:
    for name in names:
        if name.startswith(OURS):
            raise BadInput(
                f"names that begin with '{OURS}' are taken", where=f"column '{name}'", remedy="rename it"
            )


def _written(pieces: Iterable[pa.RecordBatch], layout: Layout, path: Path, mended: Mended) -> Staged:
    rows = characters = 0
    writer: pq.ParquetWriter | None = None
    try:
        for piece in pieces:
            whole = _with_raw(piece, layout, rows)
            if writer is None:
                writer = pq.ParquetWriter(path, whole.schema)
            writer.write_table(whole)
            rows += whole.num_rows
            characters += pc.sum(pc.utf8_length(whole[layout.text])).as_py() or 0
    finally:
        if writer is not None:
            writer.close()
    if not rows:
        raise BadInput("there are no notes", remedy="give a file with rows")
    return Staged(rows, characters, mended)


def _with_raw(piece: pa.RecordBatch, layout: Layout, first: int) -> pa.Table:
    """Number the rows, and keep what is needed as it came under names of its own."""
    table = pa.Table.from_batches([piece])
    place = table.schema.get_field_index(layout.text)
    table = table.set_column(place, layout.text, _as_text(table[layout.text], layout.text))
    for name, column in layout.raw.items():
        table = table.append_column(name, _as_text(table[column], column))
    numbers = pa.array(range(first, first + table.num_rows), pa.int64())
    return table.append_column(ROW, numbers)


def _as_text(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    try:
        return column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadInput(
            "it holds neither texts nor plain values", where=f"column '{name}'", remedy="write it as text"
        ) from None


def sort_into_batches(
    table: Table, layout: Layout, path: Path, engine: DuckEngine, size: int, staged: Staged
) -> list[int]:
    """Write the rows by person, a row group for every batch; return the characters of each."""
    columns = tuple(dict.fromkeys((*layout.released, layout.text, *layout.raw, ROW)))
    rows = max(1, min(_MOST_ROWS, _PIECE * staged.rows // max(1, staged.characters)))
    pieces = engine.pieces(engine.arranged(table, columns), rows)
    number = buckets_for(staged.characters)
    lengths: list[int] = []
    writer: pq.ParquetWriter | None = None
    try:
        for bucket in dealt(pieces, _bucket_by_person(layout, number), number, path.parent):
            for batch, length in _batches(_by_person(bucket, layout), layout, size):
                if writer is None:
                    writer = pq.ParquetWriter(path, batch.schema)
                writer.write_table(batch, row_group_size=batch.num_rows)
                lengths.append(length)
    finally:
        if writer is not None:
            writer.close()
    if not lengths:
        raise BadInput("nobody's notes are left to release", remedy="check the column of consent")
    # Workers begin now: what sorting took is theirs.
    pa.default_memory_pool().release_unused()
    return lengths


def _bucket_by_person(
    layout: Layout, number: int
) -> Callable[[pa.RecordBatch | pa.Table], NDArray[np.int64]]:
    """Give all rows of a person the same bucket; a row that names nobody goes by its number."""

    def bucket(piece: pa.RecordBatch | pa.Table) -> NDArray[np.int64]:
        rows = np.asarray(piece.column(ROW).to_numpy(zero_copy_only=False), np.int64)
        if layout.person is None:
            return rows % number
        persons = piece.column(PERSON).to_pylist()
        return np.array(
            [
                row % number if person is None else zlib.crc32(person.encode()) % number
                for person, row in zip(persons, rows.tolist(), strict=True)
            ],
            np.int64,
        )

    return bucket


def _by_person(bucket: pa.Table, layout: Layout) -> pa.Table:
    keys = [*([(PERSON, "ascending")] if layout.person is not None else []), (ROW, "ascending")]
    return bucket.take(pc.sort_indices(bucket, sort_keys=keys))


def _batches(bucket: pa.Table, layout: Layout, size: int) -> Iterator[tuple[pa.Table, int]]:
    """Cut where a new person begins and enough has come together."""
    texts = pc.fill_null(pc.utf8_length(bucket[layout.text]), 0).to_pylist()
    persons = bucket[PERSON].to_pylist() if layout.person is not None else [None] * bucket.num_rows
    length = begin = 0
    for place, long in enumerate(texts):
        person = persons[place]
        if length >= size and (person is None or person != persons[place - 1]):
            yield bucket.slice(begin, place - begin), length
            length, begin = 0, place
        length += long
    if begin < bucket.num_rows:
        yield bucket.slice(begin), length
