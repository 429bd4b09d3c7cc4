"""Characters that stand for others, read as what they stand for, so that detectors need not know them all.

Word processors write hyphens that do not break (U+2011), spaces that do not break and hyphens that are not
seen; keyboards write digits of their own script; HTML and RTF leave escapes behind (``Nu&ntilde;ez``,
``Nu\\'f1ez``). Every character is replaced by one character, and an escape by as many as it has, so offsets
in the text as it came stay right. The text that is released is never this one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

JOINER = "\u200d"
"""belongs to the word around it and is left out when that is looked up"""
_HYPHENS = "\u2010\u2011\u2012\u2043\u2212\ufe63"
_SLASHES = "\u2044\u2215"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_LINE_ENDS = "\u0085\u2028\u2029"
_UNSEEN = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_INSIDE = re.compile(rf"(?<=[^\W\d_])[{_UNSEEN}]+(?=[^\W\d_])")
_DASHES = re.compile(r"(?<=[^\W_])\u2013(?=[^\W_])|(?<=[0-9])\u2014(?=[0-9])")
"""dashes that join what stands on both sides without a blank: 615\u2013555\u20130142"""
_ESCAPES = re.compile(r"&(?:#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5}|[A-Za-z]{2,8});|\\'[0-9a-fA-F]{2}")


def plain(text: str) -> str:
    """Return a text of the same length in which look-alikes are what they stand for.

    >>> plain("615\u2011555\u20110142"), plain("\uff11\uff12\u00a0\u0667")
    ('615-555-0142', '12 7')
    >>> plain("Nu&ntilde;ez").replace(JOINER, "")
    'Nuñez'
    """
    if not text.isascii():
        table, unusual = _tables()
        if unusual.search(text):
            text = text.translate(table)
        text = _DASHES.sub("-", text)
        text = _INSIDE.sub(lambda found: JOINER * len(found.group()), text)
    if "&" in text or "\\'" in text:
        text = _ESCAPES.sub(_unescaped, text)
    return text


@cache
def _tables() -> tuple[dict[int, str], re.Pattern[str]]:
    table = {
        **dict.fromkeys(map(ord, _HYPHENS), "-"),
        **dict.fromkeys(map(ord, _SLASHES), "/"),
        **dict.fromkeys(map(ord, _SPACES), " "),
        **dict.fromkeys(map(ord, _LINE_ENDS), "\n"),
        **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **{code: str(unicodedata.digit(chr(code))) for code in _digits()},
    }
    return table, re.compile("[" + "".join(map(re.escape, map(chr, table))) + "]")


def _digits() -> list[int]:
    """List the decimal digits of all scripts but ours."""
    return [code for code in range(0x80, 0x20000) if chr(code).isdecimal()]


def _unescaped(found: re.Match[str]) -> str:
    """Return the letter or apostrophe that an escape inside a word stands for; leave all other escapes."""
    import html

    escape, text = found.group(), found.string
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    if escape[0] == "\\":
        meant = bytes.fromhex(escape[2:]).decode("cp1252", "replace")
    else:
        meant = html.unescape(escape)
    if len(meant) == 1 and (meant.isalpha() or (meant in "'\u2019" and before.isalpha() and after.isalpha())):
        return meant + JOINER * (len(escape) - 1)
    return escape
