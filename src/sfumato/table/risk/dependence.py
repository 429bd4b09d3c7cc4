"""Columns that follow from others: copies and functions, found by pairs of records that agree.

Of two records that share a quasi-identifier, how often do they share the value of a column, too? With n_x
records of quasi-identifier x, n_v of value v and n_xv of both, the share of pairs is

    agreement = Σ n_xv (n_xv − 1) / Σ n_x (n_x − 1),    chance = Σ n_v (n_v − 1) / (n (n − 1)),

and κ = (agreement − chance) / (1 − chance), as in J. Cohen, "A coefficient of agreement for nominal scales"
(1960), is 1 for a function and about 0 where one says nothing of the other. Of a column whose values repeat
seldom everything is a function by accident: so many repetitions must agree that chance does not explain them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sfumato.core.domain import as_number, as_text
from sfumato.core.schema import FEWEST_ROWS
from sfumato.engine.contract import Groups, Table

NEARLY_ONE = 0.95
"""κ from which one column is said to follow from another: a few slips do not hide a copy"""
BY_ACCIDENT = math.log(1e-6)
"""the logarithm of the chance below which agreement is no accident"""


class Dependence(StrEnum):
    """How a column depends on a quasi-identifier."""

    FUNCTION = "follows from"
    """whoever knows the quasi-identifier knows the column"""
    FINER = "tells"
    """whoever knows the column knows the quasi-identifier, as it was before it was generalised"""


@dataclass(frozen=True)
class Dependent:
    """A column and the quasi-identifiers that it depends on."""

    kind: Dependence
    quasi: tuple[str, ...]


@dataclass(frozen=True)
class Dependences:
    """Looks for columns of a table that are copies or functions of its quasi-identifiers."""

    table: Table
    quasi: tuple[str, ...]
    person: str | None = None
    _counted: dict[tuple[str, ...], Groups] = field(default_factory=dict, repr=False)

    def of(self, column: str) -> Dependent | None:
        """Return what a column depends on: one quasi-identifier if that is enough, else all together."""
        for name in self.quasi:
            if self._follows(column, (name,)):
                return Dependent(Dependence.FUNCTION, (name,))
            if self._follows(name, (column,)):
                return Dependent(Dependence.FINER, (name,))
            if self._is_line(name, column):
                return Dependent(Dependence.FUNCTION, (name,))
        if len(self.quasi) > 1 and self._follows(column, self.quasi):
            return Dependent(Dependence.FUNCTION, self.quasi)
        return None

    def _groups(self, columns: Sequence[str]) -> Groups:
        key = tuple(sorted(columns))
        if key not in self._counted:
            self._counted[key] = self.table.engine.groups(self.table, key, person=self.person)
        return self._counted[key]

    def _follows(self, column: str, given: tuple[str, ...]) -> bool:
        values, known = self._groups((column,)), self._groups(given)
        if values.members < FEWEST_ROWS or values.number < 2 or known.number < 2:
            return False
        same_known = known.squares - known.members
        chance = (values.squares - values.members) / (values.members * (values.members - 1))
        repeated = known.members - known.number
        if not same_known or not 0 < chance < 1 or repeated * math.log(chance) > BY_ACCIDENT:
            return False
        both = self._groups((*given, column))
        agreement = (both.squares - both.members) / same_known
        return (agreement - chance) / (1 - chance) >= NEARLY_ONE

    def _is_line(self, name: str, column: str) -> bool:
        """Find copies and other units of a quasi-identifier whose values hardly repeat: v = a · x + b.

        Pairs of values are streamed, and looked at until one does not fit.
        """
        known, values = self._groups((name,)), self._groups((column,))
        few = known.members - known.number < FEWEST_ROWS
        if not few or values.members < FEWEST_ROWS or values.number < known.number / 2:
            return False
        line: tuple[float, float, float, float] | None = None
        for batch in self.table.engine.count(self.table, (name, column)):
            for x, v in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
                if x is None and v is None:
                    continue
                if _alike(x, v):
                    continue
                fits, line = _on_line(line, as_number(x), as_number(v))
                if not fits:
                    return False
        return True


def _alike(x: Any, v: Any) -> bool:
    return x is not None and v is not None and as_text(x) == as_text(v)


def _on_line(
    line: tuple[float, float, float, float] | None, x: float | None, v: float | None
) -> tuple[bool, tuple[float, float, float, float] | None]:
    """Check whether a point lies on the line through the first two; return these as x, v and the slope."""
    if x is None or v is None:
        return False, line
    if line is None:
        return True, (x, v, math.nan, abs(v))
    x0, v0, slope, size = line
    size = max(size, abs(v))
    if x == x0:
        return v == v0, line
    found = (v - v0) / (x - x0)
    if math.isnan(slope):
        return found != 0, (x0, v0, found, size)
    # A table writes rounded values: what is left is compared with the size of the numbers.
    return abs(v0 + slope * (x - x0) - v) <= 1e-6 * size, (x0, v0, slope, size)
