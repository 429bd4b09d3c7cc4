"""Hierarchy files: bytes to columns of labels, with errors that name the line."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import could_not

DELIMITERS = (";", "\t", ",")
"""tried in this order: commas are frequent inside labels, semicolons are not"""
_SAMPLE = 100

Column = tuple[NDArray[np.int64], list[str]]
"""for each line the number of its label, and the distinct labels"""


def read_columns(path: Path, delimiter: str | None) -> tuple[list[Column], str]:
    """Read a file of equally long paths, one on each line; return its columns and its delimiter.

    Blank lines are passed over. Labels are taken as they stand, spaces included.
    """
    text = _read_text(path)
    if not text.strip("\r\n"):
        raise BadInput(
            "the hierarchy is empty",
            where=str(path),
            remedy="write one line for each value, such as 47677;476**;*",
        )
    delimiter = delimiter or detect_delimiter(text)
    encoded = text.encode()
    width = len(next(row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row))
    label = pa.dictionary(pa.int32(), pa.string())
    try:
        table = pa.csv.read_csv(
            pa.py_buffer(encoded),
            pa.csv.ReadOptions(
                autogenerate_column_names=True, use_threads=False, block_size=len(encoded) + 1
            ),
            pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values='"' in text),
            pa.csv.ConvertOptions(
                column_types={f"f{number}": label for number in range(width)},
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        _explain(path, text, delimiter)
        raise BadInput(
            "the hierarchy is not a well-formed CSV file", where=str(path), remedy="check its quotes"
        ) from error
    return [_encode(column) for column in table.columns], delimiter


def line_numbers(path: Path, delimiter: str) -> list[int]:
    """Return for each path of a file the number of its (last) line. Only errors ask for it."""
    reader = csv.reader(io.StringIO(_read_text(path), newline=""), delimiter=delimiter)
    return [reader.line_num for row in reader if row]


def detect_delimiter(text: str) -> str:
    """Return the delimiter that cuts all of the first lines into equally many parts.

    >>> detect_delimiter("a;[0, 5);*")
    ';'
    """
    lines = text.split("\n", _SAMPLE)[:_SAMPLE]
    widths: dict[str, list[int]] = {}
    for candidate in DELIMITERS:
        widths[candidate] = [len(row) for row in csv.reader(lines, delimiter=candidate) if row]
        if min(widths[candidate]) == max(widths[candidate]) > 1:
            return candidate
    return max(DELIMITERS, key=lambda candidate: widths[candidate][0])


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        near = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        raise BadInput(
            "the hierarchy file does not exist", where=str(path), remedy=nearest(path.name, near)
        ) from None
    except OSError as error:
        raise could_not(
            error, "the hierarchy file cannot be read", where=str(path), remedy="check it"
        ) from None
    try:
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError, zlib.error):
        raise BadInput("the gzip file is damaged", where=str(path), remedy="pack it again") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadInput(
            "the hierarchy is not UTF-8 text", where=f"{path}, line {line}", remedy="save it as UTF-8"
        ) from None


def _encode(column: pa.ChunkedArray) -> Column:
    encoded = column.combine_chunks()
    # The buffer itself: pyarrow's own conversion to numpy would import pandas where it is installed.
    numbers = np.frombuffer(encoded.indices.buffers()[1], np.int32)[: len(encoded)]
    return numbers.astype(np.int64), encoded.dictionary.to_pylist()


def _explain(path: Path, text: str, delimiter: str) -> None:
    """Raise the error of the first line that is not like the others."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    expected = 0
    try:
        for row in reader:
            expected = expected or len(row)
            if row and len(row) != expected:
                raise ragged(f"{path}, line {reader.line_num}", len(row), expected)
    except csv.Error:
        raise BadInput(
            "the quotes of a label are not closed",
            where=f"{path}, line {reader.line_num}",
            remedy="close them, and write a quote inside a label twice",
        ) from None


def ragged(where: str, found: int, expected: int) -> BadInput:
    """Return the error of a path that is longer or shorter than the first one."""
    return BadInput(
        f"the path has {found} label{'s' * (found != 1)} where the first one has {expected}",
        where=where,
        remedy="make every path equally long by repeating a label where levels are missing",
    )


def encode_rows(rows: Sequence[Sequence[str]]) -> list[Column]:
    """Number the labels of paths in memory, level by level."""
    columns: list[Column] = []
    for labels in zip(*rows, strict=True):
        number_of = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        columns.append((np.array([number_of[label] for label in labels], np.int64), list(number_of)))
    return columns
