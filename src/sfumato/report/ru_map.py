"""The R-U map: each configuration is a mark, its loss to the right, its risk upwards.

Nearer to the lower left corner is better. A stepped line joins the marks that nothing beats: for each
loss it shows the lowest risk that was found. Risks that span more than a decade are drawn on a
logarithmic axis. Methods differ in shape and in colour, so that the map can be read in print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.report.markup import Markup, element
from sfumato.report.scales import (
    Axis,
    fitted,
    kept_inside,
    linear_axis,
    ratio_axis,
    tick_labels,
    width_of,
)
from sfumato.report.words import number, percent, shorten

WIDTH, HEIGHT = 560.0, 400.0
_LEFT, _RIGHT, _TOP, _FLOOR = 62.0, 18.0, 18.0, 344.0
_TITLE, _GAP = 24.0, 8.0
"""the room of the upright title at the left edge, and the gap between labels and what they are about"""
_TITLE_AT = (_TOP + _FLOOR) / 2
_BETTER = " (less is better)"
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
    frame = _framed(linear_axis(losses), ratio_axis(risks))
    x, y = frame.x, frame.y
    drawn = [*_grid(frame, risk, loss)]
    if risk_at_most:
        bound = f"at most {tick_labels([risk_at_most], shares=True)[0]}"
        drawn += [_line(frame.left, y(risk_at_most), frame.right, y(risk_at_most), "mark")]
        drawn += [_text(frame.right, y(risk_at_most) - 5, bound, "label end quiet")]
    if loss_at_most:
        drawn += [_line(x(loss_at_most), _TOP, x(loss_at_most), _FLOOR, "mark")]
        drawn += [_beside(x(loss_at_most), _FLOOR - 7, 5, f"at most {number(loss_at_most)}", "label quiet")]
    best = sorted((mark for mark in marks if mark.on_front), key=lambda mark: (mark.loss, -mark.risk))
    drawn += [_steps([(x(mark.loss), y(mark.risk)) for mark in best])] if len(best) > 1 else []
    for mark in sorted(marks, key=lambda mark: mark.on_front):
        drawn.append(_mark(mark, x(mark.loss), y(mark.risk)))
    drawn += _names(marks, frame)
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


@dataclass(frozen=True)
class _Frame:
    """The two axes with their labels, and the rectangle in which marks lie."""

    along: Axis
    up: Axis
    losses: list[str]
    risks: list[str]
    left: float
    right: float

    def x(self, loss: float) -> float:
        return self.left + (self.right - self.left) * self.along.place(loss)

    def y(self, risk: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * self.up.place(risk)


def _framed(along: Axis, up: Axis) -> _Frame:
    """Leave as much room at the sides as the labels take."""
    losses, risks = tick_labels(along.ticks), tick_labels(up.ticks, shares=True)
    left = max(_LEFT, _TITLE + max(map(width_of, risks)) + _GAP)
    return _Frame(along, up, losses, risks, left, WIDTH - max(_RIGHT, width_of(losses[-1]) / 2))


def _grid(frame: _Frame, risk: str, loss: str) -> list[Markup]:
    drawn = []
    for tick, label in zip(frame.up.ticks, frame.risks, strict=True):
        drawn.append(_line(frame.left, frame.y(tick), frame.right, frame.y(tick), "grid"))
        drawn.append(_text(frame.left - _GAP, frame.y(tick) + 4, label, "label end quiet"))
    for tick, label in zip(frame.along.ticks, frame.losses, strict=True):
        drawn.append(_line(frame.x(tick), _TOP, frame.x(tick), _FLOOR, "grid"))
        drawn.append(_text(frame.x(tick), _FLOOR + 18, label, "label middle quiet"))
    drawn.append(_line(frame.left, _FLOOR, frame.right, _FLOOR, "axis"))
    drawn.append(_line(frame.left, _TOP, frame.left, _FLOOR, "axis"))
    title = f"{fitted(loss, WIDTH - width_of(_BETTER))}{_BETTER}"
    middle = kept_inside((frame.left + frame.right) / 2, title, 0, WIDTH)
    drawn.append(_text(middle, HEIGHT - 18, title, "label middle"))
    drawn.append(
        element(
            "text",
            fitted(risk, 2 * min(HEIGHT - _TITLE_AT, _TITLE_AT)),
            x=0,
            y=0,
            class_="label middle",
            transform=f"translate(13 {_TITLE_AT:.0f}) rotate(-90)",
        )
    )
    return drawn


def _names(marks: Sequence[Marked], frame: _Frame) -> list[Markup]:
    """Name the marks that nothing beats, and the others where there is room; no name covers another."""
    few = len(marks) <= _MOST_LABELS
    drawn: list[Markup] = []
    taken: list[tuple[float, float, float]] = []
    for mark in sorted(marks, key=lambda mark: not mark.on_front):
        said = fitted(shorten(mark.label, 18), WIDTH / 2 - _GAP)
        across, down = frame.x(mark.loss), frame.y(mark.risk) - 6
        wide = width_of(said)
        left = across + 9 if across + 9 + wide <= WIDTH else across - 9 - wide
        free = all(left >= end or begin >= left + wide or abs(down - at) > 11 for begin, end, at in taken)
        if said and free and (few or mark.on_front):
            taken.append((left, left + wide, down))
            look = "label" if mark.on_front else "label quiet"
            drawn.append(_beside(across, down, 9, said, look))
    return drawn


def _beside(x: float, y: float, gap: float, content: str, look: str) -> Markup:
    """Write right of a place, or left of it where the edge is near."""
    if x + gap + width_of(content) <= WIDTH:
        return _text(x + gap, y, content, look)
    return _text(x - gap, y, content, look.replace("label", "label end"))


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
