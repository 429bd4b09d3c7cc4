"""What is asked about the risk of a table, by recipes, by commands and by calls alike."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD, exact_threshold

MOST_PEOPLE = 10**12
"""a population beyond this is a slip of the pen, and too large for the arithmetic of the estimates"""
FEW_COLUMNS = {12: 3, 40: 2}
"""up to so many quasi-identifiers, combinations of so many are looked at when nothing is said"""


@dataclass(frozen=True)
class RiskQuestions:
    """Which measures of risk are wanted, and what is known of the population.

    >>> RiskQuestions(sampling_fraction=0.01).people_of(30)
    3000
    """

    threshold: float = float(DEFAULT_THRESHOLD)
    """a risk above it counts as high"""
    sampling_fraction: float | None = None
    """the share of the population that is in the table"""
    population_size: int | None = None
    """or how many people the population has"""
    weight: str | None = None
    """or the column that says how many of the population a row stands for"""
    household: str | None = None
    """the column that says who lives together"""
    up_to: int | None = None
    """combinations of so many quasi-identifiers are looked at; 0 for none; the door decides on None"""
    suda: bool = False

    def __post_init__(self) -> None:
        exact_threshold(self.threshold)
        told = {
            "the sampling fraction": self.sampling_fraction,
            "the size of the population": self.population_size,
            "weights": self.weight,
        }
        given = [what for what, value in told.items() if value is not None]
        if len(given) > 1:
            raise BadInput(
                f"{given[0]} and {given[1]} are both given",
                remedy="give one of them: each says how large the population is",
            )
        fraction = self.sampling_fraction
        if fraction is not None and (not _is_number(fraction) or not 0 < fraction <= 1):
            raise BadInput(
                "the sampling fraction must be above 0 and at most 1",
                remedy="write 0.01 for one in a hundred",
            )
        size = self.population_size
        if size is not None and (not _is_whole(size) or not 1 <= size <= MOST_PEOPLE):
            raise BadInput(
                f"the size of the population must be a whole number from 1 to {MOST_PEOPLE:,}",
                remedy="check it",
            )
        most = self.up_to
        if most is not None and (not _is_whole(most) or most < 0):
            raise BadInput(
                "the number of columns to combine must be a whole number from 0",
                remedy="say 3, or 0 for none",
            )

    def people_of(self, persons: int) -> int | None:
        """Return the size of the population that so many persons come from; None if nothing is known."""
        if self.population_size is not None:
            if self.population_size < persons:
                raise BadInput(
                    f"{persons:,} persons cannot come from a population of {self.population_size:,}",
                    remedy="check the size of the population",
                )
            return int(self.population_size)
        if self.sampling_fraction is not None:
            people = round(persons / Fraction(str(self.sampling_fraction)))
            if people > MOST_PEOPLE:
                raise BadInput(
                    f"with this sampling fraction {persons:,} persons come from more than {MOST_PEOPLE:,}",
                    remedy="check it: write 0.01 for one in a hundred",
                )
            return people
        return None

    def columns_to_combine(self, quasi: int) -> int:
        """Return up to how many of the quasi-identifiers are combined; 0 for none."""
        if self.up_to is not None:
            return int(self.up_to)
        return next((most for few, most in FEW_COLUMNS.items() if quasi <= few), 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
