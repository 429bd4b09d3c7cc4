"""The bytes of a file of text, unpacked, with what is wrong with them and in which line."""

from __future__ import annotations

from pathlib import Path

from sfumato.core.errors import BadInput
from sfumato.core.files import open_plain, unpacked_bytes

_PARQUET = b"PAR1"
_MARK = b"\xef\xbb\xbf"


def is_parquet(path: Path) -> bool:
    """Say whether a file begins as Parquet does, whatever its name."""
    with open_plain(path) as file:
        return file.read(4) == _PARQUET


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file, unpacked where it is packed, whatever its name."""
    return unpacked_bytes(path).removeprefix(_MARK)


def text_of(path: Path) -> bytes:
    """Return the UTF-8 text of a file as bytes, without the mark that some editors put in front."""
    content, where = bytes_of(path), str(path)
    if not content.strip():
        raise BadInput("the file is empty", where=where, remedy="give a file with edges")
    at = content.find(b"\0")
    if at >= 0:
        raise BadInput(
            "the file holds a NUL byte, and is no text",
            where=f"{where}, line {line_at(content, at):,}",
            remedy="the file is damaged, of another kind or in UTF-16: write it as plain text",
        )
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise BadInput(
            "the text is not UTF-8",
            where=f"{where}, line {line_at(content, problem.start):,}",
            remedy="write it as UTF-8",
        ) from None
    return content


def line_at(content: bytes, at: int) -> int:
    """Return the number of the line in which a byte lies, from 1."""
    return content.count(b"\n", 0, at) + 1
