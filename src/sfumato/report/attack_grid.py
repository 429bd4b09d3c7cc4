"""Attacks against releases as one picture: a row for each attack, a column for each release.

A bar is the share of people about whom the adversary is right; a stroke on it is where the same adversary
stands without the target's own data. The picture stands alone as a file, so it brings its own colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.report.markup import Markup, element, picture
from sfumato.report.plots import _bar, _line, _sane, _text

_EDGE, _LEFT, _TOP, _CELL, _ROW, _BAR = 8.0, 190.0, 50.0, 132.0, 46.0, 12.0

_STYLE = """
text { fill: #1d2529; font-size: 13px } .quiet { fill: #56636a; font-size: 12px } .end { text-anchor: end }
.track { fill: #eef1f2 } .bar.works { fill: #1f5a66 } .mark { stroke: #a2231a; stroke-width: 1.5 }
.axis { stroke: #d9dfe1 } .strong { font-weight: 600 }
@media (prefers-color-scheme: dark) {
  text { fill: #e4eaec } .quiet { fill: #a3b0b5 } .track { fill: #242c31 } .bar.works { fill: #84c5d2 }
  .mark { stroke: #ff9d90 } .axis { stroke: #333d41 }
}
"""


@dataclass(frozen=True)
class Cell:
    """What one attack achieves against one release: shares of people, and the figures to write below."""

    success: float
    baseline: float
    said: str


@dataclass(frozen=True)
class Row:
    """An attack, what it is about, and what it achieves against each release."""

    name: str
    about: str
    cells: Sequence[Cell]


def attack_grid(title: str, description: str, releases: Sequence[str], rows: Sequence[Row]) -> str:
    """Draw attacks against releases as an SVG file.

    >>> grid = attack_grid("Attacks", "One attack.", ["raw"], [Row("linkage", "", [Cell(1.0, 0.1, "100 %")])])
    >>> grid.count("<rect"), grid.startswith("<svg xmlns")
    (2, True)
    """
    width = _LEFT + _CELL * len(releases)
    height = _TOP + _ROW * len(rows) + 26
    drawn: list[Markup] = []
    for j, release in enumerate(releases):
        first, _, second = release.partition(", ")
        drawn.append(_text(_LEFT + _CELL * j, 20, first, "strong"))
        if second:
            drawn.append(_text(_LEFT + _CELL * j, 37, second, "quiet"))
    for i, row in enumerate(rows):
        y = _TOP + _ROW * i
        drawn.append(_line(_EDGE, y, width - _EDGE, y, "axis"))
        drawn.append(_text(_EDGE, y + 20, row.name, "strong"))
        drawn.append(_text(_EDGE, y + 36, row.about, "quiet"))
        for j, cell in enumerate(row.cells):
            drawn += _cell(_LEFT + _CELL * j, y + 8, cell)
    key = (
        "bar: right about this share of people (and sure of so many); stroke: the same without their own data"
    )
    drawn.append(_text(_LEFT, height - 6, key, "quiet"))
    return picture("grid", title, description, _STYLE, drawn, (width, height))


def _cell(x: float, y: float, cell: Cell) -> list[Markup]:
    room = _CELL - 16
    drawn = [
        element("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{room:.1f}", height=f"{_BAR:.1f}", class_="track")
    ]
    if cell.success > 0:
        drawn.append(_bar(x, y, max(room * _sane(cell.success), 3), _BAR, "works"))
    if cell.baseline > 0:
        mark = x + max(room * _sane(cell.baseline), 1)
        drawn.append(_line(mark, y - 3, mark, y + _BAR + 3, "mark"))
    drawn.append(_text(x, y + _BAR + 16, cell.said, "quiet"))
    return drawn
