"""δ-presence: whether somebody of the population is in the release cannot be told with any certainty.

M. E. Nergiz, M. Atzori & C. Clifton, "Hiding the presence of individuals from shared databases" (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.table.models.matching import matching
from sfumato.table.models.numbers import exactly, pair, plain, shown
from sfumato.table.models.shares import exceeds
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class NobodyPresent(Witness):
    """A class of the population of which nobody is in the release."""

    def __str__(self) -> str:
        return f"nobody of a class of {self.size} in the population is in the release"


@dataclass(frozen=True)
class DeltaPresence:
    """Of all people of the population who look alike, a share between min and max is in the release.

    For all classes E of the population, generalised like the release R:
    min ≤ |E ∩ R| / |E| ≤ max.

    Protects from learning that somebody is in the release (max) or that they are not (min), by somebody
    who has the table of the population. It does not protect from finding a person's record, nor
    sensitive values, once it is known that a person is in the release.

    >>> DeltaPresence(0, 0.5).in_words()
    'of those in the population who look alike, a share between 0 and 0.5 is in the release'
    """

    min: float
    max: float
    name: ClassVar[str] = "delta-presence"
    basis: ClassVar[Basis] = Basis.POPULATION
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.MEMBERSHIP,)
    stops: ClassVar[tuple[str, ...]] = ("membership",)

    def __post_init__(self) -> None:
        low, high = self._bounds
        if not 0 <= low <= high <= 1 or high == 0:
            raise BadInput(
                "min and max must be shares, with min ≤ max and max above 0",
                where=self.name,
                remedy="try min: 0 and max: 0.5",
            )

    @property
    def _bounds(self) -> tuple[Fraction, Fraction]:
        remedy = "try min: 0 and max: 0.5"
        return exactly(self.min, "min", self.name, remedy), exactly(self.max, "max", self.name, remedy)

    def in_words(self) -> str:
        """Say what is promised."""
        low, high = self._bounds
        return (
            f"of those in the population who look alike, a share between {plain(low)} and {plain(high)} "
            "is in the release"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """The share of a union lies between those of its parts."""
        low, high = self._bounds
        return (Rule(RuleKind.PRESENCE, (*pair(low), *pair(high)), monotone=True),)

    def check(self, published: PublishedTable) -> Verdict:
        """Compare every class with the population."""
        low, high = self._bounds
        found = matching(published, self.name)
        persons, population = published.class_persons, found.persons
        broken = exceeds(persons, high, population)
        if low:
            broken |= exceeds(population, 1 / low, persons)
        absent = found.absent if low else found.absent[:0]
        witness: Witness | None = None
        if broken.any():
            witness = published.witness(broken)
        elif len(absent):
            witness = NobodyPresent(published.quasi, (), int(absent.max()))
        return Verdict(
            self.name,
            witness is None,
            required=f"shares from {plain(low)} to {plain(high)}",
            achieved=self._achieved(persons, population, len(found.absent) > 0),
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=int(broken.sum()) + len(absent),
            note=found.note,
        )

    def _achieved(self, persons: NDArray[np.int64], population: NDArray[np.int64], absent: bool) -> str:
        if not len(persons):
            return "no records"
        if not population.all():
            return "records that match nobody of the population"
        low, high = self._bounds
        shares = persons / population
        least, most = (
            Fraction(int(persons[i]), int(population[i]))
            for i in (int(shares.argmin()), int(shares.argmax()))
        )
        return f"shares from {'0' if absent else shown(least, low)} to {shown(most, high)}"
