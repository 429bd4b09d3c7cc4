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
from sfumato.dna.utility.weights import common_alleles, shares


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
        before, after = (_squared(rows, alleles, self.apart) for rows in (original, published))
        said = ~np.isnan(before)
        if not said.any():
            return None
        gone = np.isnan(after[said])
        errors = np.abs(np.where(gone, 0.0, after[said]) - before[said])
        return Measured(
            float(errors.mean()),
            {"pairs": len(errors), "pairs without r²": int(gone.sum()), "largest": float(errors.max())},
        )


def _squared(rows: Aligned, alleles: NDArray[np.int64], apart: int) -> NDArray[np.float64]:
    """Return r² of each position with those that follow it; nan where there is none."""
    from sfumato.dna.utility._kernels_linkage import squared_correlations

    # Cells count by multiples of 1/12; −1 where they say nothing.
    table = np.rint(12 * np.nan_to_num(shares(rows.lattice), nan=-1 / 12)).astype(np.int8)
    doses = np.empty((rows.width, len(rows)), np.int8)
    for column in range(rows.width):
        doses[column] = table[alleles[column]][rows.cells[:, column]]
    found: NDArray[np.float64] = squared_correlations(doses, apart)
    return found
