"""What the one check says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sfumato.codes.question import ItemsetWitness


@dataclass(frozen=True)
class Answer:
    """Whether a question about published sets is answered with yes, and what the worst itemset is.

    ``support`` is the fewest records that hold an itemset of the family, ``confidence`` the greatest share
    of them with one and the same sensitive item, ``spread`` the greatest distance of that share from the one
    in all records; each is ``None`` where nothing was bounded or no record holds an itemset. With ``exact``
    they are the worst of all itemsets. Else, if it holds, all are at least as good as that (a stronger
    promise was found to hold), and if not, the search ended at the first itemset that breaks it.
    """

    holds: bool
    exact: bool
    looked_at: int
    """itemsets that were looked at (of a record alone in what it holds: all that can be chosen of it)"""
    violations: int
    """itemsets that break it, among those that were looked at"""
    support: int | None = None
    confidence: Fraction | None = None
    spread: Fraction | None = None
    witness: ItemsetWitness | None = None
    """the worst itemset, also when it holds, unless a stronger promise was found to hold"""


@dataclass(frozen=True)
class RecordWitness(ItemsetWitness):
    """Records that look like too few others: ``size`` of them show exactly these items."""

    def __str__(self) -> str:
        """Say how many look the same, and where they are."""
        shown = ", ".join(str(row) for row in self.rows)
        what = "1 item" if len(self.items) == 1 else f"{len(self.items)} items"
        held = "1 record shows" if self.size == 1 else f"{self.size} records show"
        return f"{held} exactly {what} (row {shown})"
