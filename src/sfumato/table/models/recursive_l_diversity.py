"""Recursive (c,l)-diversity: the most frequent value is not too far ahead of the rare ones.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond
k-anonymity" (2006).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.table.models.numbers import check_column, check_whole, exactly, pair, plain, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value, parts_of_entries, worst_of
from sfumato.table.models.shares import exceeds
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class RecursiveLDiversity(SensitiveModel):
    """The most frequent value of a class has less than c times what the l-th and all rarer ones have.

    For all classes E with counts r_1 ≥ r_2 ≥ … ≥ r_m of their values:  r_1 < c · (r_l + r_(l+1) + … + r_m).

    Protects from learning a sensitive value, also by somebody who can rule out up to l − 2 values: what
    is left is still (c,2)-diverse. It does not protect from values that differ and mean the same.

    >>> RecursiveLDiversity(3, 2).in_words()
    'the most frequent sensitive value is less than 3 times as frequent as all from the 2nd on together'
    """

    c: float
    l: int  # noqa: E741 - the name of the literature
    column: str | None = None
    name: ClassVar[str] = "recursive-l-diversity"
    stops: ClassVar[tuple[str, ...]] = ("homogeneity",)

    def __post_init__(self) -> None:
        if exactly(self.c, "c", self.name, "try c: 3") <= 0:
            raise BadInput("c must be above 0", where=self.name, remedy="try c: 3")
        check_whole(self.l, "l", 1, self.name)
        check_column(self.column, self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.c, "c", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"value of '{self.column}'" if self.column else "sensitive value"
        return (
            f"the most frequent {what} is less than {plain(self._wanted)} times as frequent as all from the "
            f"{_ordinal(self.l)} on together"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """Merging keeps it.

        The l − 1 most frequent values of a union have at most what the l − 1 most frequent of each part
        have, so its tail is at least the sum of their tails, and its r_1 at most the sum of theirs.
        """
        return (Rule(RuleKind.RECURSIVE, (*pair(self._wanted), self.l), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Sort the counts of every part."""
        part = parts_of_entries(values)
        order = np.lexsort((-values.persons, part))
        rank = np.arange(len(part)) - values.starts[part]
        counts = values.persons[order]
        first = counts[values.starts[:-1]]
        tail = np.add.reduceat(np.where(rank >= self.l - 1, counts, 0), values.starts[:-1])
        # r_1 < c · tail is the same as: not (c · tail ≤ r_1).
        broken = ~exceeds(tail, 1 / self._wanted, first)
        with np.errstate(divide="ignore"):
            worst = worst_of(first / tail, broken)
        i = int(np.argmax(worst))
        return Measured(broken, worst, Fraction(int(first[i]), int(tail[i])) if tail[i] else math.inf)

    def required(self) -> str:
        """Write what is asked."""
        return f"c = {plain(self._wanted)} at l = {self.l}"

    def written(self, value: Value) -> str:
        """Write what is achieved: any c above."""
        if value == math.inf:
            return f"no c at l = {self.l}"
        return f"every c > {shown(value, self._wanted)} at l = {self.l}"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
