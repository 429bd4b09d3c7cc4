"""The best node so far, and how ties are broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.table.methods.lattice.shape import Levels
from sfumato.table.utility.contract import Appraisal, Join, Scorer

SLACK = 1e-12
"""relative error that sums of floats may have picked up on different ways to the same number"""


@dataclass
class Incumbent:
    """The best node so far.

    Nodes are ordered by value, then (for ranks) by the further entries, then by fewer suppressed rows,
    then by lower levels in the order of the columns. Nothing is given up for a bound that is only a
    rounding error better or worse: a node is out when its bound lies past ``cut``, and every other
    node is valued itself, always by the same sum.
    """

    key: tuple[float, tuple[float, ...], int, tuple[int, ...]] | None = None
    appraisal: Appraisal | None = None
    suppressed: int = 0
    cut: float = np.inf
    unproved: float = np.inf
    """the lowest value that a node may have of which not every choice of what is left out was judged"""

    def offer(self, levels: Levels, suppressed: int, appraisal: Appraisal) -> bool:
        """Take a node if it is better; say whether it was taken."""
        key = (appraisal.value, appraisal.then, suppressed, tuple(levels.tolist()))
        if self.key is not None and key >= self.key:
            return False
        self.key, self.appraisal, self.suppressed = key, appraisal, suppressed
        self.cut = appraisal.value + SLACK * max(1.0, abs(appraisal.value))
        return True

    def doubt(self, levels: Levels, appraisal: Appraisal, scorer: Scorer) -> None:
        """Note that a node may have a choice that is better than its appraisal, and how much at most."""
        self.unproved = min(self.unproved, least_of_node(levels, appraisal, scorer))

    @property
    def proved(self) -> bool:
        """Whether no doubt is left that it is the best."""
        if self.appraisal is None:
            return self.unproved == np.inf
        slack = SLACK * max(1.0, abs(self.value))
        # Of ranks the bound is about their first entry alone.
        return self.unproved > self.cut if self.appraisal.then else self.unproved >= self.value - slack

    @property
    def value(self) -> float:
        """Its value; infinite while there is none."""
        return np.inf if self.appraisal is None else self.appraisal.value

    @property
    def levels(self) -> Levels:
        """The node itself."""
        assert self.key is not None
        return np.array(self.key[3], np.int64)


def least_of_node(levels: Levels, appraisal: Appraisal, scorer: Scorer) -> float:
    """Return a value that no choice of what is left out at a node goes below.

    What bounds the nodes below a node bounds the node itself, and so does what bounds those above.
    """
    terms = scorer.terms if appraisal.below is None else appraisal.below
    own = terms[np.arange(len(levels)), levels]
    least = float(own.max() if scorer.join is Join.MAX else own.sum())
    return max(least, appraisal.below_floor, appraisal.above_floor)
