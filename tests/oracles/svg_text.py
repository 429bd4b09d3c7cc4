"""Where the texts of a drawing lie, by the widths of letters in Liberation Sans (those of Arial).

Slow and obvious: every letter is looked up. One that is not in the list is taken as wide as it is high.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.oracles.html_document import read

SIZE = 12.5
_THOUSANDTHS = {
    **dict.fromkeys("0123456789", 556),
    **dict.fromkeys("abdeghnopqu", 556),
    **dict.fromkeys("ckosvxyz", 500),
    **dict.fromkeys("ft .,:;/!|[]\\", 278),
    **dict.fromkeys("ijl'", 222),
    **dict.fromkeys("r()-`{}", 340),
    **dict.fromkeys("m", 833),
    **dict.fromkeys("w", 722),
    **dict.fromkeys("+=<>~^", 584),
    **dict.fromkeys("ABEKPSVXY&", 667),
    **dict.fromkeys("CDHNRU", 722),
    **dict.fromkeys("FTZL", 611),
    **dict.fromkeys("GOQ", 778),
    **dict.fromkeys("IJ", 500),
    **dict.fromkeys("M", 833),
    **dict.fromkeys("W", 944),
    **dict.fromkeys("%", 889),
    **dict.fromkeys('"*#$_?', 556),
}


@dataclass(frozen=True)
class Text:
    """One text: what it says, and from where to where it reaches; ``turned`` ones along y."""

    said: str
    left: float
    right: float
    y: float
    turned: bool


def wide(said: str) -> float:
    """Return the width of a text."""
    return sum(_THOUSANDTHS.get(letter, 1000) for letter in said) * SIZE / 1000


def texts_of(drawing: str) -> list[Text]:
    """List the texts of a drawing."""
    found = []
    for one in read(f"<!DOCTYPE html>\n<html><body>{drawing}</body></html>").walk():
        if one.tag != "text":
            continue
        look = (one.attributes.get("class") or "").split()
        x, y = float(one.attributes["x"] or 0), float(one.attributes["y"] or 0)
        turn = one.attributes.get("transform")
        if turn:
            moved = re.fullmatch(r"translate\((\S+) (\S+)\) rotate\(-90\)", turn)
            assert moved is not None
            x, y = float(moved[2]), float(moved[1])
        width = wide(one.text)
        left = x - width if "end" in look else x - width / 2 if "middle" in look else x
        found.append(Text(one.text, left, left + width, y, bool(turn)))
    return found
