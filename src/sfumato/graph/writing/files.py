"""Columns of whole numbers and text as CSV, TSV, text or Parquet, in the order that they have."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv as arrow_csv

from sfumato.core.errors import BadInput
from sfumato.core.system import system_errors
from sfumato.core.whole_file import write_whole
from sfumato.graph.reading.columns import kind_of

DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".edges": " "}
"""what parts the columns; the last two kinds have no header"""
HEADLESS = (".txt", ".edges")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, packed when its name ends with .gz. A packed file says neither when it was made nor its
    first name."""
    with system_errors(str(path)):
        write_whole(path, gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
        os.chmod(path, 0o644)


def write_table(table: pa.Table, path: Path) -> None:
    """Write a table by the suffix of the file."""
    kind = kind_of(path)
    if kind == ".parquet":
        pq.write_table(table.replace_schema_metadata(None), path, compression="zstd")
        os.chmod(path, 0o644)
        return
    if kind not in DELIMITERS:
        raise BadInput(
            "a table cannot be written in this kind of file",
            where=str(path),
            remedy=f"use {', '.join(DELIMITERS)}, also with .gz, or .parquet",
        )
    mark = DELIMITERS[kind]
    written = io.BytesIO()
    if kind not in HEADLESS:
        written.write((mark.join(table.column_names) + "\n").encode("utf-8"))
    options = arrow_csv.WriteOptions(include_header=False, delimiter=mark)
    if table.num_rows:
        arrow_csv.write_csv(table, written, options)
    write_bytes(path, written.getvalue())
