"""What pattern detectors share: they match only where a pattern can begin, and look at the words around.

A regular expression that searches a whole text costs its length times its alternatives. Here the words of a
page are indexed once (``Page.places``, ``Page.numbers``); a detector knows the words that its patterns begin
with, and matches at those places alone. So the cost goes with what is rare, and stays linear in the length of
a text; all quantifiers are bounded.
"""

from __future__ import annotations

import re


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile an expression as patterns here are written: spread out, letters of any case."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def begins_number(text: str, start: int) -> bool:
    """Say whether a number begins here, and does not go on: not the 21 of 7/21, 3.21 or 12-21.

    >>> begins_number("on 7/21", 3), begins_number("on 7/21", 5), begins_number("DOB:7/21", 4)
    (True, False, True)
    """
    if start == 0:
        return True
    before = text[start - 1]
    if before in ",:" and start > 1:
        return not text[start - 2].isdigit()
    if before in "./-'\u2013" and start > 1:
        return not text[start - 2].isalnum()
    return not (before.isalnum() or before == "_")


def words_before(text: str, start: int, count: int = 3, reach: int = 40) -> list[str]:
    """Return the last words before a place on the same line, the nearest first, lower-case.

    >>> words_before("BP was 128/74", 7)
    ['was', 'bp']
    """
    line = text[max(0, start - reach) : start]
    line = line[line.rfind("\n") + 1 :]
    return re.findall(r"[^\W_]+", line.lower())[::-1][:count]


def words_after(text: str, end: int, count: int = 2, reach: int = 30) -> list[str]:
    """Return the next words after a place on the same line, lower-case.

    >>> words_after("3/10 pain today", 4)
    ['pain', 'today']
    """
    return re.findall(r"[^\W_]+", text[end : end + reach].split("\n", 1)[0].lower())[:count]
