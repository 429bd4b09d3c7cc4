"""NCP over the codes that people had (Y. He & J. Naughton, "Anonymization of set-valued data via top-down,
local generalization", PVLDB 2009; M. Terrovitis, N. Mamoulis & P. Kalnis, PVLDB 2008).

NCP(c in r) = 0 when record r shows code c as it is, |u| / |I| when the smallest item u that covers it
stands for |u| > 1 of the |I| codes there are, and 1 when the code is suppressed. The penalty of a
release is the mean over all occurrences of codes in the *original*: two codes of a record that fall
together into one item are charged twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.covering import Covering
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class CertaintyPenalty:
    """How wide the items are that stand for the codes that people had, on average.

    ``suppressed`` is what a code costs that is left out: as much as one that could be anything, unless
    set otherwise.

    >>> original = CodeSets.of([["a", "b"], ["a", "c"]])
    >>> published = PublishedSets.of([[["a", "b"]], [["a", "b"], "c"]])
    >>> CertaintyPenalty().of(original, published).value
    0.5
    """

    suppressed: float = 1.0
    name: ClassVar[str] = "ncp"
    title: ClassVar[str] = "normalised certainty penalty (NCP)"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = (
        "how wide the items are that codes became, on average, as a share of all codes there are, those of "
        "the hierarchy included: 0 is exact, 1 says nothing"
    )

    def __post_init__(self) -> None:
        if not self.suppressed >= 0:
            raise BadInput("the penalty of a suppressed code must not be negative", where=self.name)

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Charge every occurrence of the original; None where there is none."""
        if not isinstance(published, PublishedSets) or not original.occurrences:
            return None
        covering = Covering.of(original, published)
        items = published.items
        charge = np.where(items.singles, 0.0, items.sizes / max(items.total, 1))
        total = float(np.append(charge, self.suppressed)[covering.items].sum())
        return Measured(
            total / original.occurrences,
            {
                "generalised": float((~covering.exact & ~covering.suppressed).sum() / original.occurrences),
                "suppressed": float(covering.suppressed.sum() / original.occurrences),
                "codes there are": int(items.total),
                "codes that occur": int(np.unique(original.codes).size),
            },
        )
