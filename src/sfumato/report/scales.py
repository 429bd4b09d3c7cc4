"""Scales of plots: where values lie along an axis, where it is labelled, and how much room labels take.

Every number has a place: 0, numbers next to nothing, the largest ones. Labels of an axis differ from each
other, there are few of them, and none is cut off by the edge of the plot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SMALLEST, LARGEST = 1e-300, 1e300
"""below and above them a quarter of a number, or its hundredfold, may be 0 or infinite"""
_MOST_TICKS = 7


@dataclass(frozen=True)
class Axis:
    """Where values lie along one side of a plot, and where it is labelled."""

    ticks: tuple[float, ...]
    place: Callable[[float], float]
    """between 0 and 1"""


def _within(share: float) -> float:
    return min(max(share, 0.0), 1.0) if math.isfinite(share) else float(share > 0)


def linear_axis(values: Sequence[float]) -> Axis:
    """Return an axis from 0 to a round number above all values.

    >>> linear_axis([0.13, 0.34]).ticks
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """
    highest = min(max([value for value in values if math.isfinite(value)], default=0.0), LARGEST)
    if highest < SMALLEST:
        return Axis((0.0, 1.0), _within)
    rough = highest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    count = max(math.ceil(highest / step - 1e-9), 1)
    # Sums of steps would show their rounding errors.
    ticks = tuple(float(f"{step * i:.12g}") for i in range(count + 1))
    return Axis(ticks, lambda value: _within(value / ticks[-1]))


def ratio_axis(values: Sequence[float]) -> Axis:
    """Return a logarithmic axis where values span more than a factor of eight, else one from 0.

    >>> ratio_axis([0.5, 0.02]).ticks
    (0.02, 0.05, 0.1, 0.2, 0.5)
    >>> ratio_axis([0.5, 0.00002]).ticks
    (1e-05, 0.0001, 0.001, 0.01, 0.1, 1.0)
    """
    shown = [value for value in values if math.isfinite(value)]
    least, most = (min(shown), max(shown)) if shown else (0.0, 0.0)
    # What is next to nothing has no decades of its own; beside larger numbers it lies on the floor.
    if least < SMALLEST or most > LARGEST or most / least <= 8:
        return linear_axis(values)
    ticks = _decades(least, most)
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    return Axis(ticks, lambda value: _within((math.log(value) - low) / (high - low)) if value > 0 else 0.0)


def _decades(least: float, most: float) -> tuple[float, ...]:
    """Return few round numbers that enclose two others: 1, 2, 5 and so on, or powers of ten."""
    first, last = math.floor(math.log10(least) + 1e-9), math.ceil(math.log10(most) - 1e-9)
    finer = [float(f"{digit}e{power}") for power in range(first, last + 1) for digit in (1, 2, 5)]
    low = max(at for at, one in enumerate(finer) if at == 0 or one <= least * (1 + 1e-9))
    high = min(at for at, one in enumerate(finer) if at == len(finer) - 1 or one >= most * (1 - 1e-9))
    if high - low < _MOST_TICKS:
        return tuple(finer[low : high + 1])
    step = math.ceil((last - first) / (_MOST_TICKS - 1))
    count = math.ceil((last - first) / step)
    return tuple(float(f"1e{first + step * at}") for at in range(count + 1))


def tick_labels(ticks: Sequence[float], *, shares: bool = False) -> list[str]:
    """Write the labels of an axis, each in full where that is short; ``shares`` in per cent.

    >>> tick_labels([0, 0.0002, 0.25, 1], shares=True), tick_labels([0.0, 2500.0, 1e9])
    (['0%', '0.02%', '25%', '100%'], ['0', '2,500', '1e+09'])
    """
    scale, sign = (100.0, "%") if shares else (1.0, "")
    return [_written(float(f"{scale * tick:.6g}")) + sign for tick in ticks]


def _written(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e7 else f"{value:.4g}"


def width_of(text: str) -> float:
    """Return how much room a label takes at most, in any font without serifs that a page may be shown in."""
    return sum(map(_wide, text))


def _wide(letter: str) -> float:
    if not letter.isascii() or not letter.isprintable() or letter.isupper() or letter in "%@mw":
        return 12.5
    return 8.0


def fitted(text: str, room: float) -> str:
    """Cut a label that takes more than some room, and say so with an ellipsis.

    >>> fitted("certainty", 40), fitted("loss", 40)
    ('cer…', 'loss')
    """
    if width_of(text) <= room:
        return text
    kept = text
    while kept and width_of(f"{kept}…") > room:
        kept = kept[:-1]
    return f"{kept}…"


def kept_inside(middle: float, text: str, left: float, right: float) -> float:
    """Return where the middle of a label must lie for it not to be cut off.

    >>> kept_inside(5, "1,000", 0, 560), kept_inside(300, "1,000", 0, 560)
    (20.0, 300)
    """
    half = width_of(text) / 2
    return max(min(middle, right - half), left + half)
