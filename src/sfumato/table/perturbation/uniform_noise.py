"""Uniform noise: every number is moved by a random amount within a bound, such as all ages by two years.

R. Agrawal & R. Srikant, "Privacy-preserving data mining" (2000), who reconstruct distributions from values
moved within a known interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

F64 = NDArray[np.float64]
_MOST_STEPS = 2**52
"""whole numbers up to here lie one apart as floats"""


@dataclass(frozen=True)
class UniformNoise:
    """Move every number to one drawn evenly from those at most ``within`` away:

        x' ~ U( [x − w, x + w] ∩ [low, high] ).

    Whole numbers and dates (in days) stay whole: each of the 2⌊w⌋ + 1 is equally likely, the value itself
    among them. ``low`` and ``high`` keep what is drawn inside of what is possible (no age below 0); values
    beyond them are an error. Without them means are kept in expectation, and the variance grows by w²/3 (of
    whole numbers ⌊w⌋(⌊w⌋ + 1)/3).

    Everybody knows the bound, and that no value moved farther: x lies within w of what is shown. It promises
    nothing about one person, and several noisy versions of a table can be averaged, rows of one person too.
    Missing values stay missing.

    >>> UniformNoise("age", within=2).columns
    ('age',)
    """

    columns: tuple[str, ...]
    within: float
    low: float | None = None
    high: float | None = None
    name: ClassVar[str] = "uniform-noise"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        reading.check_names(self.name, self.columns)
        if isinstance(self.within, bool) or not 0.0 < self.within < _MOST_STEPS:
            raise BadInput(
                "within must be a positive number: how far a value may move",
                where=self.name,
                remedy="try within: 2",
            )
        if self._low >= self._high:
            raise BadInput("low must lie below high", where=self.name, remedy="try low: 0 and high: 120")

    @property
    def _low(self) -> float:
        return -math.inf if self.low is None else self.low

    @property
    def _high(self) -> float:
        return math.inf if self.high is None else self.high

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw a value for every one that is there."""
        details: dict[str, int | float | str] = {}
        for name in self.columns:
            axis = reading.axis_of(records, name)
            before = axis.values
            beyond = int(((before < self._low) | (before > self._high)).sum())
            if beyond:
                raise BadInput(
                    f"{beyond:,} values lie beyond 'low' or 'high'",
                    where=f"column '{name}'",
                    remedy="widen the bounds, or mend the values",
                )
            whole = axis.whole or pa.types.is_date(axis.type)
            after = self._whole(before, name, random) if whole else self._moved(before, random)
            records = reading.with_column(records, name, axis.write(after, whole=whole))
            moved = np.abs(after - before)[axis.present]
            details[f"mean_move_in_{name}"] = float(moved.mean()) if len(moved) else 0.0
            details[f"unchanged_in_{name}"] = int((after == before).sum())
        return Perturbed(records, details=details)

    def _moved(self, before: F64, random: Random) -> F64:
        """Draw numbers from the interval around each value."""
        first = np.maximum(before - self.within, self._low)
        last = np.minimum(before + self.within, self._high)
        after: F64 = np.clip(first + random.uniform(len(before)) * (last - first), first, last)
        return after

    def _whole(self, before: F64, name: str, random: Random) -> F64:
        """Draw whole numbers from those around each value, all equally likely."""
        steps = math.floor(self.within)
        if not steps:
            raise BadInput(
                "its values are whole, and none lies so near to another",
                where=f"column '{name}'",
                remedy="move them by 1 or more",
            )
        known = np.nan_to_num(before)
        first = np.maximum(known - steps, np.ceil(self._low))
        last = np.minimum(known + steps, np.floor(self._high))
        many = (last - first).astype(np.int64) + 1
        drawn = np.zeros(len(before))
        for size in np.unique(many):
            some = np.flatnonzero(many == size)
            drawn[some] = random.integers(int(size), len(some))
        return np.where(np.isnan(before), np.nan, first + drawn)
