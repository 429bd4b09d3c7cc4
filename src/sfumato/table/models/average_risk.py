"""Average risk: whoever guesses records for everybody is right for at most such a share.

K. El Emam, "Guide to the de-identification of personal health information" (2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.models.numbers import exactly, plain, shown
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.whole_rule import WholeKind, WholeRule


@dataclass(frozen=True)
class AverageRisk:
    """The chance of finding somebody's record, averaged over all persons, is at most so much.

    A person in a class E is found with chance 1/|E|; the average over all n persons is
    (number of classes) / n ≤ at_most.

    Protects the release as a whole from somebody who links all of it (the marketer's risk). It does not
    protect each person: single ones may stand alone. It says nothing of sensitive values.

    >>> AverageRisk(0.05).in_words()
    'somebody who links every record by its quasi-identifiers is right for at most a share 0.05 of them'
    """

    at_most: float
    name: ClassVar[str] = "average-risk"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("linkage",)

    def __post_init__(self) -> None:
        if not 0 < self._wanted <= 1:
            raise BadInput("at_most must be above 0 and at most 1", where=self.name, remedy="try 0.05")

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.at_most, "at_most", self.name, "try at_most: 0.05")

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            "somebody who links every record by its quasi-identifiers is right for at most a share "
            f"{plain(self._wanted)} of them"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """For methods that judge classes one by one: ⌈1/risk⌉ persons in every class are more than enough."""
        return (Rule(RuleKind.MIN_PERSONS, (ceil(1 / self._wanted),), monotone=True),)

    def whole_rules(self) -> tuple[WholeRule, ...]:
        """What is asked of all classes together."""
        return (WholeRule(WholeKind.AVERAGE, self._wanted),)

    def check(self, published: PublishedTable) -> Verdict:
        """Divide the classes by the persons."""
        persons = published.class_persons
        found = Fraction(len(persons), int(persons.sum())) if len(persons) else Fraction(0)
        holds = found <= self._wanted
        small = persons < ceil(1 / self._wanted)
        return Verdict(
            self.name,
            holds,
            required=f"average risk ≤ {plain(self._wanted)}",
            achieved=f"average risk = {shown(found, self._wanted)}" if len(persons) else "no records",
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=None if holds else published.witness(persons == persons.min()),
            violations=0 if holds else int(small.sum()),
            note="persons counted" if published.person else "",
        )
