"""Plots of DNA: cells along positions, an attacker's AUC over the sites used, −log10 p along a genome.

N. Homer and others (2008) showed how the success of an attacker grows with the number of sites: their curve
is drawn with the promised bound across it. Published p-values stand along the genome, as is usual.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sfumato.report.markup import Markup, element
from sfumato.report.plots import WIDTH, _line, _sane, _svg, _text
from sfumato.report.scales import kept_inside, linear_axis, tick_labels
from sfumato.report.words import number, percent, shorten

_LEFT, _RIGHT, _TOP, _FLOOR, _HEIGHT = 44.0, 12.0, 22.0, 216.0, 262.0
_ROOM = WIDTH - _LEFT - _RIGHT
GUESS = 0.5
"""the AUC of somebody who guesses"""
GENOME_WIDE = -math.log10(5e-8)
"""where studies of whole genomes call a site significant"""


@dataclass(frozen=True)
class Curve:
    """An attacker's AUC: for each number of sites the value, and the interval where it is known."""

    name: str
    points: Sequence[tuple[int, float, float | None, float | None]]
    tone: Literal["before", "after"] = "after"
    dotted: bool = False
    """to tell it from another of the same tone"""


@dataclass(frozen=True)
class Limit:
    """A line across the plot: what was promised."""

    value: float
    label: str


def along_positions(
    key: str, title: str, exact: Sequence[float], nothing: Sequence[float], positions: int | None
) -> Markup:
    """Draw for each stretch of positions which share of the cells is exact, partly open and open.

    ``nothing`` holds the shares of cells that say nothing; where it is empty only exact cells are drawn.

    >>> along_positions("p", "Cells", [1.0, 0.5], [0.0, 0.25], 2).count('class="bar')
    3
    """
    wide = _ROOM / max(len(exact), 1)
    tall = _FLOOR - _TOP
    drawn: list[Markup] = []
    for share in (0.0, 0.5, 1.0):
        drawn.append(_text(_LEFT - 6, _FLOOR - tall * share + 4, percent(share), "label end quiet"))
    for place, share in enumerate(exact):
        x, sure = _LEFT + place * wide, _sane(share)
        silent = _sane(nothing[place]) if place < len(nothing) else 0.0
        partly = max(1 - sure - silent, 0.0) if nothing else 0.0
        drawn += _stacked(x, wide, [(sure, "after"), (partly, "before")])
    drawn += [_line(_LEFT, _TOP, _LEFT, _FLOOR, "axis"), _line(_LEFT, _FLOOR, WIDTH, _FLOOR, "axis")]
    last = len(exact) if positions is None else positions
    drawn.append(_text(_LEFT, _FLOOR + 18, "1", "label"))
    if last > 1:
        drawn.append(_text(_LEFT + _ROOM, _FLOOR + 18, number(last), "label end"))
    drawn.append(_text(_LEFT + _ROOM / 2, _HEIGHT - 8, "position", "label middle quiet"))
    mean = math.fsum(map(_sane, exact)) / max(len(exact), 1)
    least = min(map(_sane, exact), default=0.0)
    spoken = f"On average {percent(mean)} of the cells are exact, least {percent(least)}."
    return _svg(key, title, spoken, _HEIGHT, drawn)


def _stacked(x: float, wide: float, parts: Sequence[tuple[float, str]]) -> list[Markup]:
    """Draw shares one above the other; thin bars touch, so that many of them make an area."""
    drawn, floor = [], _FLOOR
    for share, tone in parts:
        tall = (_FLOOR - _TOP) * share
        if tall <= 0:
            continue
        drawn.append(_area(x, floor - tall, wide - 1 if wide > 6 else wide + 0.4, tall, tone))
        floor -= tall
    return drawn


def _area(x: float, y: float, width: float, height: float, tone: str) -> Markup:
    return element(
        "rect", x=f"{x:.2f}", y=f"{y:.1f}", width=f"{width:.2f}", height=f"{height:.1f}", class_=f"bar {tone}"
    )


def success_curves(
    key: str,
    title: str,
    curves: Sequence[Curve],
    limit: Limit | None = None,
    axis: str = "sites that the attacker uses",
) -> Markup:
    """Draw the AUC over the number of sites on a logarithmic scale, with a guess and the promise as lines.

    >>> plot = success_curves("c", "AUC", [Curve("homer", [(10, 0.6, 0.5, 0.7), (100, 0.9, None, None)])])
    >>> plot.count("<circle"), plot.count("<polyline")
    (2, 1)
    """
    sites = sorted({max(place, 1) for curve in curves for place, _, _, _ in curve.points})
    low, high = (math.log10(sites[0]), math.log10(sites[-1])) if sites else (0.0, 0.0)

    def x(place: int) -> float:
        along = (math.log10(max(place, 1)) - low) / (high - low) if high > low else 0.5
        return _LEFT + 14 + (_ROOM - 28) * along

    lowest = min([GUESS, *(_sane(v) for c in curves for _, *vs in c.points for v in vs if v is not None)])
    foot = 0.4 if lowest >= 0.4 else 0.0

    def y(value: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * (_sane(value) - foot) / (1 - foot)

    drawn: list[Markup] = []
    for tick in [value / 10 for value in range(round(foot * 10), 11, 1 if foot else 2)]:
        drawn.append(_text(_LEFT - 8, y(tick) + 4, f"{tick:g}", "label end quiet"))
        drawn.append(_line(_LEFT - 4, y(tick), _LEFT, y(tick), "axis"))
    drawn += [_line(_LEFT, _TOP - 8, _LEFT, _FLOOR, "axis"), _line(_LEFT, _FLOOR, WIDTH, _FLOOR, "axis")]
    drawn += _levels(y, limit)
    for curve in curves:
        drawn += _drawn(curve, x, y)
    placed: list[float] = []
    for place in sites:
        # Labels that would run into the last one are left out.
        room = 4 + 4.5 * len(number(place))
        if all(x(place) - other >= room * 1.6 for other in placed):
            middle = kept_inside(x(place), number(place), 0, WIDTH)
            drawn.append(_text(middle, _FLOOR + 18, number(place), "label middle"))
            placed.append(middle)
    drawn.append(_text(_LEFT + _ROOM / 2, _HEIGHT - 8, axis, "label middle quiet"))
    return _svg(key, title, _spoken(curves, limit), _HEIGHT, drawn)


def _levels(y: Callable[[float], float], limit: Limit | None) -> list[Markup]:
    """Draw what a guess reaches, and what was promised."""
    drawn = [
        _line(_LEFT, y(GUESS), WIDTH - _RIGHT, y(GUESS), "axis"),
        _text(WIDTH - _RIGHT, y(GUESS) + 14, "a guess", "label end quiet"),
    ]
    if limit is not None:
        at = y(limit.value)
        drawn += [
            _line(_LEFT, at, WIDTH - _RIGHT, at, "mark"),
            _text(WIDTH - _RIGHT, at - 6, limit.label, "label end"),
        ]
    return drawn


def _drawn(curve: Curve, x: Callable[[int], float], y: Callable[[float], float]) -> list[Markup]:
    """Draw one curve: its intervals, the line between its points, the points."""
    shown = [point for point in curve.points if math.isfinite(point[1])]
    drawn = [
        _line(x(place), y(low), x(place), y(high), "axis")
        for place, _, low, high in shown
        if low is not None and high is not None
    ]
    if len(shown) > 1:
        line = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value, _, _ in shown)
        dots = " dotted" if curve.dotted else ""
        drawn.append(element("polyline", points=line, class_=f"curve {curve.tone}{dots}"))
    drawn += [
        element("circle", cx=f"{x(place):.1f}", cy=f"{y(value):.1f}", r=4, class_=f"bar {curve.tone}")
        for place, value, _, _ in shown
    ]
    return drawn


def _spoken(curves: Sequence[Curve], limit: Limit | None) -> str:
    said = [
        f"{curve.name}: "
        + ", ".join(f"{number(place)}: {number(value)}" for place, value, _, _ in curve.points)
        for curve in curves
    ]
    if limit is not None:
        said.append(f"{limit.label}: {number(limit.value)}")
    return "; ".join(said)


def manhattan(key: str, title: str, heights: Sequence[tuple[str, float | None]]) -> Markup:
    """Draw −log10 p of stretches of sites along the genome, chromosomes in turn in two tones.

    >>> manhattan("m", "p", [("1", 2.0), ("1", None), ("2", 9.0)]).count("<circle")
    2
    """
    known = [height for _, height in heights if height is not None and math.isfinite(height)]
    up = linear_axis([GENOME_WIDE + 0.5, *known])
    step = _ROOM / max(len(heights), 1)

    def y(height: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * min(max(up.place(height), 0.0), 1.0)

    drawn: list[Markup] = []
    for tick, label in zip(up.ticks, tick_labels(up.ticks), strict=True):
        drawn.append(_text(_LEFT - 8, y(tick) + 4, label, "label end quiet"))
        drawn.append(_line(_LEFT - 4, y(tick), _LEFT, y(tick), "axis"))
    drawn += [_line(_LEFT, _TOP - 8, _LEFT, _FLOOR, "axis"), _line(_LEFT, _FLOOR, WIDTH, _FLOOR, "axis")]
    drawn.append(_line(_LEFT, y(GENOME_WIDE), WIDTH - _RIGHT, y(GENOME_WIDE), "mark"))
    drawn.append(_text(WIDTH - _RIGHT, y(GENOME_WIDE) - 6, "p = 5·10⁻⁸", "label end quiet"))
    turn, last, began, label_end = -1, None, 0, _LEFT
    for place, (chromosome, height) in enumerate([*heights, (None, None)]):
        if chromosome != last or chromosome is None:
            if last is not None:
                middle = _LEFT + step * (began + place) / 2
                label = shorten(last, 12)
                half = 3.7 * len(label)
                if middle - half >= label_end and middle + half <= WIDTH:
                    drawn.append(_text(middle, _FLOOR + 18, label, "label middle"))
                    label_end = middle + half + 4
            turn, last, began = turn + 1, chromosome, place
        if height is not None and math.isfinite(height):
            tone = "after" if turn % 2 == 0 else "before"
            x = _LEFT + step * (place + 0.5)
            drawn.append(element("circle", cx=f"{x:.1f}", cy=f"{y(height):.1f}", r=2.5, class_=f"bar {tone}"))
    drawn.append(_text(_LEFT + _ROOM / 2, _HEIGHT - 8, "chromosome", "label middle quiet"))
    spoken = f"{number(len(known))} points; the highest is {number(max(known, default=0.0))}."
    return _svg(key, title, spoken, _HEIGHT, drawn)
