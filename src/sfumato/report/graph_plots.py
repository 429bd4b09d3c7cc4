"""Plots of networks: shares of nodes over degrees, and shares of people over the number of their candidates.

Degrees of networks spread over orders of magnitude, so the share of nodes with a degree or a higher one is
drawn with both axes logarithmic, as is usual. Candidates are those of M. Hay and others (2008): the nodes
that what an adversary knows fits as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sfumato.report.markup import Markup, element
from sfumato.report.plots import WIDTH, _line, _svg, _text
from sfumato.report.words import number, percent

_LEFT, _RIGHT, _TOP, _FLOOR, _HEIGHT = 58.0, 12.0, 22.0, 216.0, 262.0
_ROOM = WIDTH - _LEFT - _RIGHT
_MOST_DECADES = 12
"""on the axis of shares: smaller ones lie on its floor"""
_MOST_TICKS = 7


@dataclass(frozen=True)
class Line:
    """Points (x, share between 0 and 1), ascending in x."""

    name: str
    points: Sequence[tuple[float, float]]
    tone: Literal["before", "after"] = "after"
    dotted: bool = False
    """to tell it from another of the same tone"""


def drawable(line: Line, least: float = 1.0) -> list[tuple[float, float]]:
    """Return the points that have a place on a logarithmic axis; shares are cut to what shares can be."""
    return [
        (x, min(max(share, 0.0), 1.0))
        for x, share in line.points
        if math.isfinite(x) and math.isfinite(share) and x >= least
    ]


def degree_plot(key: str, title: str, lines: Sequence[Line]) -> Markup:
    """Draw the share of nodes that have a degree or a higher one, both axes logarithmic.

    Nodes without an edge have no place on such an axis: they are what a line lacks to 100 %.

    >>> degree_plot("d", "Degrees", [Line("before", [(0, 1.0), (1, 0.9), (10, 0.1)])]).count("<polyline")
    1
    """
    shown = [(line, [(x, share) for x, share in drawable(line) if share > 0]) for line in lines]
    smallest = min((share for _, points in shown for _, share in points), default=1.0)
    decades = min(max(math.ceil(-math.log10(smallest) - 1e-9), 1), _MOST_DECADES)

    def y(share: float) -> float:
        down = -math.log10(share) / decades if share > 0 else 1.0
        return _TOP + (_FLOOR - _TOP) * min(max(down, 0.0), 1.0)

    step = max(1, math.ceil(decades / _MOST_TICKS))
    ticks = [10.0**-down for down in range(0, decades + 1, step)]
    drawn, x = _axes(shown, y, ticks, "edges of a node, or more")
    for line, points in shown:
        drawn += _drawn(line, _falling(points), x, y)
    return _svg(key, title, _spoken(lines), _HEIGHT, drawn)


def candidates_plot(key: str, title: str, lines: Sequence[Line], k: int | None = None) -> Markup:
    """Draw the share of people with at most so many candidates; lines further right hide people better.

    ``k`` is the number of candidates that was promised: the line of what the promise is about rises right of
    it.

    >>> candidates_plot("c", "Candidates", [Line("degree", [(5, 0.5), (9, 1.0)])], 5).count('"mark"')
    1
    """
    shown = [(line, drawable(line)) for line in lines]

    def y(share: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * share

    far = [*(x for _, points in shown for x, _ in points), *([float(k)] if k else [])]
    drawn, x = _axes(shown, y, [0.0, 0.25, 0.5, 0.75, 1.0], "candidates, or fewer", far)
    if k is not None and k > 1:
        leaning_left = x(k) > WIDTH / 2
        drawn.append(_line(x(k), _TOP - 14, x(k), _FLOOR, "mark"))
        drawn.append(
            _text(
                x(k) - 6 if leaning_left else x(k) + 6,
                _TOP - 8,
                f"promised: {k:,} or more",
                "label end" if leaning_left else "label",
            )
        )
    end = max(far, default=1.0)
    for line, points in shown:
        drawn += _drawn(line, _rising(points, end), x, y)
    return _svg(key, title, _spoken(lines), _HEIGHT, drawn)


Scale = Callable[[float], float]


def _axes(
    shown: Sequence[tuple[Line, Sequence[tuple[float, float]]]],
    y: Scale,
    ticks: Sequence[float],
    axis: str,
    far: Sequence[float] = (),
) -> tuple[list[Markup], Scale]:
    """Draw both axes, the one along x by powers of ten; return it as a scale."""
    ends = [x for _, points in shown for x, _ in points] + list(far)
    furthest = max([*ends, 2.0])
    decades = math.log10(furthest)

    def x(place: float) -> float:
        return _LEFT + 8 + (_ROOM - 32) * min(max(math.log10(max(place, 1.0)) / decades, 0.0), 1.0)

    drawn = [_line(_LEFT, _TOP - 8, _LEFT, _FLOOR, "axis"), _line(_LEFT, _FLOOR, WIDTH, _FLOOR, "axis")]
    for tick in ticks:
        drawn.append(_text(_LEFT - 8, y(tick) + 4, _share(tick), "label end quiet"))
        drawn.append(_line(_LEFT - 4, y(tick), _LEFT, y(tick), "axis"))
    for tick in _places(furthest):
        drawn.append(_line(x(tick), _FLOOR, x(tick), _FLOOR + 4, "axis"))
        drawn.append(_text(x(tick), _FLOOR + 18, _brief(tick), "label middle"))
    drawn.append(_text(_LEFT + _ROOM / 2, _HEIGHT - 8, axis, "label middle quiet"))
    return drawn, x


def _share(share: float) -> str:
    """Write a tick, in full where that is short.

    >>> _share(0.25), _share(0.001), _share(1e-09)
    ('25%', '0.1%', '1e-07%')
    """
    return f"{100 * share:g}%"


def _places(furthest: float) -> list[float]:
    """Return where a logarithmic axis is labelled: at 1, 2, 5 and so on; where it is long, at powers of ten.

    >>> _places(17), _places(4_000)
    ([1.0, 2.0, 5.0, 10.0], [1.0, 10.0, 100.0, 1000.0])
    """
    powers = range(int(math.log10(furthest)) + 1)
    if len(powers) <= 2:
        return [
            part * 10.0**power for power in powers for part in (1, 2, 5) if part * 10.0**power <= furthest
        ]
    return [10.0**power for power in powers[:: math.ceil(len(powers) / _MOST_TICKS)]]


def _brief(place: float) -> str:
    """Write a place on the axis, in full where that is short.

    >>> _brief(1000.0), _brief(1e9)
    ('1,000', '1e+09')
    """
    return f"{place:,.0f}" if place <= 1e6 else f"{place:g}"


def _falling(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of P(D ≥ d): it falls behind each degree that occurs, to the share of the next."""
    corners = [(1.0, points[0][1])] if points else []
    for place, (x, share) in enumerate(points):
        if place:
            corners.append((points[place - 1][0], share))
        corners.append((x, share))
    return list(dict.fromkeys(corners))


def _rising(points: Sequence[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    """Return the corners of P(C ≤ c): it rises at each number of candidates that occurs, from 0."""
    corners, last = [(1.0, 0.0)], 0.0
    for x, share in points:
        corners += [(x, last), (x, share)]
        last = share
    return [*corners, (end, last)]


def _drawn(line: Line, corners: Sequence[tuple[float, float]], x: Scale, y: Scale) -> list[Markup]:
    if not corners:
        return []
    if len(corners) == 1:
        at, share = corners[0]
        dot = element("circle", cx=f"{x(at):.1f}", cy=f"{y(share):.1f}", r=4, class_=f"bar {line.tone}")
        return [dot]
    drawn = " ".join(f"{x(at):.1f},{y(share):.1f}" for at, share in corners)
    dots = " dotted" if line.dotted else ""
    return [element("polyline", points=drawn, class_=f"curve {line.tone}{dots}")]


def _spoken(lines: Sequence[Line]) -> str:
    """Say where each line begins, passes its middle, and ends."""
    said = []
    for line in lines:
        points = drawable(line, 0.0)
        chosen = list(dict.fromkeys(points[at] for at in (0, len(points) // 2, -1))) if points else []
        told = ", ".join(f"{number(x)}: {percent(share)}" for x, share in chosen)
        said.append(f"{line.name}: {told or 'nothing to draw'}")
    return "; ".join(said)
