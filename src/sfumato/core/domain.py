"""The distinct values of one column, in order, with missing as a value of its own."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Scale(StrEnum):
    """How the values of a column relate to each other."""

    NUMBER = "number"
    DATE = "date"
    CATEGORY = "category"


MOST_EXACT = 2**53
"""below this every whole number has a float of its own"""


def as_number(value: Any) -> float | None:
    """Read a value as a finite number, or None. Text counts when it is written as a plain number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and ("_" in value or value != value.strip()):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    # Beyond, neighbours share one float: such numbers are codes, not amounts.
    return number if isinstance(value, float) or abs(number) < MOST_EXACT else None


def _exact(value: Any, position: float | None) -> Decimal | float | None:
    """Return what numbers are sorted by: decimals of many digits may share a float."""
    if isinstance(value, str | Decimal):
        with contextlib.suppress(InvalidOperation):
            return Decimal(value)
    return position


def as_day(value: Any) -> float | None:
    """Read a date (or ISO text of one) as a day number, or None."""
    if isinstance(value, dt.datetime):
        midnight = dt.datetime.combine(value.date(), dt.time(), value.tzinfo)
        day = value.toordinal()
        # The last microseconds of a day must not round up into the next.
        return min(day + (value - midnight) / dt.timedelta(days=1), math.nextafter(day + 1.0, 0.0))
    if isinstance(value, dt.date):
        return float(value.toordinal())
    if isinstance(value, str) and len(value) == 10:
        try:
            return float(dt.date.fromisoformat(value).toordinal())
        except ValueError:
            return None
    return None


@dataclass(frozen=True)
class Domain:
    """The distinct values of a column: sorted by number, day or text; missing (None) comes last.

    A code is a position in ``values``.

    >>> Domain.of("age", ["30", "9", None]).values
    ('9', '30', None)
    """

    name: str
    values: tuple[Any, ...]
    scale: Scale
    positions: NDArray[np.float64] | None = field(default=None, compare=False)
    """where each value lies on its axis (NaN for missing); None for categories"""

    @classmethod
    def of(cls, name: str, values: Iterable[Any]) -> Domain:
        """Sort distinct values and recognise numbers and dates among them."""
        distinct = set(values)
        missing = None in distinct
        present = [value for value in distinct if value is not None]
        for scale, read in ((Scale.NUMBER, as_number), (Scale.DATE, as_day)):
            placed = [read(value) for value in present]
            if present and None not in placed:
                pairs = sorted(
                    zip(placed, map(str, present), present, strict=True),
                    key=lambda pair: (_exact(pair[2], pair[0]), pair[1]),
                )
                tail = [math.nan] if missing else []
                positions = np.array([pair[0] for pair in pairs] + tail, np.float64)
                positions.flags.writeable = False
                ordered = tuple(pair[2] for pair in pairs)
                return cls(name, ordered + ((None,) if missing else ()), scale, positions)
        ordered = tuple(sorted(present, key=str))
        return cls(name, ordered + ((None,) if missing else ()), Scale.CATEGORY)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def has_missing(self) -> bool:
        """Whether some rows have no value here."""
        return bool(self.values) and self.values[-1] is None

    @cached_property
    def texts(self) -> tuple[str | None, ...]:
        """The values as they are written in a release that keeps them."""
        return tuple(None if value is None else as_text(value) for value in self.values)


def as_text(value: Any) -> str:
    """Write a value the way it stands in a file: 39, 2.5, 2024-02-29, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
