"""What a measure of lost utility over rows is, and which row of a release is which of the original."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measure, Measured
from sfumato.dna.aligned import Aligned


class RowMeasure(Measure, Protocol):
    """A measure of what published rows have lost: lower is better."""

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Compare the original with the release; None where the measure does not apply.

        Published row r is row ``kept[r]`` of the original (the same row, unless given); ``cases`` says of
        each row of the original whether the person is ill.
        """


def matched(original: Aligned, published: Aligned, kept: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the original row of each published row, and refuse what cannot be compared."""
    if original.lattice.name != published.lattice.name or original.width != published.width:
        raise BadInput(
            f"the original has {original.width:,} columns of {original.lattice.name} and the release "
            f"{published.width:,} of {published.lattice.name}",
            remedy="compare the release as the method made it, before gaps are removed",
        )
    if original.positions != published.positions:
        raise BadInput(
            "the original and the release name their positions differently",
            remedy="compare the release as the method made it",
        )
    rows = np.arange(len(original), dtype=np.int64) if kept is None else np.asarray(kept, np.int64)
    if len(rows) != len(published):
        raise BadInput(
            f"the original has {len(original):,} rows and the release {len(published):,}",
            remedy="say which rows were kept, in the order of the release",
        )
    apart = len(np.unique(rows)) == len(rows)
    if len(rows) and (not apart or rows.min() < 0 or rows.max() >= len(original)):
        raise BadInput("rows that were kept must be different rows of the original")
    return rows


def checked_cases(cases: NDArray[np.bool_], original: Aligned) -> NDArray[np.bool_]:
    """Return who is ill, for every row of the original; refuse a study without cases or controls."""
    ill = np.asarray(cases)
    if ill.dtype != np.bool_ or ill.shape != (len(original),):
        raise BadInput("cases must say yes or no for every row of the original", where="cases")
    if not ill.any() or ill.all():
        raise BadInput("there must be cases and controls", where="cases")
    return ill
