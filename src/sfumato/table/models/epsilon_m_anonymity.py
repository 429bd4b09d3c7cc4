"""(ε,m)-anonymity for numbers: few of a class have a sensitive value close to anybody's.

J. Li, Y. Tao & X. Xiao, "Preservation of proximity privacy in publishing numerical sensitive data" (2008).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.table.models.numbers import check_column, check_whole, exactly, number, pair, plain, shown
from sfumato.table.models.range_diversity import refuse_texts
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value, parts_of_entries, worst_of
from sfumato.table.models.shares import exceeds
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class EpsilonMAnonymity(SensitiveModel):
    """At most one in m of a class has a value within ε of any value that occurs in it.

    For all classes E and values x that occur in E:  |{ y in E : |y − x| ≤ ε }| ≤ |E| / m,  where ε is a
    distance, or with ``relative`` a share of |x|. Who has no value is close only to those who have none.

    Protects from learning roughly what a number is: guessing an interval of ±ε around any value that
    occurs is right for at most one in m. It does not protect from an interval wider than that, nor say
    how likely a value was beforehand.

    >>> EpsilonMAnonymity(1000, 3).in_words()
    'of those who share their quasi-identifiers, at most 1 in 3 has a sensitive value within 1000 of another'
    """

    epsilon: float
    m: int
    relative: bool = False
    column: str | None = None
    name: ClassVar[str] = "epsilon-m-anonymity"
    stops: ClassVar[tuple[str, ...]] = ("similarity",)

    def __post_init__(self) -> None:
        if exactly(self.epsilon, "epsilon", self.name, "try the width that must not be guessed") < 0:
            raise BadInput(
                "epsilon must be at least 0", where=self.name, remedy="try the width that must not be guessed"
            )
        check_whole(self.m, "m", 1, self.name)
        check_column(self.column, self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.epsilon, "epsilon", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"value of '{self.column}'" if self.column else "sensitive value"
        reach = f"a share {plain(self._wanted)}" if self.relative else plain(self._wanted)
        return (
            f"of those who share their quasi-identifiers, at most 1 in {self.m} has a {what} "
            f"within {reach} of another"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """It is not monotone: values that are apart in one class may both be close to one of another."""
        parameters = (*pair(self._wanted), self.m, int(self.relative))
        return (Rule(RuleKind.NEIGHBOURHOOD, parameters, False, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Count around every value of every part."""
        refuse_texts(values.domain)
        first, last = windows(values.domain, self._wanted, self.relative)
        part = parts_of_entries(values)
        size = len(values.domain)
        place = part * size + values.codes
        counted = np.concatenate([[0], np.cumsum(values.persons)])
        low = np.searchsorted(place, part * size + first[values.codes], side="left")
        high = np.searchsorted(place, part * size + last[values.codes], side="right")
        close = np.maximum.reduceat(counted[high] - counted[low], values.starts[:-1])
        broken = exceeds(close, Fraction(1, self.m), values.people)
        worst = worst_of(close / values.people, broken)
        i = int(np.argmax(worst))
        return Measured(broken, worst, Fraction(int(values.people[i]), int(close[i])))

    def required(self) -> str:
        """Write what is asked."""
        return f"m ≥ {self.m} within ±{plain(self._wanted)}{' of the value' * self.relative}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"m = {shown(value, Fraction(self.m))}"


def windows(domain: Domain, epsilon: Fraction, relative: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every value the first and the last that are within ε of it."""
    places = [number(value) for value in domain.values if value is not None]
    first, last = [], []
    for place in places:
        reach = epsilon * abs(place) if relative else epsilon
        first.append(bisect_left(places, place - reach))
        last.append(bisect_right(places, place + reach) - 1)
    if domain.has_missing:
        first.append(len(places))
        last.append(len(places))
    return np.array(first, np.int64), np.array(last, np.int64)
