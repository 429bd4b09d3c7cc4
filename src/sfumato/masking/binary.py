"""Columns that hold images, binary or DICOM data are refused: nothing here can look into them.

A picture shows a face, a DICOM file names its patient. Columns are recognised by their type, and texts
by what encoded files begin with.
"""

from __future__ import annotations

import re
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table

_BASE64 = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/]{256,}={0,2}")
_HEXADECIMAL = re.compile(r"(?:0x|\\x)?(?:[0-9a-fA-F]{2}){128,}")
_BEGINNINGS = (
    "data:image", "data:application", "data:audio", "data:video", "\\x",
    "iVBORw0KGgo", "/9j/", "R0lGOD", "JVBERi0", "SUkqA", "TU0AK", "UklGR",
)  # fmt: skip
"""data addresses, escaped bytes, and PNG, JPEG, GIF, PDF, TIFF and RIFF in base64"""
_PREAMBLE = 128
"""bytes before the letters DICM in a DICOM file"""


def is_binary(value: Any) -> bool:
    """Say whether a value is binary data, as bytes, inside of lists, or written as text.

    >>> is_binary(b"x"), is_binary("data:image/png;base64,iVBO"), is_binary("a note")
    (True, True, False)
    """
    if isinstance(value, bytes | bytearray | memoryview):
        return True
    if isinstance(value, list | tuple):
        return any(is_binary(part) for part in value)
    if isinstance(value, dict):
        return any(is_binary(part) for part in value.values())
    return isinstance(value, str) and _is_encoded(value.strip())


def _is_encoded(text: str) -> bool:
    if text.startswith(_BEGINNINGS[:5]):
        return True
    if text.startswith(_BEGINNINGS[5:]) and " " not in text and len(text) >= 32:
        return True
    if _HEXADECIMAL.fullmatch(text):
        return True
    return _BASE64.fullmatch("".join(text.split())) is not None or text[_PREAMBLE : _PREAMBLE + 4] == "DICM"


def refuse_binary(table: Table, columns: tuple[str, ...]) -> None:
    """Refuse released columns that hold binary data; some values of each are looked at."""
    for column in table.columns:
        if column.name not in columns or column.type not in ("string", "other"):
            continue
        if any(is_binary(value) for value in table.engine.sample(table, column.name, 50)):
            raise BadInput(
                "it holds images, binary or DICOM data, which nothing here can look into",
                where=f"column '{column.name}'",
                remedy="leave it out with 'role: identifier', or take it out of the data",
            )
