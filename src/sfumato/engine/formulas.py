"""Cells of a CSV file that a spreadsheet program would run instead of showing them.

Excel, LibreOffice and Google Sheets take a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula,
and a formula can fetch addresses or start programs (``=cmd|' /C calc'!A0``). Some drop a tab or a carriage
return at the beginning first. Numbers such as -5 are none, nor is a sign that stands alone.
OWASP, "CSV Injection": https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import functools
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sfumato.core.files import damaged, open_unpacked, unpacked

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
"""what begins a formula; the last four are the same signs in full width"""
_DROPPED = "\t\r"
"""what some programs drop before they look"""
_STARTS = frozenset(SIGNS + _DROPPED)
_MARK = b"\xef\xbb\xbf"
_NUMBER = re.compile(r"[+\-\uff0b\uff0d]?(\d[\d.,' \u00a0\u202f]*|\.\d+)([eE][+-]?\d+)?\s?%?")
_OPERAND = re.compile(r"\w")
_OVERLAP = 400
_LONGEST = 2**31 - 1
"""letters of a cell; the largest number that the module takes everywhere"""


def runs_in_a_spreadsheet(cell: str) -> bool:
    """Tell whether a cell would be run, not shown.

    >>> [runs_in_a_spreadsheet(cell) for cell in ("=1+1", "@SUM(A1)", "-2+3", "+cmd", "\\t=1")]
    [True, True, True, True, True]
    >>> [runs_in_a_spreadsheet(cell) for cell in ("-5", "-1.5e-3", "+1,234 %", "-", "a=b", "[-5, 5)")]
    [False, False, False, False, False, False]
    """
    if cell[:1] not in _STARTS or _OPERAND.search(cell) is None:
        return False
    return cell[0] in _DROPPED or _NUMBER.fullmatch(cell) is None


def formula_cells(path: Path, delimiter: str = ",", encoding: str = "utf-8") -> dict[str, int]:
    """Count the cells of a CSV file, also ``.gz``, that would be run, by column; the name counts as a cell.

    Columns without such cells are not listed. Most files hold none, which one fast pass over their bytes
    shows; only where something may be one is the file taken apart.
    """
    packed = path.suffix.lower() == ".gz"
    if "a=".encode(encoding) == b"a=" and not _may_hold_one(path, packed, delimiter.encode()):
        return {}
    found: dict[int, int] = {}
    names: list[str] = []
    limit = csv.field_size_limit(_LONGEST)
    try:
        with io.TextIOWrapper(
            open_unpacked(path, packed=packed), encoding=encoding, errors="replace", newline=""
        ) as file:
            for row in csv.reader(file, delimiter=delimiter):
                names = names or [row[0].removeprefix("\ufeff"), *row[1:]] if row else names
                for place, cell in enumerate(row):
                    if cell[:1] in _STARTS and runs_in_a_spreadsheet(cell):
                        found[place] = found.get(place, 0) + 1
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise damaged(path) from None
    finally:
        csv.field_size_limit(limit)
    return {names[place]: found[place] for place in sorted(found) if place < len(names)}


def _may_hold_one(path: Path, packed: bool, delimiter: bytes) -> bool:
    """Look for what may begin a formula where a cell may begin: often wrong, and never misses one."""
    before, first = np.zeros(256, np.bool_), np.zeros(256, np.bool_)
    before[list(b'\r\n"' + delimiter)] = True
    first[[sign.encode()[0] for sign in SIGNS + _DROPPED]] = True
    number = _number_before(delimiter)
    for piece in _overlapping(path, packed):
        letters = np.frombuffer(piece, np.uint8)
        starts = np.flatnonzero(before[letters[:-1]] & first[letters[1:]]) + 1
        if any(number.match(piece, start) is None for start in starts.tolist()):
            return True
    return False


def _overlapping(path: Path, packed: bool) -> Iterator[bytes]:
    """Go through a file; each piece begins with the end of the one before, the first with a line break."""
    end = b"\n"
    for chunk in unpacked(path, packed=packed):
        yield end + chunk.removeprefix(_MARK if end == b"\n" else b"")
        end = chunk[-_OVERLAP:]


@functools.cache
def _number_before(delimiter: bytes) -> re.Pattern[bytes]:
    """Match a plain number to the end of its cell, or an empty cell at the end of a line of Windows."""
    number = rb"[+-](?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    quoted = rb"(?<=\")" + number + rb"(?=\"(?!\"))"
    plain = rb"(?<!\")" + number + rb"(?=[\r\n" + re.escape(delimiter) + rb"])"
    return re.compile(quoted + b"|" + plain + rb"|(?<!\")\r(?=\n)")
