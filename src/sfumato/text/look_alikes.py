"""Characters that stand for others, read as what they stand for, so that detectors need not know them all.

Word processors write hyphens that do not break (U+2011), spaces that do not break and hyphens that are not
seen; keyboards write digits of their own script; HTML and RTF leave escapes behind (``Nu&ntilde;ez``,
``Nu\\'f1ez``). Every character is replaced by one character, and an escape by as many as it has, so offsets
in the text as it came stay right. The text that is released is never this one. Detectors
read it without what has no width at all, and what they find is told in the offsets of the text as it came.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache

from sfumato.text.span import Span

JOINER = "\u200d"
"""belongs to the word around it and is left out when that is looked up"""
_HYPHENS = "\u2010\u2011\u2012\u2043\u2212\ufe63"
_SLASHES = "\u2044\u2215"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_LINE_ENDS = "\u0085\u2028\u2029"
_UNSEEN = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_INSIDE = re.compile(rf"(?<=[^\W\d_])[{_UNSEEN}]+(?=[^\W\d_])")
_WIDTHLESS = f"{_UNSEEN}\u034f\u061c\u180e\u200c\u200d\u2061-\u2064\u20e3\ufe00-\ufe0f"
_NOT_SEEN = re.compile(rf"[{_WIDTHLESS}]+")
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


@dataclass(frozen=True)
class Reading:
    """A text as it is read: look-alikes are what they stand for, and what has no width is gone.

    Reading "6\u200b1\u200b5" as anything but 615 would leave a number that everybody sees.
    """

    text: str = field(repr=False)
    places: list[int] | None = field(default=None, repr=False)
    """where each character, and the end, stands in the text as it came; None where nothing was left out"""

    @classmethod
    def of(cls, text: str) -> Reading:
        """Read a text.

        >>> Reading.of("6\u200b1\u200b5-\ufeff555 tel\u200b615").text
        '615-555 tel 615'
        """
        text = plain(text)
        if text.isascii() or not _NOT_SEEN.search(text):
            return cls(text)
        parts: list[str] = []
        places: list[int] = []
        at = 0
        for found in _NOT_SEEN.finditer(text):
            between = _between(text, *found.span())
            parts += [text[at : found.start()], between]
            places += [*range(at, found.start()), *range(found.start(), found.start() + len(between))]
            at = found.end()
        return cls("".join((*parts, text[at:])), [*places, *range(at, len(text) + 1)])

    def as_it_came(self, span: Span) -> Span:
        """Return a span of this text as one of the text as it came, with what was left out at its end."""
        if self.places is None:
            return span
        return replace(span, start=self.places[span.start], end=self.places[span.end])


def seen(text: str) -> str:
    """Return a text without what has no width.

    >>> seen("4\u200b5")
    '45'
    """
    return text if text.isascii() else _NOT_SEEN.sub("", text)


def _between(text: str, start: int, end: int) -> str:
    """Return what is read where nothing is seen: a blank where a word meets a number, else nothing."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    meet = before.isalnum() and after.isalnum() and before.isalpha() != after.isalpha()
    return " " if meet else ""


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
