"""What a replaced note must look like, said plainly: cut the text at its spans and look at each piece.

Nothing here is shared with the code that replaces: dates are read with ``strptime`` in forms that the caller
knows, names are compared letter by letter.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence


def outside(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what stands before, between and after spans."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [text[edges[place] : edges[place + 1]] for place in range(0, len(edges), 2)]


def put_together(between: Sequence[str], inside: Sequence[str]) -> str:
    """Put pieces outside and inside spans together, one after the other."""
    text = between[0]
    for new, rest in zip(inside, between[1:], strict=True):
        text = text + new + rest
    return text


def plain(text: str) -> str:
    """Return a text in small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def words(text: str) -> set[str]:
    """Return the words of two letters or more."""
    return set(re.findall(r"[^\W\d_]{2,}", plain(text)))


def long_numbers(text: str) -> set[str]:
    """Return the runs of four digits or more."""
    return set(re.findall(r"\d{4,}", text))


def days_between(before: str, after: str, form: str) -> int:
    """Return by how many days a date was moved; fails where the form was not kept."""
    return (dt.datetime.strptime(after, form) - dt.datetime.strptime(before, form)).days


def revealed_offsets(true: Iterable[dt.date], shown: Iterable[dt.date]) -> set[int]:
    """Play the adversary who sees true dates beside moved ones: every difference may be the offset."""
    moved = list(shown)
    return {(new - old).days for old in true for new in moved}
