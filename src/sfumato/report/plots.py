"""Plots as SVG, written by hand: bars that stand and bars that lie, one or two series.

Each plot has a title and a description for those who cannot see it, and the numbers behind it in a
table that opens below. Colours come from the style sheet, so that a plot follows light, dark and print.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sfumato.report.markup import Markup, element
from sfumato.report.scales import fitted, kept_inside
from sfumato.report.words import percent, shorten

WIDTH = 560


@dataclass(frozen=True)
class Series:
    """Shares between 0 and 1, one for each category; NaN where nothing was measured."""

    name: str
    shares: Sequence[float]
    tone: Literal["before", "after"] = "after"


@dataclass(frozen=True)
class Mark:
    """A line between two categories: the promise begins at ``position``."""

    position: int
    label: str


def _sane(share: float) -> float:
    """Return a share that can be drawn."""
    return min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0


def _text(x: float, y: float, content: str, class_: str) -> Markup:
    return element("text", content, x=f"{x:.1f}", y=f"{y:.1f}", class_=class_)


def _bar(x: float, y: float, width: float, height: float, tone: str) -> Markup:
    return element(
        "rect",
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        width=f"{width:.1f}",
        height=f"{height:.1f}",
        rx=2,
        class_=f"bar {tone}",
    )


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", class_=class_)


def _svg(key: str, title: str, description: str, height: float, drawn: Sequence[Markup]) -> Markup:
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-description"),
        drawn,
        viewBox=f"0 0 {WIDTH} {height:.0f}",
        role="img",
        aria_labelledby=f"{key}-title {key}-description",
    )


def standing_bars(
    key: str,
    title: str,
    description: str,
    categories: Sequence[str],
    series: Sequence[Series],
    *,
    axis: str,
    mark: Mark | None = None,
) -> Markup:
    """Draw bars for each category side by side, with their values in per cent above them."""
    top, floor, height = 34.0, 200.0, 246.0
    slot = WIDTH / max(len(categories), 1)
    tallest = max((_sane(share) for one in series for share in one.shares), default=0.0) or 1.0
    wide = min(slot * 0.8 / max(len(series), 1), 56.0)
    roomy = slot >= 26 * len(series)
    # Labels are thinned out where the widest would run into its neighbour.
    widest = max((len(category) for category in categories), default=0) * 8 + 6
    every = max(1, math.ceil(widest / slot))
    drawn = [_line(0, floor, WIDTH, floor, "axis")]
    for position, category in enumerate(categories):
        middle = slot * (position + 0.5)
        left = middle - wide * len(series) / 2
        for offset, one in enumerate(series):
            share = _sane(one.shares[position])
            tall = (floor - top) * share / tallest
            x = left + offset * wide
            if share:
                drawn.append(_bar(x + 1, floor - max(tall, 1), wide - 2, max(tall, 1), one.tone))
            if share and roomy:
                drawn.append(_text(x + wide / 2, floor - tall - 6, _brief(share), "value middle"))
        if position % every == 0:
            shown = fitted(category, WIDTH)
            drawn.append(_text(kept_inside(middle, shown, 0, WIDTH), floor + 18, shown, "label middle"))
    if mark is not None:
        x = slot * mark.position
        drawn.append(_line(x, 8, x, floor, "mark"))
        leaning_left = x > WIDTH / 2
        look = "label end" if leaning_left else "label"
        said = fitted(mark.label, max(x, WIDTH - x) - 6)
        drawn.append(_text(x - 6 if leaning_left else x + 6, 16, said, look))
    drawn.append(_text(WIDTH / 2, height - 6, fitted(axis, WIDTH), "label middle quiet"))
    return _svg(key, title, description, height, drawn)


def _brief(share: float) -> str:
    """Write a share in per cent, in as few characters as fit above a bar."""
    if share < 0.01:
        return "<1"
    return f"{100 * share:.0f}" if share <= 0.99 or share == 1 else ">99"


def lying_bars(
    key: str, title: str, description: str, categories: Sequence[str], series: Sequence[Series]
) -> Markup:
    """Draw bars from left to right on a scale from 0 to 1, with names before and values behind them."""
    left, right = 176.0, 98.0
    thick = 18.0 if len(series) == 1 else 16.0
    step = thick * len(series) + 14
    room = WIDTH - left - right
    height = step * len(categories) + 8
    drawn = [_line(left, 0, left, height, "axis")]
    for position, category in enumerate(categories):
        y = position * step + 8
        centre = y + thick * len(series) / 2 + 4.5
        drawn.append(_text(left - 10, centre, shorten(category, 18), "label end"))
        for offset, one in enumerate(series):
            share = one.shares[position]
            across = room * _sane(share)
            row = y + offset * thick
            drawn.append(
                element("rect", x=left, y=f"{row + 1:.1f}", width=room, height=thick - 2, class_="track")
            )
            if across:
                drawn.append(_bar(left, row + 1, max(across, 1), thick - 2, one.tone))
            drawn.append(_text(WIDTH - right + 8, row + thick / 2 + 4.5, percent(share), "value"))
    return _svg(key, title, description, height, drawn)


def figure(plot: Markup, caption: str, series: Sequence[Series], numbers: Markup) -> Markup:
    """Put a plot, its key when there are two series, its caption and its numbers together."""
    key = [
        element("li", element("span", "", class_=f"swatch {one.tone}", aria_hidden="true"), one.name)
        for one in series
    ]
    return element(
        "figure",
        element("figcaption", caption),
        element("ul", key, class_="key") if len(series) > 1 else None,
        plot,
        element("details", element("summary", "The numbers behind this plot"), numbers),
    )
