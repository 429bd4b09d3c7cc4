"""Truthfulness: a release says less than the original, and nothing else.

Generalisation and suppression never invent: every item that a record shows stands for at least one code
of that person, and every code is covered by an item of its record or was left out (and is counted).
G. Loukides, A. Gkoulalas-Divanis & B. Malin, "COAT: COnstraint-based anonymization of transactions"
(Knowledge and Information Systems, 2011), call the maps that do this valid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility._kernels_covers import untrue_items
from sfumato.codes.utility.covering import Covering, translated

_MOST_ROWS = 10


@dataclass(frozen=True)
class Truthfulness:
    """Whether a release is true of the people in it.

    ``violations`` counts published items that cover no code of their record, ``rows`` are the first
    records (from 1) that show one. ``suppressed`` counts occurrences of codes that nothing covers: these
    are allowed, and lost.
    """

    violations: int
    records: int
    rows: tuple[int, ...]
    suppressed: int

    @property
    def holds(self) -> bool:
        """Whether nothing was invented."""
        return not self.violations

    def __str__(self) -> str:
        left_out = "1 occurrence" if self.suppressed == 1 else f"{self.suppressed:,} occurrences"
        if self.holds:
            return f"truthful: every item covers a code of its record; {left_out} of codes left out"
        untrue = f"{self.violations:,} items cover no code of their records"
        if self.violations == 1:
            untrue = "1 item covers no code of its record"
        shown = ", ".join(str(row) for row in self.rows)
        return f"not truthful: {untrue} (row {shown}); {left_out} of codes left out"


def truthful(original: CodeSets, published: PublishedSets) -> Truthfulness:
    """Compare every record with what is shown of it.

    >>> original = CodeSets.of([["401.0", "401.1"], ["295"]])
    >>> print(truthful(original, PublishedSets.of([[["401.0", "401.1"]], []])))
    truthful: every item covers a code of its record; 1 occurrence of codes left out
    >>> print(truthful(original, PublishedSets.of([["401.0"], ["401.1"]])))
    not truthful: 1 item covers no code of its record (row 2); 2 occurrences of codes left out
    """
    covering = Covering.of(original, published)
    items = published.items
    untrue = untrue_items(
        original.starts,
        translated(original, items),
        published.starts,
        published.shown,
        items.starts,
        items.codes,
    )
    bad = np.flatnonzero(untrue)
    return Truthfulness(
        int(untrue.sum()),
        len(bad),
        tuple(int(row) + 1 for row in bad[:_MOST_ROWS]),
        int(covering.suppressed.sum()),
    )
