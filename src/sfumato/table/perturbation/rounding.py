"""Rounding: numbers become multiples of a base.

Unbiased random rounding: I. P. Fellegi, "Controlled random rounding" (1975), for single values.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

F64 = NDArray[np.float64]
_EXACT = 2**53


@dataclass(frozen=True)
class Rounding:
    """Show multiples of a base b. Deterministic: the nearest one, halves upwards,

        x' = b · ⌊x / b + 1/2⌋.

    At ``random``: the multiple below or above, so that nothing is shifted on average,

        x' = b · ⌊x / b⌋ + b · B,   P(B = 1) = x / b − ⌊x / b⌋,   E x' = x.

    Values that are multiples stay. Rounding hides small differences; it promises nothing by itself.
    Missing values stay missing.

    >>> Rounding(["age"], base=10).apply(pa.table({"age": [34, 35, -5]}), None).records["age"].to_pylist()
    [30, 40, 0]
    """

    columns: tuple[str, ...]
    base: float = 10.0
    random: bool = False
    name: ClassVar[str] = "rounding"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        reading.check_names(self.name, self.columns)
        if isinstance(self.base, bool) or not 0.0 < self.base < np.inf:
            raise BadInput("base must be a positive number", where=self.name, remedy="try base: 10")

    def apply(self, records: pa.Table, random: Random | None) -> Perturbed:
        """Round every value that is there."""
        changed = 0
        for name in self.columns:
            axis = reading.axis_of(records, name)
            if np.abs(axis.values[axis.present]).max(initial=0.0) >= _EXACT:
                raise BadInput(
                    "its values are too large to be rounded exactly",
                    where=f"column '{name}'",
                    remedy="leave it out",
                )
            multiples = self._multiples(axis.values, random)
            column = axis.write(self._scaled(multiples), whole=axis.whole and float(self.base).is_integer())
            changed += reading.count_changed(reading.column_of(records, name), column)
            records = reading.with_column(records, name, column)
        return Perturbed(records, details={"changed_values": changed})

    def _multiples(self, values: F64, random: Random | None) -> F64:
        below, above_by = self._parts(values)
        if not self.random:
            return below + (above_by >= 0.5)
        assert random is not None
        return below + (random.uniform(len(values)) < above_by)

    def _parts(self, values: F64) -> tuple[F64, F64]:
        """Return ⌊x / b⌋ and x / b − ⌊x / b⌋; exact where base and values are whole numbers."""
        base = float(self.base)
        below = np.floor(values / base)
        rest = values - below * base
        # The quotient may have been rounded up to a whole number, or down below one.
        below, rest = np.where(rest < 0, below - 1, below), np.where(rest < 0, rest + base, rest)
        below, rest = np.where(rest >= base, below + 1, below), np.where(rest >= base, rest - base, rest)
        return below, rest / base

    def _scaled(self, multiples: F64) -> F64:
        """Multiply with the base as it was written, so that 3 · 0.1 is 0.3."""
        exact = Fraction(str(self.base))
        return multiples * exact.numerator / exact.denominator
