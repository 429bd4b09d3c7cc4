"""How good it is that two bases stand in the same column.

The points of EMBOSS's *needle* (Rice, Longden and Bleasby 2000) are taken: 5 for a match, −4 for a mismatch,
−10 for the first gap of a run, and −1 for each further one. Codes of IUPAC are scored by how much their sets
overlap, in twelfths of a point so that the arithmetic is exact:

    s(x, y) = match · |x ∩ y| / |x ∪ y|   where x and y share a base,    mismatch   where they share none

So N stands in the column of any base without a penalty, and a run of N is never cut out of an alignment.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import ANY, GAP, SIZE

UNIT = 12
"""the least number that the size of every union of bases divides"""


@dataclass(frozen=True)
class Scoring:
    """Points of an alignment. A run of L gaps costs gap_open + (L − 1) · gap_extend, at the ends too.

    >>> points = Scoring().table() / UNIT
    >>> float(points[1, 1]), float(points[1, 2]), float(points[1, 15])
    (5.0, -4.0, 1.25)
    """

    match: int = 5
    mismatch: int = -4
    gap_open: int = -10
    gap_extend: int = -1

    def __post_init__(self) -> None:
        if self.match <= 0 or self.mismatch > 0:
            raise BadInput("a match earns points and a mismatch earns none", where="scoring")
        if not self.gap_open <= self.gap_extend < 0:
            raise BadInput(
                "gaps cost points, and the first of a run at least as many as the others", where="scoring"
            )

    def table(self) -> NDArray[np.int64]:
        """Return the score of every two sets of bases, in twelfths. A base beside a gap is one more gap."""
        table = np.zeros((SIZE, SIZE), np.int64)
        for x in range(1, ANY + 1):
            for y in range(1, ANY + 1):
                shared, either = (x & y).bit_count(), (x | y).bit_count()
                table[x, y] = self.match * UNIT * shared // either if shared else self.mismatch * UNIT
        table[1 : ANY + 1, GAP] = table[GAP, 1 : ANY + 1] = self.gap_extend * UNIT
        return table
