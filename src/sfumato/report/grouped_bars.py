"""Bars in groups as a picture that stands alone as a file: a group for each category, a bar for each series.

It brings its own colours, for light and for dark screens; tones of one colour go from series to series.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.report.markup import Markup, picture
from sfumato.report.plots import _bar, _line, _sane, _text

_EDGE, _TOP, _FLOOR, _BELOW, _SLOT = 10.0, 62.0, 232.0, 34.0, 92.0
TONES = 3

_STYLE = """
text { fill: #1d2529; font-size: 13px } .quiet { fill: #56636a; font-size: 12px }
.middle { text-anchor: middle } .strong { font-weight: 600 } .axis { stroke: #b9c3c7 }
.tone0 { fill: #9cc5cd } .tone1 { fill: #3d8494 } .tone2 { fill: #143f49 }
@media (prefers-color-scheme: dark) {
  text { fill: #e4eaec } .quiet { fill: #a3b0b5 } .axis { stroke: #4a565b }
  .tone0 { fill: #36606a } .tone1 { fill: #62a6b4 } .tone2 { fill: #bfe3ea }
}
"""


@dataclass(frozen=True)
class Bars:
    """One series: heights between 0 and 1 with what to write above them; None where nothing was measured."""

    name: str
    shares: Sequence[float | None]
    said: Sequence[str]


def grouped_bars(title: str, description: str, categories: Sequence[str], series: Sequence[Bars]) -> str:
    """Draw up to three series of bars as an SVG file; all are as high as their share of the whole.

    >>> drawn = grouped_bars("Kept", "One bar.", ["a"], [Bars("k = 2", [0.5], ["1"])])
    >>> drawn.count('class="bar tone0"'), drawn.startswith("<svg xmlns")
    (2, True)
    """
    if len(series) > TONES:
        raise AssertionError("there are only three tones")
    width = _EDGE * 2 + _SLOT * len(categories)
    height = _FLOOR + _BELOW
    wide = min((_SLOT - 14) / max(len(series), 1), 34.0)
    drawn = [_text(_EDGE, 20, title, "strong"), *_key(series)]
    drawn.append(_line(_EDGE, _FLOOR, width - _EDGE, _FLOOR, "axis"))
    for position, category in enumerate(categories):
        middle = _EDGE + _SLOT * (position + 0.5)
        first, _, second = category.partition(", ")
        drawn.append(_text(middle, _FLOOR + 16, first, "middle"))
        if second:
            drawn.append(_text(middle, _FLOOR + 30, second, "quiet middle"))
        left = middle - wide * len(series) / 2
        for place, one in enumerate(series):
            drawn += _drawn(one, position, left + place * wide, wide, place)
    return picture("bars", title, description, _STYLE, drawn, (width, height))


def _drawn(one: Bars, position: int, x: float, wide: float, place: int) -> list[Markup]:
    share, middle = one.shares[position], x + wide / 2
    if share is None:
        return [_text(middle, _FLOOR - 6, "–", "quiet middle")]
    tall = (_FLOOR - _TOP - 14) * _sane(share)
    said = _text(middle, _FLOOR - tall - 5, one.said[position], "quiet middle")
    return [_bar(x + 1, _FLOOR - tall, wide - 2, tall, f"tone{place}"), said] if tall else [said]


def _key(series: Sequence[Bars]) -> list[Markup]:
    """Name the tones, side by side."""
    drawn, x = [], _EDGE
    for place, one in enumerate(series):
        drawn.append(_bar(x, 32, 12, 12, f"tone{place}"))
        drawn.append(_text(x + 17, 42, one.name, "quiet"))
        x += 40 + 6.6 * len(one.name)
    return drawn
