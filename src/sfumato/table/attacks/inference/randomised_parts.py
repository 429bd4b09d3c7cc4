"""How a column was randomised, part by part of the rows, and what its published values let estimate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.table.perturbation.pram import product
from sfumato.table.perturbation.randomisation_bounds import exactly
from sfumato.table.published import PublishedTable

_SINGULAR = 1e-12


@dataclass(frozen=True, eq=False)
class Part:
    """Rows that were randomised alike: all of them, or those with one value in another column."""

    values: tuple[str | None, ...]
    matrix: tuple[tuple[Fraction, ...], ...] = field(repr=False)
    where: tuple[str, str | None] | None = None

    @cached_property
    def _chances(self) -> dict[int, tuple[int, ...]]:
        return {}

    def _chance(self, shown: int) -> tuple[int, ...]:
        if shown not in self._chances:
            column = [row[shown] for row in self.matrix]
            whole = math.lcm(*(entry.denominator for entry in column))
            self._chances[shown] = tuple(entry.numerator * (whole // entry.denominator) for entry in column)
        return self._chances[shown]

    def chances(self, shown: Sequence[int]) -> tuple[int, ...]:
        """Return how likely each value is to show as these, up to a common factor.

        >>> third = Fraction(1, 3)
        >>> Part(("a", "b"), ((2 * third, third), (third, 2 * third))).chances([0, 0, 1])
        (4, 2)
        """
        return tuple(math.prod(each) for each in zip(*map(self._chance, shown), strict=True))

    @cached_property
    def _inverse(self) -> NDArray[np.float64] | None:
        matrix = np.array([[float(entry) for entry in row] for row in self.matrix])
        if np.linalg.svd(matrix, compute_uv=False)[-1] < _SINGULAR:
            return None
        return np.linalg.inv(matrix)

    @property
    def leaves_a_trace(self) -> bool:
        """Whether the distribution of the values can be estimated from what is shown."""
        return self._inverse is not None

    def estimated(self, counts: Sequence[int], without: Sequence[int] = ()) -> tuple[int, ...]:
        """Estimate how many have each value: max(0, n P⁻¹), rounded, and one more for each.

        ``without`` leaves out rows that show these values. All alike where nothing can be estimated.

        >>> tenth = Fraction(1, 10)
        >>> Part(("a", "b"), ((1 - tenth, tenth), (tenth, 1 - tenth))).estimated([50, 50])
        (51, 51)
        """
        if self._inverse is None:
            return (1,) * len(self.values)
        found = self._corrected(tuple(counts))
        if len(without):
            found = found - self._inverse[list(without)].sum(0)
        return tuple((np.rint(np.maximum(found, 0.0)).astype(np.int64) + 1).tolist())

    @cached_property
    def _known(self) -> dict[tuple[int, ...], NDArray[np.float64]]:
        return {}

    def _corrected(self, counts: tuple[int, ...]) -> NDArray[np.float64]:
        """Return n P⁻¹, computed once for the same counts."""
        if counts not in self._known:
            assert self._inverse is not None
            self._known[counts] = np.array(counts, np.float64) @ self._inverse
        return self._known[counts]

    def given(self, prior: Mapping[Any, float]) -> tuple[int, ...]:
        """Read a prior that names values; those that it does not name are thought impossible."""
        weights = {
            None if value is None else as_text(value): exactly(weight, "a weight of the prior")
            for value, weight in prior.items()
        }
        if not set(weights) <= set(self.values):
            raise BadInput(
                f"the prior names {len(set(weights) - set(self.values))} values that the column cannot have",
                where="posterior",
                remedy="name values as the release writes them",
            )
        whole = math.lcm(*(weight.denominator for weight in weights.values()))
        return tuple(int(weights.get(value, Fraction(0)) * whole) for value in self.values)


def randomised_column(target: PublishedTable, column: str | None, attack: str) -> str:
    """Return the column to attack: the one that was named, or the only one that was randomised."""
    known = list(dict.fromkeys(m.column for m in target.mechanisms if m.matrix))
    listed = ", ".join(f"'{name}'" for name in known) or "none"
    if column is None and len(known) != 1:
        raise BadInput("a column must be named", where=attack, remedy=f"randomised columns: {listed}")
    chosen = known[0] if column is None else column
    if chosen not in target.table.names or chosen not in known:
        raise BadInput(
            f"no mechanism is published for a column '{chosen}'",
            where=attack,
            remedy=f"randomised columns: {listed}",
        )
    return chosen


def parts_of(column: str, target: PublishedTable) -> dict[str | None, Part]:
    """Multiply the steps that each part of the rows went through, in order."""
    mechanisms = [m for m in target.mechanisms if m.column == column and m.matrix]
    apart = list(dict.fromkeys(m.where[0] for m in mechanisms if m.where is not None))
    if len(apart) > 1 or (apart and apart[0] not in target.table.names):
        raise BadInput(
            "sub-tables were randomised by a column that the release does not show, or by several",
            where=f"column '{column}'",
            remedy="attack another column",
        )
    groups = dict.fromkeys(m.where[1] for m in mechanisms if m.where is not None) if apart else {None: None}
    found = {}
    for group in groups:
        steps = [m for m in mechanisms if m.where is None or m.where[1] == group]
        if any(step.values != steps[0].values for step in steps):
            raise BadInput(
                "it was randomised several times, over different values",
                where=f"column '{column}'",
                remedy="attack another column",
            )
        where = (apart[0], group) if apart else None
        found[group] = Part(steps[0].values, product(*(step.matrix for step in steps)), where)
    return found
