"""Conditions on one column: intervals of an axis, or some of its values.

Whole numbers and days fill unit intervals, n being [n, n + 1); a single value x of an axis without
steps is [x, next float). So every condition is a union of half-open intervals, and the part of a label
that satisfies it is a ratio of lengths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Comparison = Literal["=", "<>", "<", "<=", ">", ">="]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Ranges:
    """Numbers (or days) in one of some disjoint intervals [low, high), in order; missing, too, if said.

    >>> Ranges.of("<=", 3.0, whole=True).both(Ranges.of(">", 1.0, whole=True)).intervals
    ((2.0, 4.0),)
    """

    intervals: tuple[Interval, ...]
    missing: bool = False

    @classmethod
    def of(cls, comparison: Comparison, value: float, *, whole: bool) -> Ranges:
        """Return the values that compare so with a value; a missing value compares with nothing."""
        infinity = math.inf
        if whole:
            here, after = float(math.ceil(value)), float(math.floor(value) + 1)
        else:
            here, after = value, math.nextafter(value, infinity)
        match comparison:
            case "=":
                return cls(((here, after),) if here < after else ())
            case "<>":
                return cls(
                    ((-infinity, here), (after, infinity)) if here < after else ((-infinity, infinity),)
                )
            case "<":
                return cls(((-infinity, here),))
            case "<=":
                return cls(((-infinity, after),))
            case ">":
                return cls(((after, infinity),))
            case ">=":
                return cls(((here, infinity),))

    def both(self, other: Ranges) -> Ranges:
        """Return what satisfies this and the other."""
        found = [
            (max(a, c), min(b, d))
            for a, b in self.intervals
            for c, d in other.intervals
            if max(a, c) < min(b, d)
        ]
        return Ranges(tuple(sorted(found)), self.missing and other.missing)

    def either(self, other: Ranges) -> Ranges:
        """Return what satisfies this or the other."""
        merged: list[Interval] = []
        for low, high in sorted((*self.intervals, *other.intervals)):
            if merged and low <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], high))
            else:
                merged.append((low, high))
        return Ranges(tuple(merged), self.missing or other.missing)


EVERY_NUMBER = Ranges(((-math.inf, math.inf),))


@dataclass(frozen=True)
class Among:
    """Some of the values of a column, by code; the last code stands for missing."""

    mask: NDArray[np.bool_] = field(compare=False)

    def both(self, other: Among) -> Among:
        """Return what satisfies this and the other."""
        return Among(self.mask & other.mask)

    def either(self, other: Among) -> Among:
        """Return what satisfies this or the other."""
        return Among(self.mask | other.mask)


On = Ranges | Among


def both(one: On, other: On) -> On:
    """Return what satisfies two conditions on the same column."""
    if isinstance(one, Ranges):
        assert isinstance(other, Ranges)
        return one.both(other)
    assert isinstance(other, Among)
    return one.both(other)


def either(one: On, other: On) -> On:
    """Return what satisfies one of two conditions on the same column."""
    if isinstance(one, Ranges):
        assert isinstance(other, Ranges)
        return one.either(other)
    assert isinstance(other, Among)
    return one.either(other)
