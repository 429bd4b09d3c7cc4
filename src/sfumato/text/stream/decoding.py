"""Bytes that should be text: UTF-8, and Windows-1252 where they are not. Nothing is lost, nothing fails.

Notes come from many systems. A line that is not UTF-8 is read as Windows-1252, which gives every byte a
character; how many were is counted, for the steward to look at.
"""

from __future__ import annotations

import codecs
import re

_LONE = re.compile("[\ud800-\udfff]")
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def _windows() -> dict[int, str]:
    """Map the bytes from 128 to 159 as Windows-1252 does; the five that it leaves open stay controls."""
    return {byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(0x80, 0xA0)}


_WINDOWS = _windows()


def decoded(raw: bytes) -> tuple[str, bool]:
    """Return the text, and whether it was no UTF-8.

    >>> decoded("naïve".encode()), decoded("naïve – €".encode("cp1252")), decoded(b"\\x81")
    (('naïve', False), ('naïve – €', True), ('\\x81', True))
    """
    try:
        return raw.decode("utf-8"), False
    except UnicodeDecodeError:
        return raw.decode("latin-1").translate(_WINDOWS), True


def decoded_file(raw: bytes) -> tuple[str, bool]:
    """The same of a whole file, which may begin with the mark of UTF-16."""
    encoding = _MARKS.get(raw[:2])
    if encoding is not None:
        try:
            return raw[2:].decode(encoding), True
        except UnicodeDecodeError:
            pass
    return decoded(raw)


def writable(text: str) -> tuple[str, bool]:
    """Return a text that can be written, and whether halves of surrogate pairs had to be replaced in it.

    >>> writable("a\\ud800b")
    ('a\\ufffdb', True)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _LONE.sub("\ufffd", text), True
    return text, False
