"""How far allele frequencies moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.measure import Measured
from sfumato.dna.aligned import Aligned
from sfumato.dna.utility.contract import matched
from sfumato.dna.utility.weights import counts_of, frequencies


@dataclass(frozen=True)
class FrequencyError:
    """How far the frequencies of alleles in the release lie from those of the original, on average.

    mean over columns of max over alleles |f'(a) − f(a)|;  sets count as in ``weights``.

    A column of which the release says nothing counts as 1, the largest error there is: who blanks columns
    shall not look better for it. Columns of which the original says nothing are left out.

    >>> from sfumato.dna.aligned import aligned
    >>> FrequencyError().of(aligned("AT", "GT"), aligned("RT", "RT")).value
    0.0
    """

    name: ClassVar[str] = "frequency-error"
    title: ClassVar[str] = "error of allele frequencies"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far the frequency of an allele is off, on average over the positions"

    def of(
        self,
        original: Aligned,
        published: Aligned,
        *,
        kept: NDArray[np.int64] | None = None,
        cases: NDArray[np.bool_] | None = None,
    ) -> Measured | None:
        """Compare them; None where the original has no frequencies."""
        matched(original, published, kept)
        before = frequencies(counts_of(original.cells), original.lattice)
        said = ~np.isnan(before[:, 0])
        if not said.any():
            return None
        before = before[said]
        after = frequencies(counts_of(published.cells), original.lattice)[said]
        lost = np.isnan(after[:, 0])
        off = np.where(lost, 1.0, np.abs(np.nan_to_num(after) - before).max(axis=1))
        shown = off[~lost]
        details: dict[str, int | float | str] = {
            "positions": len(off),
            "positions without a frequency": int(lost.sum()),
        }
        if len(shown):
            details |= {"mean error of those shown": float(shown.mean()), "largest": float(shown.max())}
        return Measured(float(off.mean()), details)
