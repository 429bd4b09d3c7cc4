"""Numbers as intervals of equal width that nest: 5, 10, 20 years of age."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.hierarchy.bounds import (
    EXACT,
    Bounds,
    as_float,
    exact,
    interval_level,
    is_whole,
    leaf_count,
    positions_of,
)
from sfumato.hierarchy.build import Level, assemble, root_level
from sfumato.hierarchy.ladder import Ladder

_BELOW = np.iinfo(np.int64).min
_ABOVE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Intervals:
    """Intervals [origin + i·width, origin + (i+1)·width), wider at each level, ``*`` on top.

    ``widths``  one width or several; each must be a multiple of the one before, so that they nest.
    ``levels``  how many levels of intervals; widths that are not given double the last one.
    ``origin``  a bound that all intervals snap to.
    ``bottom``  numbers below it are one group, ``<20`` (bottom coding).
    ``top``     numbers from it on are one group, ``90+`` (top coding).
    ``snap``    where ``bottom`` or ``top`` cuts an interval, the rest of it joins the coded group
                (80-89 and 90+ become 80+ at width 20) instead of standing alone.

    Whole numbers give closed labels (20-24), others half-open ones ([20, 25)). Leaves are counted
    between the lowest and the highest number of the column: integers if all are whole, else the
    distinct values that occur.

    >>> ladder = Intervals((5, 10), top=90).ladder(Domain.of("age", ["17", "38", "90", "93"]))
    >>> ladder.labels[1], ladder.labels[2]
    (('15-19', '35-39', '90+'), ('10-19', '30-39', '90+'))
    >>> ladder.leaves[1].tolist(), ladder.size
    ([3.0, 5.0, 4.0], 77)
    """

    widths: float | Sequence[float]
    origin: float = 0
    bottom: float | None = None
    top: float | None = None
    levels: int | None = None
    snap: bool = False
    bottom_label: str | None = None
    top_label: str | None = None

    def __post_init__(self) -> None:
        given = self.widths if isinstance(self.widths, Sequence) else (self.widths,)
        object.__setattr__(self, "widths", tuple(given))
        widths = [exact(width, "a width") for width in given]
        if not widths or min(widths) <= 0:
            raise BadInput("widths must be positive numbers, and at least one", where="intervals")
        for narrow, wide in pairwise(widths):
            if wide <= narrow or wide % narrow:
                raise BadInput(
                    "the widths do not nest",
                    where="intervals",
                    remedy="make each width a multiple of the one before, such as 5, 10, 20",
                )
        if self.levels is not None and (type(self.levels) is not int or self.levels < len(widths)):
            raise BadInput(
                "levels must be a whole number, not smaller than the number of widths", where="intervals"
            )
        exact(self.origin, "the origin")
        ends = [
            exact(end, name) for end, name in ((self.bottom, "bottom"), (self.top, "top")) if end is not None
        ]
        if len(ends) == 2 and ends[0] >= ends[1]:
            raise BadInput("bottom must be smaller than top", where="intervals")

    def all_widths(self) -> list[Fraction]:
        """Return the width of each level, doubled ones included."""
        assert isinstance(self.widths, tuple)
        widths = [exact(width, "a width") for width in self.widths]
        while len(widths) < (self.levels or 0):
            widths.append(2 * widths[-1])
        return widths

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the intervals over the numbers of a column."""
        positions = positions_of(domain)
        origin, widths = exact(self.origin, "the origin"), self.all_widths()
        ends = [exact(end, "an end") for end in (self.bottom, self.top) if end is not None]
        whole = is_whole(positions) and all(number.denominator == 1 for number in (origin, *widths, *ends))
        index = _index(positions, origin, widths[0], domain.name)
        levels = [self._level(positions, index, width, whole) for width in widths]
        size = leaf_count(positions, whole)
        return assemble(domain, [*levels, root_level(len(positions), size)], size)

    def _level(
        self, positions: NDArray[np.float64], index: NDArray[np.int64], width: Fraction, whole: bool
    ) -> Level:
        origin = exact(self.origin, "the origin")
        # No index is beyond 2^52, so a larger ratio groups as 2^62 does, and fits the array's integers.
        keys = index // min(int(width / self.all_widths()[0]), 2**62)
        bottom, top = self._ends(origin, width)
        if bottom is not None and top is not None and bottom > top:
            return root_level(len(positions), leaf_count(positions, whole))
        if bottom is not None:
            keys[positions < as_float(bottom)] = _BELOW
        if top is not None:
            keys[positions >= as_float(top)] = _ABOVE

        def bounds(key: int) -> Bounds:
            if key == _BELOW:
                return None, bottom
            if key == _ABOVE:
                return top, None
            low, high = origin + key * width, origin + (key + 1) * width
            return (
                low if bottom is None else max(low, bottom),
                high if top is None else min(high, top),
            )

        level = interval_level(positions, keys, bounds, whole)
        return Level(level.groups, self._own_labels(keys, level.labels), level.leaves)

    def _ends(self, origin: Fraction, width: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return bottom and top of a level: snapping moves them to the bounds of its intervals."""
        bottom = None if self.bottom is None else exact(self.bottom, "bottom")
        top = None if self.top is None else exact(self.top, "top")
        if self.snap and bottom is not None:
            bottom = origin + math.ceil((bottom - origin) / width) * width
        if self.snap and top is not None:
            top = origin + math.floor((top - origin) / width) * width
        return bottom, top

    def _own_labels(self, keys: NDArray[np.int64], labels: Sequence[str | None]) -> list[str | None]:
        """Put the user's labels on the coded groups: the first and the last."""
        mine = list(labels)
        if self.bottom_label is not None and (keys == _BELOW).any():
            mine[0] = self.bottom_label
        if self.top_label is not None and (keys == _ABOVE).any():
            mine[-1] = self.top_label
        return mine


def _index(
    positions: NDArray[np.float64], origin: Fraction, width: Fraction, column: str
) -> NDArray[np.int64]:
    """Return i with origin + i·width ≤ x < origin + (i+1)·width, exact for decimals such as 0.1.

    A bound is (p + i·q) / scale with integers p, q; the quotient of two integers is rounded to the
    nearest float, as the number in the file was, so equal decimals compare as equal.
    """
    with np.errstate(over="ignore"):
        guess = np.floor((positions - as_float(origin)) / as_float(width))
    farthest = float(np.abs(guess).max(initial=0)) + 2
    if not farthest < EXACT:
        raise BadInput(
            "the width is too small for the range of the numbers",
            where=f"column '{column}'",
            remedy="choose wider intervals",
        )
    scale = math.lcm(origin.denominator, width.denominator)
    start, step = int(origin * scale), int(width * scale)
    fits = farthest * step + abs(start) < EXACT and scale < EXACT

    def bound(index: NDArray[np.int64]) -> NDArray[np.float64]:
        if fits:
            return (start + index * step) / scale
        return np.array([as_float(origin + number * width) for number in index.tolist()])

    index = guess.astype(np.int64)
    index -= positions < bound(index)
    index += positions >= bound(index + 1)
    return index
