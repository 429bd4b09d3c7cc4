"""More rows than memory holds: dealt out to files on disk, then looked at file by file.

To sort, or to shuffle, N rows in little memory: give each a bucket, write the buckets to files, and order each
bucket in memory. With buckets drawn evenly and a drawn order inside each, every order of all rows is equally
likely; with buckets by a hash of the person, a person's rows lie in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

BUCKET = 24 << 20
"""characters of a bucket, about"""
MOST = 256
"""buckets, and files that are open at a time"""


def buckets_for(characters: int) -> int:
    """Say how many buckets so many characters need.

    >>> buckets_for(1000), buckets_for(10**9)
    (1, 40)
    """
    return max(1, min(MOST, -(-characters // BUCKET)))


def dealt(
    pieces: Iterable[pa.RecordBatch | pa.Table],
    bucket_of: Callable[[pa.RecordBatch | pa.Table], NDArray[np.int64]],
    number: int,
    folder: Path,
) -> Iterator[pa.Table]:
    """Deal rows out to buckets and return these one after the other; their files go as they are read."""
    paths = [folder / f"bucket-{place:04d}.raw.parquet" for place in range(number)]
    writers: dict[int, pq.ParquetWriter] = {}
    try:
        for piece in pieces:
            buckets = bucket_of(piece)
            for place in np.unique(buckets).tolist():
                part = piece.filter(pa.array(buckets == place))
                if place not in writers:
                    writers[place] = pq.ParquetWriter(paths[place], piece.schema)
                writer = writers[place]
                writer.write_table(
                    pa.Table.from_batches([part]) if isinstance(part, pa.RecordBatch) else part
                )
    finally:
        for writer in writers.values():
            writer.close()
    try:
        for place in sorted(writers):
            yield pq.read_table(paths[place], memory_map=True)
            paths[place].unlink()
    finally:
        for path in paths:
            path.unlink(missing_ok=True)
