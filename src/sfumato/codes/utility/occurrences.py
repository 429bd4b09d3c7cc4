"""What became of the codes: kept as they were, generalised, suppressed; and of the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.covering import Covering
from sfumato.core.measure import Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class Occurrences:
    """The share of the occurrences of codes that are not shown as they were.

    Each of the original's occurrences is *kept* (the record shows the code itself), *generalised* (an item
    of several codes covers it) or *suppressed* (nothing does). A code is kept, too, when at least one of
    its occurrences is. A record is emptied when the person had codes and the release shows none.

    >>> original = CodeSets.of([["a", "b"], ["c"]])
    >>> found = Occurrences().of(original, PublishedSets.of([[["a", "b"]], []]))
    >>> found.value, found.details["generalised"], found.details["suppressed"]
    (1.0, 2, 1)
    """

    name: ClassVar[str] = "occurrences-changed"
    title: ClassVar[str] = "codes not shown as they were"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the codes of all records that were generalised or suppressed"

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Count them; None where the original has no codes."""
        if not isinstance(published, PublishedSets) or not original.occurrences:
            return None
        covering = Covering.of(original, published)
        kept, suppressed = int(covering.exact.sum()), int(covering.suppressed.sum())
        emptied = (np.diff(original.starts) > 0) & (np.diff(published.starts) == 0)
        return Measured(
            1 - kept / original.occurrences,
            {
                "occurrences": original.occurrences,
                "kept": kept,
                "generalised": original.occurrences - kept - suppressed,
                "suppressed": suppressed,
                "distinct codes": int(np.count_nonzero(original.supports)),
                "distinct codes kept": len(np.unique(original.codes[covering.exact])),
                "distinct codes shown": len(np.unique(original.codes[~covering.suppressed])),
                "emptied records": int(emptied.sum()),
            },
        )
