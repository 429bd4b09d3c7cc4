"""Frequency analysis: a code hides a value, but not how often it occurs.

Whoever knows that every tenth patient is called Smith finds the code for Smith by counting. So a column
of few values that many people share is refused: no code can hide it. So is one with a single value that many
people share, however many others there are: it is the commonest code.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput

FEW_VALUES = 100
PERSONS_PER_VALUE = 20
"""a value that more persons share stands out by its number"""
FEWEST_SHARING = 5
SHARE_OF_PERSONS = 20
"""a value stands out, too, when at least five share it and they are a twentieth of all or more"""


@dataclass(frozen=True)
class Frequencies:
    """How many different values a column has, the persons with one, and those who share the commonest."""

    distinct: int
    persons: int
    commonest: int
    of_people: bool = False
    """whether persons were counted, and not rows, of which somebody may have many"""

    @property
    def tell_values(self) -> bool:
        """Whether the values are so few that their frequencies give them away.

        Fewer than 100 values that are shared by two persons or more on average, or any number that is
        shared by more than 20; or one value that stands out.

        >>> Frequencies(3, 50, 30).tell_values, Frequencies(48, 50, 2).tell_values
        (True, False)
        >>> Frequencies(101, 1000, 900).tell_values
        True
        """
        if self.commonest < 2:
            return False
        few = self.distinct < FEW_VALUES and 2 * self.distinct <= self.persons
        return few or PERSONS_PER_VALUE * self.distinct < self.persons or self.one_stands_out

    @property
    def one_stands_out(self) -> bool:
        """Whether so many share the commonest value that its code is known by its number.

        >>> Frequencies(3601, 4000, 400).one_stands_out, Frequencies(3981, 4000, 20).one_stands_out
        (True, False)
        >>> Frequencies(99_980, 100_000, 21, of_people=True).one_stands_out
        True
        """
        if self.of_people and self.commonest > PERSONS_PER_VALUE:
            return True
        return self.commonest >= FEWEST_SHARING and SHARE_OF_PERSONS * self.commonest >= self.persons


def refuse_telling(column: str, mask: str, found: Frequencies) -> None:
    """Refuse to replace a column of few values, or with one that many share, by codes."""
    if found.tell_values:
        shared = f", one of them shared by {found.commonest}" if found.one_stands_out else ""
        raise BadInput(
            f"'{mask}' cannot hide it: {found.distinct} values for {found.persons} persons{shared}, and how "
            "often a code occurs gives its value away (frequency analysis)",
            where=f"column '{column}'",
            remedy="leave it out, or make it a quasi-identifier without a mask, which is generalised",
        )
