"""Files of lines: JSON lines and baskets, as statements and tables for DuckDB."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from sfumato.core.errors import BadInput
from sfumato.core.files import damaged, nul_at, open_unpacked
from sfumato.engine import sql
from sfumato.engine.sources import BasketFile, JsonLines, check_bytes, is_gz

BASKET = "basket"
"""the one column of a file of baskets"""
CODES = "codes"
"""the one column of JSON lines that are arrays"""
LINE = "line"
"""the column that holds the lines of a JSON file while they are taken apart"""
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
    """Return the statement that reads the lines as they are; ``path`` is the file as SQL spells it."""
    check_bytes(source)
    return (
        f"SELECT {LINE} FROM read_json({path}, format='newline_delimited', records=false, "
        f"hive_partitioning=false, columns={{{LINE}: 'JSON'}})"
    )


def json_keys(lines: str) -> str:
    """Return the statement that lists the keys of objects by first appearance.

    DuckDB could find the columns by itself, but would quietly rename those that differ in case alone.
    """
    return (
        f"SELECT k FROM (SELECT rowid AS r, UNNEST(json_keys({LINE})) AS k, "
        f"GENERATE_SUBSCRIPTS(json_keys({LINE}), 1) AS p FROM {lines}) "
        f"GROUP BY k ORDER BY MIN({{r: r, p: p}})"
    )


def json_value(key: str) -> str:
    """Return the SQL for the value of a key, as JSON.

    >>> json_value("a/b")
    "json_extract(line, '/a~1b')"
    """
    pointer = "/" + key.replace("~", "~0").replace("/", "~1")
    return f"json_extract({LINE}, {sql.literal(pointer)})"


def json_column(value: str, kinds: set[str | None], name: str, where: str) -> str:
    """Say how to pick a column, given the types of its values: texts, or lists of texts."""
    found = kinds - {"NULL", None}
    if found == {"ARRAY"}:
        return f"CAST({value} AS VARCHAR[]) AS {sql.quote(name)}"
    if "ARRAY" in found:
        raise BadInput(
            "some values are lists and others are not",
            where=f"{where}, column '{name}'",
            remedy="write a list on every line",
        )
    return f"{value}->>'$' AS {sql.quote(name)}"


def first_bad_line(source: JsonLines) -> BadInput:
    """Say in which line a file is not JSON, or not of the same form as its first."""
    for number, line in enumerate(_lines(source.path), 1):
        if not line.strip():
            continue
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            where = f"{source.path}, line {number}"
            return BadInput("the line is not JSON", where=where, remedy="mend the line")
    return BadInput(
        "the lines are not all of one form",
        where=str(source.path),
        remedy="write an object with the same keys, or an array, on every line",
    )


def _lines(path: Path) -> Iterator[str]:
    try:
        with open_unpacked(path, packed=is_gz(path)) as file:
            for number, line in enumerate(file, 1):
                if b"\0" in line:
                    raise nul_at(path, number)
                try:
                    yield line.decode("utf-8").removeprefix("\ufeff").rstrip("\r\n")
                except UnicodeError:
                    raise BadInput(
                        "the text is not utf-8", where=f"{path}, line {number}", remedy="write it as UTF-8"
                    ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise damaged(path) from None
