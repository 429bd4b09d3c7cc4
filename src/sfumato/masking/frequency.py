"""Frequency analysis: a code hides a value, but not how often it occurs.

Whoever knows that every tenth patient is called Smith finds the code for Smith by counting. So a column
of few values that many people share is refused: no code can hide it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput

FEW_VALUES = 100
PERSONS_PER_VALUE = 20


@dataclass(frozen=True)
class Frequencies:
    """How many different values a column has, the persons with one, and those who share the commonest."""

    distinct: int
    persons: int
    commonest: int

    @property
    def tell_values(self) -> bool:
        """Whether the values are so few that their frequencies give them away.

        Fewer than 100 values that are shared by two persons or more on average, or any number that is
        shared by more than 20.

        >>> Frequencies(3, 50, 30).tell_values, Frequencies(48, 50, 2).tell_values
        (True, False)
        """
        if self.commonest < 2:
            return False
        few = self.distinct < FEW_VALUES and 2 * self.distinct <= self.persons
        return few or PERSONS_PER_VALUE * self.distinct < self.persons


def refuse_telling(column: str, mask: str, found: Frequencies) -> None:
    """Refuse to replace a column of few values by codes."""
    if found.tell_values:
        raise BadInput(
            f"'{mask}' cannot hide it: {found.distinct} values for {found.persons} persons, and how often "
            "a code occurs gives its value away (frequency analysis)",
            where=f"column '{column}'",
            remedy="leave it out, or make it a quasi-identifier without a mask, which is generalised",
        )
