"""Notes as other people would have typed them: the same spans in the same places, written differently.

Models that saw tidy notes alone rely on capitals and commas. Every change keeps the length of the text, so
that all offsets stay right.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.kinds import Kind

_BREAKS = re.compile(r"[\r\n]")
_MARKS = re.compile(r"(?<!\d)[.,;](?=\s|$)")


def lower(text: str) -> str:
    """Return a text of the same length in lower case.

    >>> lower("Ada İpek")
    'ada İpek'
    """
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def upper(text: str) -> str:
    """Return a text of the same length in capitals."""
    return "".join(large if len(large := letter.upper()) == 1 else letter for letter in text)


def varied(note: Annotated, draw: random.Random) -> Annotated:
    """Return a note with its case, its names' case, its line ends or its punctuation changed."""
    how = draw.choice(("lower", "upper", "lower names", "upper names", "joined", "bare", "bare lower"))
    text = note.text
    if how.endswith("names"):
        change = lower if how == "lower names" else upper
        for span in note.spans:
            if span.kind in (Kind.NAME, Kind.LOCATION):
                text = text[: span.start] + change(span.of(text)) + text[span.end :]
    if how.startswith("bare"):
        text = _MARKS.sub(" ", text)
    if how == "joined":
        text = _BREAKS.sub(" ", text)
    if how in ("lower", "bare lower"):
        text = lower(text)
    if how == "upper":
        text = upper(text)
    return replace(note, text=text)
