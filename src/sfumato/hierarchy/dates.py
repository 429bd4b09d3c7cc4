"""Dates as months, quarters, years, decades."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_day
from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.build import Level, UnreadableValues, assemble, present_values, root_level
from sfumato.hierarchy.ladder import Ladder

_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
UNITS = ("day", *_MONTHS)
"""the units that dates can be told in, each inside the next"""
_EPOCH = dt.date(1970, 1, 1).toordinal()
_MONTHS_TO_EPOCH = 1970 * 12


@dataclass(frozen=True)
class Dates:
    """Dates, date-times and ISO text of them, told in ever longer units; ``*`` on top.

    Level 0 is the value itself: for date-times begin with ``day``. A unit holds whole months
    counted from January of year 0, so every unit lies inside the next. Leaves are the days between
    the first and the last of the column; of date-times, the distinct values that occur.

    >>> Dates().ladder(Domain.of("birth", ["2024-02-29"])).labels
    (('2024-02-29',), ('2024-02',), ('2024-Q1',), ('2024',), ('2020-2029',), ('*',))
    """

    levels: Sequence[str] = ("month", "quarter", "year", "decade")

    def __post_init__(self) -> None:
        if isinstance(self.levels, str):
            raise BadInput("levels must be a list of units", where="dates")
        object.__setattr__(self, "levels", tuple(self.levels))
        for unit in self.levels:
            if unit not in UNITS:
                raise BadInput(f"there is no unit '{unit}'", where="dates", remedy=nearest(str(unit), UNITS))
        order = [UNITS.index(unit) for unit in self.levels]
        if not order or order != sorted(set(order)):
            raise BadInput(
                "levels must go from short units to long ones", where="dates", remedy=", ".join(UNITS)
            )

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the units over the dates of a column."""
        moments = moments_of(domain)
        days = np.floor(moments).astype(np.int64)
        whole = bool((moments == days).all())
        repeated = len(days) - len(np.unique(days))
        size = int(days.max() - days.min()) + 1 + repeated if whole and len(days) else len(days)
        levels = [_level(days, unit, whole) for unit in self.levels]
        return assemble(domain, [*levels, root_level(len(days), size)], size)


def moments_of(domain: Domain) -> NDArray[np.float64]:
    """Return the day number of each value that is not missing, with the time of day as a fraction."""
    present = present_values(domain)
    if domain.scale is Scale.DATE and domain.positions is not None:
        return domain.positions[:present]
    moments = [_moment(value) for value in domain.values[:present]]
    strange = tuple(code for code, moment in enumerate(moments) if moment is None)
    if strange:
        raise UnreadableValues(domain.name, strange, "a date", "dates")
    return np.array(moments, np.float64)


def _moment(value: Any) -> float | None:
    day = as_day(value)
    if day is None and isinstance(value, str) and len(value) > 10:
        try:
            return as_day(dt.datetime.fromisoformat(value))
        except ValueError:
            return None
    return day


def _level(days: NDArray[np.int64], unit: str, whole: bool) -> Level:
    keys = _keys(days, unit)
    used, groups = np.unique(keys, return_inverse=True)
    leaves = np.bincount(groups, minlength=len(used)).astype(np.float64)
    if whole and len(days):
        first = np.maximum(_first_day(used, unit), days.min())
        last = np.minimum(_first_day(used + 1, unit) - 1, days.max())
        seen = np.unique(days, return_index=True)[1]
        # Days written in two ways count once for each.
        leaves += (last - first + 1) - np.bincount(groups[seen], minlength=len(used))
    return Level(groups.astype(np.int64), [_label(key, unit) for key in used.tolist()], leaves)


def _keys(days: NDArray[np.int64], unit: str) -> NDArray[np.int64]:
    """Number the unit that each day lies in; months are counted from year 0, where units divide evenly."""
    if unit == "day":
        return days
    months = (days - _EPOCH).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return (months + _MONTHS_TO_EPOCH) // _MONTHS[unit]


def _first_day(keys: NDArray[np.int64], unit: str) -> NDArray[np.int64]:
    if unit == "day":
        return keys
    months = (keys * _MONTHS[unit] - _MONTHS_TO_EPOCH).astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.int64) + _EPOCH


def _label(key: int, unit: str) -> str:
    if unit == "day":
        return dt.date.fromordinal(key).isoformat()
    if unit == "month":
        return f"{key // 12:04}-{key % 12 + 1:02}"
    if unit == "quarter":
        return f"{key // 4:04}-Q{key % 4 + 1}"
    if unit == "year":
        return f"{key:04}"
    return f"{key * 10:04}-{key * 10 + 9:04}"
