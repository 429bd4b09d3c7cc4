"""More rows than memory holds: dealt out to files on disk, then looked at file by file.

To sort, or to shuffle, rows in little memory: give each a bucket, write the buckets to files, and order each
bucket in memory. With buckets drawn evenly and a drawn order inside each, every order of all rows is equally
likely; with buckets by a hash of the person, a person's rows lie in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

BUCKET = 8 << 20
"""characters of a bucket, about"""
MOST = 256
"""buckets, and files that are open at a time"""


def buckets_for(characters: int) -> int:
    """Say how many buckets so many characters need.

    >>> buckets_for(1000), buckets_for(10**9)
    (1, 120)
    """
    return max(1, min(MOST, -(-characters // BUCKET)))


def dealt(
    pieces: Iterable[pa.RecordBatch | pa.Table],
    bucket_of: Callable[[pa.RecordBatch | pa.Table], NDArray[np.int64]],
    number: int,
    folder: Path,
) -> Iterator[pa.Table]:
    """Deal rows out to buckets and return these one after the other; their files go as they are read."""
    paths = [folder / f"bucket-{place:04d}.raw.arrow" for place in range(number)]
    writers: dict[int, pa.RecordBatchFileWriter] = {}
    try:
        for piece in pieces:
            buckets = bucket_of(piece)
            for place in np.unique(buckets).tolist():
                if place not in writers:
                    writers[place] = pa.ipc.new_file(paths[place], piece.schema)
                writers[place].write(piece.filter(pa.array(buckets == place)))
    finally:
        for writer in writers.values():
            writer.close()
    try:
        for place in sorted(writers):
            with pa.OSFile(str(paths[place])) as file:
                yield pa.ipc.open_file(file).read_all()
            paths[place].unlink()
    finally:
        for path in paths:
            path.unlink(missing_ok=True)
