"""Small-domain randomisation: rows that can have few values only are randomised among those.

R. Chaytor & K. Wang, "Small domain randomization: same privacy, more utility" (PVLDB 2010).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation.contract import Mechanism, Perturbed
from sfumato.table.perturbation.randomisation import RetentionReplacement
from sfumato.table.perturbation.randomisation_bounds import amplification, shown
from sfumato.table.perturbation.randomisation_values import Value, given_values
from sfumato.table.perturbation.reading import column_of, with_column


@dataclass(frozen=True)
class SmallDomainRandomisation:
    """Randomise each sub-table on its own, over the values that it may have.

    Sub-tables are the rows that share a value of the column ``by``, which everybody may know: the ward,
    the sex. ``values`` lists for each of them what the randomised column may hold there. A value is kept
    with p = (γ − 1) / (γ − 1 + m) for m values: more than over the whole domain at the same γ, which is
    given as for retention and replacement (``keep``, ``gamma``, ``rho1`` and ``rho2``, ``delta``).

    The authors divide a table by its sensitive values. Here it is divided by what is known anyway, and
    lists come from metadata alone: so that a sub-table tells nothing, and the promise holds as it
    stands for everybody who knows the lists. A published value tells which sub-tables a row can be of:
    publish ``by`` as it is.

    >>> step = SmallDomainRandomisation("ill", "sex", {"f": ("flu", "a"), "m": ("flu", "b")}, gamma=9)
    >>> step.mechanisms()[1].where, step.mechanisms()[1].matrix[0]
    (('sex', 'm'), (Fraction(9, 10), Fraction(1, 10)))
    """

    column: str
    by: str
    values: Mapping[str, tuple[Value, ...]]
    keep: float | None = None
    gamma: float | None = None
    rho1: float | None = None
    rho2: float | None = None
    delta: float | None = None
    prior: float | None = None
    name: ClassVar[str] = "small-domain-randomisation"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not self.values or self.column == self.by:
            raise BadInput(
                "the sub-tables are not told apart",
                where=self.name,
                remedy="name another column in 'by', and in 'values' a list for each of its values",
            )
        lists = {as_text(group): given_values(some, self.name) for group, some in self.values.items()}
        object.__setattr__(self, "values", lists)
        self.mechanisms()

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that is randomised."""
        return (self.column,)

    def mechanisms(self) -> tuple[Mechanism, ...]:
        """Return the matrix of every sub-table."""
        return tuple(
            replace(self._within(group).mechanism(given_values(some, self.name)), where=(self.by, group))
            for group, some in self.values.items()
        )

    def _within(self, group: str) -> RetentionReplacement:
        return RetentionReplacement(
            self.column,
            self.values[group],
            self.keep,
            self.gamma,
            self.rho1,
            self.rho2,
            self.delta,
            self.prior,
        )

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw a value for every row, within its sub-table."""
        known = column_of(records, self.by).to_pylist()
        of = np.array(["" if value is None else as_text(value) for value in known], np.object_)
        strangers = sum(value is None or as_text(value) not in self.values for value in known)
        if strangers:
            raise BadInput(
                f"{strangers} rows belong to no sub-table",
                where=f"column '{self.by}'",
                remedy="give a list of values for each value of this column",
            )
        column = column_of(records, self.column)
        pieces, rows, changed = [], [], 0
        for group in self.values:
            mine = np.flatnonzero(of == group)
            within = self._within(group).apply(records.take(mine), random)
            pieces.append(within.records.column(self.column).combine_chunks())
            rows.append(mine)
            changed += int(within.details["changed rows"])
        order = np.argsort(np.concatenate(rows), kind="stable")
        drawn = pa.concat_arrays([piece.cast(column.type) for piece in pieces]).take(pa.array(order))
        mechanisms = self.mechanisms()
        worst = [amplification(mechanism.matrix).gamma for mechanism in mechanisms]
        gamma = None if None in worst else max(found for found in worst if found is not None)
        published: dict[str, int | float | str] = {
            "column": self.column,
            "by": self.by,
            "domain": "from metadata",
            "gamma": shown(gamma),
        }
        after = with_column(records, self.column, drawn)
        return Perturbed(after, mechanisms, {"changed rows": changed}, published)
