"""How well the release keeps linkage: r² of neighbouring positions (Hill and Robertson 1968)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.dna.aligned import Aligned
from sfumato.dna.utility.contract import matched
from sfumato.dna.utility.weights import common_alleles, doses

_AT_ONCE = 64


@dataclass(frozen=True)
class LinkageError:
    """How far r² of two positions that lie at most ``apart`` columns from each other is off, on average.

    r²(i, j) = corr(x_i, x_j)² over the rows that say something of both; x is how much of the column's
    allele a cell is (``weights``): the most frequent base of the original, or the alternate allele.

    Pairs with an r² in the original are compared. Where the release has none any more (one of the two is the
    same for all, or open), r² is taken as 0, and the details say how many pairs these are. Of genotypes this
    is the correlation of dosages, which needs no phase.

    >>> from sfumato.dna.aligned import aligned
    >>> LinkageError().of(aligned("AC", "AC", "GT", "GT"), aligned("RC", "RC", "RT", "RT")).value
    1.0
    """

    apart: int = 10
    name: ClassVar[str] = "linkage-error"
    title: ClassVar[str] = "error of linkage disequilibrium"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far r² of neighbouring positions is off, on average"

    def __post_init__(self) -> None:
        if isinstance(self.apart, bool) or not isinstance(self.apart, int) or self.apart < 1:
            raise BadInput("apart must be a whole number of at least 1", where=self.name, remedy="try 10")

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Compare them; None where no two neighbours of the original vary."""
        matched(original, published, kept)
        alleles = common_alleles(original)
        off, gone, pairs, largest = 0.0, 0, 0, 0.0
        for first in range(0, original.width, _AT_ONCE):
            before = self._squared(original, alleles, first)
            said = ~np.isnan(before)
            if not said.any():
                continue
            after = self._squared(published, alleles, first)
            gone += int(np.isnan(after[said]).sum())
            errors = np.abs(np.nan_to_num(after[said]) - before[said])
            pairs += len(errors)
            off += float(errors.sum())
            largest = max(largest, float(errors.max()))
        if not pairs:
            return None
        return Measured(off / pairs, {"pairs": pairs, "pairs without r²": gone, "largest": largest})

    def _squared(self, rows: Aligned, alleles: NDArray[np.int64], first: int) -> NDArray[np.float64]:
        """Return r² of each column of a block with those after it, up to ``apart`` away; nan elsewhere."""
        width = min(_AT_ONCE, rows.width - first)
        last = min(first + width + self.apart, rows.width)
        x = doses(rows, alleles, slice(first, last))
        found = squared_correlations(x[:, :width], x)
        gap = np.arange(last - first)[None, :] - np.arange(width)[:, None]
        found[(gap < 1) | (gap > self.apart)] = np.nan
        return found


def squared_correlations(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return r² of every column of x with every column of y, over rows where neither is nan.

    nan where one of the two does not vary there.

    >>> x = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, np.nan]])
    >>> squared_correlations(x, x).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    there_x, there_y = ~np.isnan(x), ~np.isnan(y)
    # Doses are multiples of 1/12: as whole numbers their sums are exact, and what does not vary is exactly 0.
    whole_x = np.rint(np.where(there_x, x, 0.0) * 12)
    whole_y = np.rint(np.where(there_y, y, 0.0) * 12)
    has_x, has_y = there_x.astype(np.float64), there_y.astype(np.float64)
    both = has_x.T @ has_y
    sum_x, sum_y = whole_x.T @ has_y, has_x.T @ whole_y
    joint = both * (whole_x.T @ whole_y) - sum_x * sum_y
    of_x = both * ((whole_x**2).T @ has_y) - sum_x**2
    of_y = both * (has_x.T @ whole_y**2) - sum_y**2
    with np.errstate(invalid="ignore", divide="ignore"):
        found: NDArray[np.float64] = joint / of_x * (joint / of_y)
    found[(of_x <= 0) | (of_y <= 0)] = np.nan
    return np.minimum(found, 1.0)
