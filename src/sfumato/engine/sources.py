"""Where data come from: files, frames, SQL tables."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import itertools
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from sfumato.core.errors import BadInput
from sfumato.core.files import check_file, damaged, nul_at, open_unpacked, refuse_nul
from sfumato.engine.names import RESERVED

DELIMITERS = (",", ";", "\t", "|")
_LONGEST_HEADER = 1 << 26
"""characters of the first line; a hundred thousand columns need less"""
MISSING = ("",)
"""texts of a CSV file that stand for a missing value, unless the recipe says otherwise"""


@dataclass(frozen=True)
class CsvFile:
    """A CSV file, also ``.gz``. Values stay the text that they are unless ``types`` says otherwise.

    Keeping text means that ``02135`` stays ``02135``; searches recognise numbers where they need them.
    """

    path: Path
    delimiter: str | None = None
    encoding: str = "utf-8"
    missing: tuple[str, ...] = MISSING
    types: Mapping[str, str] = field(default_factory=dict)
    quoted_missing: bool = True
    """whether a text in quotes can stand for a missing value; not so in files that an engine wrote"""
    keep: bool = True
    """parse once and keep the rows; else the file is parsed again for every question"""

    def header(self) -> tuple[str, list[str]]:
        """Return the delimiter (found in the first line if not given) and the column names."""
        where = str(self.path)
        try:
            with open_text(self) as file:
                first = file.readline(_LONGEST_HEADER)
                if len(first) == _LONGEST_HEADER:
                    raise BadInput(
                        "the first line never ends", where=where, remedy="give a file with a header and rows"
                    )
                if "\0" in first:
                    raise nul_at(self.path, 1)
                file.seek(0)
                delimiter = self.delimiter or max(DELIMITERS, key=first.count)
                names = next(csv.reader(file, delimiter=delimiter), [])
        except LookupError:
            raise BadInput(
                f"there is no encoding '{self.encoding}'", where=where, remedy="write one such as 'utf-8'"
            ) from None
        except UnicodeError:
            raise undecodable(self) from None
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise damaged(self.path) from None
        except csv.Error:
            raise BadInput("the first line is not CSV", where=where, remedy="check the file") from None
        names = [name.removeprefix("\ufeff") for name in names]
        if not any(names):
            raise BadInput("the file is empty", where=where, remedy="give a file with a header and rows")
        check_names(names, where)
        return delimiter, names


def open_bytes(source: CsvFile) -> IO[bytes]:
    """Open a CSV file as bytes, unpacked if it is packed."""
    return open_unpacked(source.path, packed=is_gz(source.path))


def is_gz(path: Path) -> bool:
    """Tell whether a file is packed, by its name."""
    return path.suffix.lower() == ".gz"


def check_bytes(source: CsvFile | JsonLines) -> None:
    """Go through a file once before an engine does, which may not look at checksums and NUL bytes."""
    wide = isinstance(source, CsvFile) and "a".encode(source.encoding) != b"a"
    if is_gz(source.path) or not wide:
        refuse_nul(source.path, packed=is_gz(source.path), allowed=wide)


def open_text(source: CsvFile) -> IO[str]:
    """Open a CSV file as text, with its line endings."""
    codecs.lookup(source.encoding)
    return io.TextIOWrapper(open_bytes(source), encoding=source.encoding, newline="")


def undecodable(source: CsvFile) -> BadInput:
    """Say in which line a CSV file is not text of its encoding."""
    decoder = codecs.getincrementaldecoder(source.encoding)()
    where = str(source.path)
    with open_bytes(source) as file:
        for number, line in enumerate(file, 1):
            try:
                decoder.decode(line)
            except UnicodeError:
                where = f"{where}, line {number}"
                break
    return BadInput(f"the text is not {source.encoding}", where=where, remedy="set the right 'encoding'")


def place_of_record(source: CsvFile, delimiter: str, record: int) -> str:
    """Return where a record begins: records may hold several lines, people count lines.

    Beyond a million records, finding the line would take longer than the message is worth.
    """
    if record <= 1_000_000:
        with open_text(source) as file, contextlib.suppress(csv.Error):
            reader = csv.reader(file, delimiter=delimiter)
            for _ in itertools.islice(reader, record - 1):
                pass
            return f"{source.path}, line {reader.line_num + 1}"
    return f"{source.path}, record {record}"


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file."""

    path: Path


@dataclass(frozen=True)
class JsonLines:
    """One JSON value on each line: objects, whose keys are the columns, or arrays, which are ``codes``.

    As in CSV files values stay text; an array becomes a list of texts. A number has no zeros at its end:
    codes belong in quotes.
    """

    path: Path


@dataclass(frozen=True)
class BasketFile:
    """Lines of items between blanks, also ``.gz``, as in the FIMI repository. One column, ``basket``."""

    path: Path


@dataclass(frozen=True)
class Frame:
    """A frame in memory: pandas, Polars, Arrow, or anything that Narwhals knows."""

    data: Any


@dataclass(frozen=True)
class SqlTable:
    """A table or query of a Postgres or SQLite database, read through ADBC."""

    uri: str = field(repr=False)
    table: str | None = None
    query: str | None = None


FILES = (CsvFile, ParquetFile, JsonLines, BasketFile)
"""the sources that lie at a path"""
Source = CsvFile | ParquetFile | JsonLines | BasketFile | Frame | SqlTable


def check_names(names: list[str], where: str) -> None:
    """Refuse empty, reserved and repeated column names (compared without case, as SQL engines do)."""
    seen: dict[str, int] = {}
    for position, name in enumerate(names, 1):
        if not name.strip():
            raise BadInput(f"column {position} has no name", where=where, remedy="name it in the first line")
        if name.casefold() in RESERVED:
            raise BadInput(f"the column name '{name}' is reserved", where=where, remedy="rename the column")
        if name.casefold() in seen:
            raise BadInput(
                f"the column '{name}' is there twice (columns {seen[name.casefold()]} and {position})",
                where=where,
                remedy="rename one of them",
            )
        seen[name.casefold()] = position


def source_of(path: str | Path, **csv_options: Any) -> Source:
    """Choose the source for a path by its suffix.

    >>> source_of("patients.parquet")
    ParquetFile(path=PosixPath('patients.parquet'))
    """
    path = Path(path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] in ([".parquet"], [".pq"]):
        return ParquetFile(path)
    if suffixes[-1:] in ([".csv"], [".tsv"], [".txt"]) or suffixes[-2:] in ([".csv", ".gz"], [".tsv", ".gz"]):
        return CsvFile(path, **csv_options)
    if suffixes[-1:] in ([".jsonl"], [".ndjson"]) or suffixes[-2:] in ([".jsonl", ".gz"], [".ndjson", ".gz"]):
        return JsonLines(path)
    if suffixes[-1:] == [".dat"] or suffixes[-2:] == [".dat", ".gz"]:
        return BasketFile(path)
    # Whoever mistypes a path should hear of that, and not of its suffix.
    if not path.suffix or path.is_dir():
        check_file(path)
    raise BadInput(
        "the kind of file is not known",
        where=str(path),
        remedy="use .csv, .csv.gz, .tsv, .txt, .parquet, .jsonl or .dat",
    )
