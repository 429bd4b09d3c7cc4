"""Write finished batches to one file: in a fresh order, or in that of the source, in little memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sfumato.core.randomness import Random, SecretRandom
from sfumato.text.stream.layout import ROW
from sfumato.text.stream.partition import buckets_for, dealt


def ordered_rows(
    parts: Sequence[Path], characters: int, folder: Path, *, shuffled: bool, random: Random | None = None
) -> Iterator[pa.Table]:
    """Return the rows of finished batches, bucket by bucket, without the numbers that they came with."""
    number = buckets_for(characters)
    dice = random or SecretRandom()
    rows = sum(pq.read_metadata(part).num_rows for part in parts)

    def by_chance(piece: pa.RecordBatch | pa.Table) -> NDArray[np.int64]:
        return dice.integers(number, piece.num_rows)

    def by_row(piece: pa.RecordBatch | pa.Table) -> NDArray[np.int64]:
        numbers = np.asarray(piece.column(ROW).to_numpy(), np.int64)
        # Rows that were left out leave gaps; a bucket more or less full does no harm.
        found: NDArray[np.int64] = np.minimum(numbers * number // max(1, rows), number - 1)
        return found

    pieces = (pq.read_table(part).replace_schema_metadata(None) for part in parts)
    for bucket in dealt(pieces, by_chance if shuffled else by_row, number, folder):
        if shuffled:
            order = pa.array(dice.permutation(bucket.num_rows))
        else:
            order = pa.array(np.argsort(bucket[ROW].to_numpy(), kind="stable"))
        yield bucket.take(order).drop_columns([ROW])


def write_rows(tables: Iterable[pa.Table], path: Path) -> int:
    """Write tables to one CSV, packed CSV, Parquet or JSON lines file, by its name; return the rows."""
    rows = _parquet(tables, path) if path.suffix == ".parquet" else _lines(tables, path)
    os.chmod(path, 0o644)
    return rows


def _parquet(tables: Iterable[pa.Table], path: Path) -> int:
    rows = 0
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        for table in tables:
            if writer is None:
                plain = pa.schema([pa.field(f.name, f.type) for f in table.schema])
                writer = stack.enter_context(
                    pq.ParquetWriter(path, plain, compression="zstd", store_schema=False)
                )
            writer.write_table(table)
            rows += table.num_rows
    return rows


@dataclass(frozen=True)
class _LineEnds:
    """Takes rows that end in CR LF, and writes them ending in LF."""

    file: IO[str]

    def write(self, row: str) -> int:
        """Write one row."""
        return self.file.write(row.removesuffix("\r\n") + "\n")


def _lines(tables: Iterable[pa.Table], path: Path) -> int:
    rows = 0
    with ExitStack() as stack:
        raw = stack.enter_context(path.open("wb"))
        packed = path.suffix == ".gz"
        # A packed file carries neither a name nor a time of its own.
        out = stack.enter_context(gzip.GzipFile("", "wb", fileobj=raw, mtime=0)) if packed else raw
        file = stack.enter_context(io.TextIOWrapper(cast("IO[bytes]", out), "utf-8", newline=""))
        # The writer quotes the letters of its line end: a lone "\r" in a note must be quoted, too.
        writer = csv.writer(_LineEnds(file), lineterminator="\r\n")
        for table in tables:
            if path.suffix == ".jsonl":
                for row in table.to_pylist():
                    file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
            else:
                if not rows:
                    writer.writerow(table.column_names)
                texts = [column.cast(pa.string()).to_pylist() for column in table.columns]
                writer.writerows(zip(*texts, strict=True))
            rows += table.num_rows
    return rows
