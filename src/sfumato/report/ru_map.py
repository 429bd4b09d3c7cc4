"""The R-U map: each configuration is a mark, its loss to the right, its risk upwards.

Nearer to the lower left corner is better. A stepped line joins the marks that nothing beats: for each
loss it shows the lowest risk that was found. Risks that span more than a decade are drawn on a
logarithmic axis. Methods differ in shape and in colour, so that the map can be read in print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sfumato.report.markup import Markup, element
from sfumato.report.words import number, percent, shorten

WIDTH, HEIGHT = 560.0, 400.0
_LEFT, _RIGHT, _TOP, _FLOOR = 62.0, 18.0, 18.0, 344.0
_SIZE = 5.0
_MOST_LABELS = 24
TONES = 6


@dataclass(frozen=True)
class Marked:
    """One configuration on the map; ``group`` numbers its method."""

    name: str
    label: str
    group: int
    risk: float
    loss: float
    on_front: bool
    chosen: bool = False


SMALLEST = 1e-300
"""below it numbers lose their digits, and a quarter of one may be 0: an axis ends at 1 then"""


@dataclass(frozen=True)
class Axis:
    """Where values lie along one side of the map, and what is written there."""

    ticks: tuple[float, ...]
    place: Callable[[float], float]
    """between 0 and 1"""


def linear_axis(values: Sequence[float]) -> Axis:
    """Return an axis from 0 to a round number above all values.

    >>> linear_axis([0.13, 0.34]).ticks
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """
    highest = max([value for value in values if math.isfinite(value)], default=0.0)
    if highest < SMALLEST:
        return Axis((0.0, 1.0), lambda value: value)
    rough = highest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    count = math.ceil(highest / step - 1e-9)
    end = step * count
    # Sums of steps would show their rounding errors.
    ticks = tuple(float(f"{step * i:.12g}") for i in range(count + 1))
    return Axis(ticks, lambda value: value / end)


def risk_axis(values: Sequence[float]) -> Axis:
    """Return a logarithmic axis where risks span more than a factor of eight, else one from 0.

    >>> risk_axis([0.5, 0.02]).ticks
    (0.02, 0.05, 0.1, 0.2, 0.5)
    """
    shown = [value for value in values if math.isfinite(value)]
    if not shown or min(shown) <= 0 or max(shown) / min(shown) <= 8:
        return linear_axis(values)
    exponents = range(math.floor(math.log10(min(shown))), math.ceil(math.log10(max(shown))) + 1)
    round_ones = [float(f"{digit}e{exponent}") for exponent in exponents for digit in (1, 2, 5)]
    first = max(i for i, one in enumerate(round_ones) if one <= min(shown) * (1 + 1e-9))
    last = min(i for i, one in enumerate(round_ones) if one >= max(shown) * (1 - 1e-9))
    ticks = tuple(round_ones[first : last + 1])
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    return Axis(ticks, lambda value: (math.log(value) - low) / (high - low))


def ru_map(
    key: str,
    title: str,
    marks: Sequence[Marked],
    *,
    risk: str,
    loss: str,
    risk_at_most: float | None = None,
    loss_at_most: float | None = None,
) -> Markup:
    """Draw the map; bounds are dashed lines."""
    losses = [*(mark.loss for mark in marks), *([loss_at_most] if loss_at_most else [])]
    risks = [*(mark.risk for mark in marks), *([risk_at_most] if risk_at_most else [])]
    along, up = linear_axis(losses), risk_axis(risks)

    def x(value: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * min(max(along.place(value), 0.0), 1.0)

    def y(value: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * min(max(up.place(value), 0.0), 1.0)

    drawn = [*_grid(along, up, x, y, risk, loss)]
    if risk_at_most:
        drawn += [_line(_LEFT, y(risk_at_most), WIDTH - _RIGHT, y(risk_at_most), "mark")]
        drawn += [
            _text(WIDTH - _RIGHT, y(risk_at_most) - 5, f"at most {percent(risk_at_most)}", "label end quiet")
        ]
    if loss_at_most:
        drawn += [_line(x(loss_at_most), _TOP, x(loss_at_most), _FLOOR, "mark")]
        leaning = "label end quiet" if x(loss_at_most) > WIDTH / 2 else "label quiet"
        beside = x(loss_at_most) + (-5 if leaning.startswith("label end") else 5)
        drawn += [_text(beside, _FLOOR - 7, f"at most {number(loss_at_most)}", leaning)]
    best = sorted((mark for mark in marks if mark.on_front), key=lambda mark: (mark.loss, -mark.risk))
    drawn += [_steps([(x(mark.loss), y(mark.risk)) for mark in best])] if len(best) > 1 else []
    few = len(marks) <= _MOST_LABELS
    for mark in sorted(marks, key=lambda mark: mark.on_front):
        drawn.append(_mark(mark, x(mark.loss), y(mark.risk)))
    placed: list[tuple[float, float]] = []
    for mark in sorted(marks, key=lambda mark: not mark.on_front):
        spot = (x(mark.loss) + 9, y(mark.risk) - 6)
        free = all(abs(spot[0] - a) > 34 or abs(spot[1] - b) > 11 for a, b in placed)
        if mark.label and free and (few or mark.on_front):
            placed.append(spot)
            drawn.append(_text(*spot, shorten(mark.label, 18), "label" if mark.on_front else "label quiet"))
    spoken = "; ".join(
        f"{mark.name}: {risk} {percent(mark.risk)}, {loss} {number(mark.loss)}"
        + (", not beaten" if mark.on_front else "")
        for mark in marks
    )
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", spoken, id=f"{key}-description"),
        drawn,
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        role="img",
        class_="map",
        aria_labelledby=f"{key}-title {key}-description",
    )


def swatch(group: int) -> Markup:
    """Draw the mark of a method for the key."""
    return element(
        "svg", _shape(group, 8, 8, ""), viewBox="0 0 16 16", class_="swatch-mark", aria_hidden="true"
    )


def _grid(
    along: Axis, up: Axis, x: Callable[[float], float], y: Callable[[float], float], risk: str, loss: str
) -> list[Markup]:
    drawn = []
    for tick in up.ticks:
        drawn.append(_line(_LEFT, y(tick), WIDTH - _RIGHT, y(tick), "grid"))
        drawn.append(_text(_LEFT - 8, y(tick) + 4, percent(tick), "label end quiet"))
    for tick in along.ticks:
        drawn.append(_line(x(tick), _TOP, x(tick), _FLOOR, "grid"))
        drawn.append(_text(x(tick), _FLOOR + 18, number(tick), "label middle quiet"))
    drawn.append(_line(_LEFT, _FLOOR, WIDTH - _RIGHT, _FLOOR, "axis"))
    drawn.append(_line(_LEFT, _TOP, _LEFT, _FLOOR, "axis"))
    drawn.append(_text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 18, f"{loss} (less is better)", "label middle"))
    middle = (_TOP + _FLOOR) / 2
    drawn.append(
        element(
            "text",
            risk,
            x=0,
            y=0,
            class_="label middle",
            transform=f"translate(13 {middle:.0f}) rotate(-90)",
        )
    )
    return drawn


def _steps(places: Sequence[tuple[float, float]]) -> Markup:
    """Join marks from left to right: level up to the next, then down to it."""
    path = f"M{places[0][0]:.1f} {places[0][1]:.1f}"
    for across, down in places[1:]:
        path += f"H{across:.1f}V{down:.1f}"
    return element("path", d=path, class_="front")


def _mark(mark: Marked, x: float, y: float) -> Markup:
    said = f"{mark.name}: risk {percent(mark.risk)}, loss {number(mark.loss)}"
    ring = element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=11, class_="ring") if mark.chosen else None
    return element(
        "g", element("title", said), ring, _shape(mark.group, x, y, "on" if mark.on_front else "beaten")
    )


def _shape(group: int, x: float, y: float, state: str) -> Markup:
    """Draw a circle, square, triangle, diamond, turned triangle or cross."""
    # Past the sixth method the shapes come again, each in another colour.
    look = f"spot tone-{(group + group // TONES) % TONES} {state}".rstrip()
    s = _SIZE
    corners = {
        1: [(-s, -s), (s, -s), (s, s), (-s, s)],
        2: [(0, -s - 1), (s + 1, s), (-s - 1, s)],
        3: [(0, -s - 1.5), (s + 1.5, 0), (0, s + 1.5), (-s - 1.5, 0)],
        4: [(-s - 1, -s), (s + 1, -s), (0, s + 1)],
        5: [
            (-2, -s),
            (2, -s),
            (2, -2),
            (s, -2),
            (s, 2),
            (2, 2),
            (2, s),
            (-2, s),
            (-2, 2),
            (-s, 2),
            (-s, -2),
            (-2, -2),
        ],
    }.get(group % TONES)
    if corners is None:
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=s, class_=look)
    points = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners)
    return element("polygon", points=points, class_=look)


def _text(x: float, y: float, content: str, class_: str) -> Markup:
    return element("text", content, x=f"{x:.1f}", y=f"{y:.1f}", class_=class_)


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", class_=class_)
