"""Top and bottom coding: what lies beyond a bound is shown as the bound.

In every manual of disclosure control: L. Willenborg and T. de Waal, "Elements of statistical disclosure
control" (2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class TopBottomCoding:
    """Show x' = min(x, t) and max(x, b): nobody stands out by an extreme value.

    Bounds are values (``top``, ``bottom``) or shares of the values that are there: ``top_quantile: 0.95``
    is the smallest value that at least 95 % of them do not exceed, ``bottom_quantile: 0.05`` the smallest
    that at least 5 % do not exceed. ``top_as`` and ``bottom_as`` are shown instead of the bound; a text
    such as "90 or more" makes the column one of texts. A bound is published and stands for "this or beyond",
    so the outcome is truthful unless another number is shown. It hides extremes of one column, not rare
    combinations.

    >>> coded = TopBottomCoding(["age"], top=89, top_as="90+").apply(pa.table({"age": [34, 95]}), None)
    >>> coded.records["age"].to_pylist()
    ['34', '90+']
    """

    columns: tuple[str, ...]
    top: float | None = None
    bottom: float | None = None
    top_quantile: float | None = None
    bottom_quantile: float | None = None
    top_as: float | str | None = None
    bottom_as: float | str | None = None
    name: ClassVar[str] = "top-bottom-coding"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        reading.check_names(self.name, self.columns)
        for side in ("top", "bottom"):
            bound, share = getattr(self, side), getattr(self, f"{side}_quantile")
            if bound is not None and share is not None:
                raise BadInput(
                    f"'{side}' and '{side}_quantile' are both given", where=self.name, remedy="keep one"
                )
            if share is not None and not 0.0 < share < 1.0:
                raise BadInput(
                    f"{side}_quantile must lie between 0 and 1", where=self.name, remedy="try 0.95 or 0.05"
                )
            if getattr(self, f"{side}_as") is not None and bound is None and share is None:
                raise BadInput(f"there is no bound for '{side}_as'", where=self.name, remedy=f"give '{side}'")
        if all(bound is None for bound in (self.top, self.bottom, self.top_quantile, self.bottom_quantile)):
            raise BadInput("no bound is given", where=self.name, remedy="give 'top', 'bottom' or a quantile")

    @property
    def truthful(self) -> bool:
        """Whether a bound is shown as itself or as a text, not as another number."""
        return not any(isinstance(shown, int | float) for shown in (self.top_as, self.bottom_as))

    def apply(self, records: pa.Table, random: Random | None) -> Perturbed:
        """Code the extremes; missing values stay missing."""
        changed = 0
        bounds: dict[str, str] = {}
        for name in self.columns:
            axis = reading.axis_of(records, name)
            values = axis.values
            low, high = self._bound(values, "bottom", -np.inf), self._bound(values, "top", np.inf)
            if low > high:
                raise BadInput(
                    "the bottom lies above the top", where=f"column '{name}'", remedy="check the bounds"
                )
            for side, share, bound in (
                ("bottom", self.bottom_quantile, low),
                ("top", self.top_quantile, high),
            ):
                if share is not None and np.isfinite(bound):
                    shown_as = axis.write(np.array([bound]), whole=axis.whole)
                    bounds[f"{side}_of_{name}"] = as_text(shown_as.to_pylist()[0])
            below, above = values < low, values > high
            changed += int(below.sum() + above.sum())
            column = reading.column_of(records, name)
            if isinstance(self.top_as, str) or isinstance(self.bottom_as, str):
                shown = self._as_texts(column, below, above, low, high)
            else:
                coded = np.where(below, low if self.bottom_as is None else self.bottom_as, values)
                coded = np.where(above, high if self.top_as is None else self.top_as, coded)
                present = coded[~np.isnan(coded)]
                shown = axis.write(coded, whole=axis.whole and bool((present == np.floor(present)).all()))
            records = reading.with_column(records, name, shown)
        return Perturbed(records, details={"changed_values": changed}, published=bounds)

    def _bound(self, values: F64, side: str, none: float) -> float:
        given, share = getattr(self, side), getattr(self, f"{side}_quantile")
        if given is not None:
            return float(given)
        if share is None:
            return none
        ordered = np.sort(values[~np.isnan(values)])
        if not len(ordered):
            return none
        return float(ordered[ceil(Fraction(str(share)) * len(ordered)) - 1])

    def _as_texts(
        self, column: pa.Array, below: NDArray[np.bool_], above: NDArray[np.bool_], low: float, high: float
    ) -> pa.Array:
        found: list[str | None] = []
        for value, under, over in zip(column.to_pylist(), below.tolist(), above.tolist(), strict=True):
            if value is None:
                found.append(None)
            elif under:
                found.append(as_text(low if self.bottom_as is None else self.bottom_as))
            elif over:
                found.append(as_text(high if self.top_as is None else self.top_as))
            else:
                found.append(as_text(value))
        return pa.array(found, pa.string())
