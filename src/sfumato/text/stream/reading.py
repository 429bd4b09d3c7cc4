"""Read notes row by row, whatever they are: CSV, JSON lines, a folder of text files, Parquet, a frame.

Notes are long (50 MB in one is not refused), hold line ends, NULs and letters of several encodings. So files
of text are read here line by line; the engine reads everything else. Only as many rows are in memory as fill
a piece.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.errors import BadInput, SystemFault
from sfumato.core.files import Unreadable, damaged, nul_at, open_unpacked, read_bytes
from sfumato.engine.sources import DELIMITERS, CsvFile, JsonLines, check_names, is_gz, open_text
from sfumato.text.stream.decoding import decoded, decoded_file, writable

FOLDER_COLUMNS = ("folder", "file", "note")
"""what a folder of text files is read as: where a file lies, what it is called, and what it says"""
PIECE = 1 << 20
"""characters that are read at a time"""
_LONGEST = 1 << 31
_UTF8 = ("utf-8", "utf8", "utf-8-sig")


@dataclass(frozen=True)
class NotesFolder:
    """A folder of ``.txt`` files, also in folders inside it: one note in each."""

    path: Path


@dataclass
class Mended:
    """How many lines (of a folder: files) were not UTF-8, and how many values held half a character."""

    other_encoding: int = 0
    lone_surrogates: int = 0


@dataclass
class Rows:
    """Rows of text: their columns, known when reading begins, and the values in their order."""

    names: tuple[str, ...]
    values: Iterator[list[str | None]]
    mended: Mended = field(default_factory=Mended)

    def pieces(self) -> Iterator[pa.RecordBatch]:
        """Return the rows in pieces of bounded size."""
        kept: list[list[str | None]] = []
        size = 0
        for row in self.values:
            clean = [self._writable(value) for value in row]
            kept.append(clean)
            size += sum(len(value) for value in clean if value is not None)
            if size >= PIECE or len(kept) >= 50_000:
                yield self._piece(kept)
                kept, size = [], 0
        if kept:
            yield self._piece(kept)

    def _writable(self, value: str | None) -> str | None:
        if value is None:
            return None
        text, changed = writable(value)
        self.mended.lone_surrogates += changed
        return text

    def _piece(self, rows: list[list[str | None]]) -> pa.RecordBatch:
        columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
        return pa.RecordBatch.from_arrays(columns, names=list(self.names))


@contextmanager
def rows_of(source: CsvFile | JsonLines | NotesFolder) -> Iterator[Rows]:
    """Open a source of text; rows are read while they are asked for."""
    if isinstance(source, NotesFolder):
        yield _folder(source)
        return
    limit = csv.field_size_limit(_LONGEST - 1)
    try:
        yield _csv(source) if isinstance(source, CsvFile) else _json(source)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise damaged(source.path) from None
    finally:
        csv.field_size_limit(limit)


def _lines(path: Path, mended: Mended) -> Iterator[str]:
    """Read lines with their ends; one that is not UTF-8 is read as Windows-1252."""
    with open_unpacked(path, packed=is_gz(path)) as file:
        for number, raw in enumerate(file):
            if not number and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
                raise BadInput(
                    "the file is UTF-16", where=str(path), remedy="write 'encoding: utf-16' beside its path"
                )
            if b"\0" in raw:
                raise nul_at(path, number + 1)
            line, other = decoded(raw)
            mended.other_encoding += other
            yield line if number else line.removeprefix("\ufeff")


def _lines_in(source: CsvFile) -> Iterator[str]:
    try:
        with open_text(source) as file:
            for number, line in enumerate(file, 1):
                if "\0" in line:
                    raise nul_at(source.path, number)
                yield line
    except LookupError:
        raise BadInput(
            f"there is no encoding '{source.encoding}'",
            where=str(source.path),
            remedy="write one such as 'utf-8'",
        ) from None
    except UnicodeError:
        raise BadInput(
            f"the text is not {source.encoding}", where=str(source.path), remedy="set the right 'encoding'"
        ) from None


def _csv(source: CsvFile) -> Rows:
    mended = Mended()
    plain = source.encoding.lower() in _UTF8
    lines = _lines(source.path, mended) if plain else _lines_in(source)
    first = next(lines, "").removeprefix("\ufeff")
    delimiter = source.delimiter or max(DELIMITERS, key=first.count)
    reader = csv.reader(_again(first, lines), delimiter=delimiter, strict=True)
    where = str(source.path)
    try:
        names = next(reader, [])
    except csv.Error:
        raise BadInput("the first line is not CSV", where=where, remedy="check the file") from None
    if not any(names):
        raise BadInput("the file is empty", where=where, remedy="give a file with a header and rows")
    check_names(names, where)
    return Rows(tuple(names), _csv_values(source, reader, len(names)), mended)


def _again(first: str, lines: Iterable[str]) -> Iterator[str]:
    yield first
    yield from lines


def _csv_values(source: CsvFile, reader: Any, wide: int) -> Iterator[list[str | None]]:
    missing = frozenset(source.missing)
    while True:
        try:
            row = next(reader, None)
        except csv.Error:
            raise BadInput(
                "the line cannot be read as CSV",
                where=f"{source.path}, line {reader.line_num}",
                remedy="check delimiter, quotes and line endings",
            ) from None
        if row is None:
            return
        if not row and wide > 1:
            continue
        if len(row) != wide and not (wide == 1 and not row):
            raise BadInput(
                f"the line has {len(row)} values, the header has {wide}",
                where=f"{source.path}, line {reader.line_num}",
                remedy="mend the line",
            )
        yield [None if value in missing else value for value in row or [""]]


def _json(source: JsonLines) -> Rows:
    mended = Mended()
    records = _json_records(source, _lines(source.path, mended))
    first = next(records, None)
    if first is None:
        raise BadInput("the file is empty", where=str(source.path), remedy="give a file with records")
    names = list(first[1])
    check_names(names, str(source.path))
    return Rows(tuple(names), _json_values(source, names, first, records), mended)


def _json_records(source: JsonLines, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            read = json.loads(line)
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            raise BadInput(
                "the line is no JSON object",
                where=f"{source.path}, line {number}",
                remedy="write one object on each line",
            )
        yield number, read


def _json_values(
    source: JsonLines,
    names: list[str],
    first: tuple[int, dict[str, Any]],
    records: Iterator[tuple[int, dict[str, Any]]],
) -> Iterator[list[str | None]]:
    known = set(names)
    for number, read in _chained(first, records):
        where = f"{source.path}, line {number}"
        if not read.keys() <= known:
            raise BadInput(
                "the line has a key that the first line does not have",
                where=where,
                remedy="write the same keys on every line; null where there is no value",
            )
        yield [_json_text(read.get(name), where) for name in names]


def _chained(
    first: tuple[int, dict[str, Any]], records: Iterator[tuple[int, dict[str, Any]]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    yield first
    yield from records


def _json_text(value: Any, where: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        raise BadInput("a value is a list or an object", where=where, remedy="write texts and numbers")
    return json.dumps(value)


def _folder(source: NotesFolder) -> Rows:
    mended = Mended()
    return Rows(FOLDER_COLUMNS, _folder_values(source, mended), mended)


def text_files(folder: Path) -> list[Path]:
    """List the text files of a folder and of those inside it, in one order everywhere."""
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [Path(place) / name for name in sorted(names) if name.lower().endswith(".txt")]
    if not found:
        raise BadInput("the folder holds no .txt files", where=str(folder), remedy="check the path")
    return found


def _folder_values(source: NotesFolder, mended: Mended) -> Iterator[list[str | None]]:
    for number, path in enumerate(text_files(source.path), 1):
        # The names of the files are a column of the data.
        place = f"{source.path}, file {number} in the order of names"
        try:
            text, other = decoded_file(read_bytes(path))
        except (Unreadable, SystemFault) as problem:
            raise type(problem)(problem.what, where=place, remedy=problem.remedy) from None
        if "\0" in text:
            raise nul_at(place, text.count("\n", 0, text.index("\0")) + 1)
        mended.other_encoding += other
        inside = path.parent.relative_to(source.path).as_posix()
        yield [inside, path.name, text]
