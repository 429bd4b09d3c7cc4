"""Files of lines: JSON lines and baskets, as statements and tables for DuckDB."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.engine import sql
from sfumato.engine.sources import BasketFile, JsonLines, check_file

BASKET = "basket"
"""the one column of a file of baskets"""
CODES = "codes"
"""the one column of JSON lines that are arrays"""
_CHUNK = 50_000


def baskets(source: BasketFile) -> pa.Table:
    """Read the lines of a file; an empty line is an empty basket, one after the last line is none."""
    chunks = []
    lines: list[str] = []
    for line in _lines(source.path):
        lines.append(line)
        if len(lines) == _CHUNK:
            chunks.append(pa.array(lines, pa.string()))
            lines = []
    chunks.append(pa.array(lines, pa.string()))
    return pa.table({BASKET: pa.chunked_array(chunks)})


def json_scan(source: JsonLines, path: str) -> str:
    """Return the statement part that reads JSON lines, one column of JSON for each key.

    ``path`` is the file as SQL spells it.
    """
    check_file(source.path)
    arrays = next((line.lstrip().startswith("[") for line in _lines(source.path) if line.strip()), None)
    if arrays is None:
        raise BadInput("the file is empty", where=str(source.path), remedy="give a file with records")
    form = f"records=false, columns={{{CODES}: 'JSON'}}" if arrays else "records=true, maximum_depth=1"
    return f"read_json({path}, format='newline_delimited', sample_size=-1, hive_partitioning=false, {form})"


def json_columns(names: list[str], found: dict[str, set[str | None]], where: str) -> str:
    """Say how to pick columns of JSON, given the types of their values: texts, or lists of texts."""
    picked = []
    for name in names:
        quoted = sql.quote(name)
        kinds = found[name] - {"NULL", None}
        if "ARRAY" in kinds and len(kinds) > 1:
            raise BadInput(
                "some values are lists and others are not",
                where=f"{where}, column '{name}'",
                remedy="write a list on every line",
            )
        if kinds == {"ARRAY"}:
            picked.append(f"CAST({quoted} AS VARCHAR[]) AS {quoted}")
        else:
            picked.append(f"{quoted}->>'$' AS {quoted}")
    return ", ".join(picked)


def first_bad_line(source: JsonLines) -> BadInput:
    """Say in which line a file is not JSON, or not of the same form as its first."""
    for number, line in enumerate(_lines(source.path), 1):
        if not line.strip():
            continue
        try:
            json.loads(line)
        except ValueError:
            where = f"{source.path}, line {number}"
            return BadInput("the line is not JSON", where=where, remedy="mend the line")
    return BadInput(
        "the lines are not all of one form",
        where=str(source.path),
        remedy="write an object with the same keys, or an array, on every line",
    )


def _lines(path: Path) -> Iterator[str]:
    check_file(path)
    try:
        with _opened(path) as file:
            for number, line in enumerate(file, 1):
                try:
                    yield line.decode("utf-8").removeprefix("\ufeff").rstrip("\r\n")
                except UnicodeError:
                    raise BadInput(
                        "the text is not utf-8", where=f"{path}, line {number}", remedy="write it as UTF-8"
                    ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BadInput(
            "the file is not gzip data or is cut short", where=str(path), remedy="pack it again"
        ) from None


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")
