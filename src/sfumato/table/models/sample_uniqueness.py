"""Sample uniqueness: at most such a share of the persons is alone with their quasi-identifiers.

C. J. Skinner & M. J. Elliot, "A measure of disclosure risk for microdata" (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.models.numbers import exactly, plain, shown
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.whole_rule import WholeKind, WholeRule


@dataclass(frozen=True)
class SampleUniqueness:
    """At most a share of the persons in the release is unique in it.

    |{ E : |E| = 1 }| / n ≤ share,  over all classes E of a release with n persons.

    Protects most people from being singled out with certainty. It does not protect those who still are
    unique, nor anybody in a class of two; it says nothing of sensitive values.

    >>> SampleUniqueness(0.01).in_words()
    'at most a share 0.01 of the people is alone with their quasi-identifiers'
    """

    share: float
    name: ClassVar[str] = "sample-uniqueness"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("linkage",)

    def __post_init__(self) -> None:
        if not 0 <= self._wanted <= 1:
            raise BadInput("share must lie between 0 and 1", where=self.name, remedy="try share: 0.01")

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.share, "share", self.name, "try share: 0.01")

    def in_words(self) -> str:
        """Say what is promised."""
        return f"at most a share {plain(self._wanted)} of the people is alone with their quasi-identifiers"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """For methods that judge classes one by one: that nobody is alone is more than enough."""
        return (Rule(RuleKind.MIN_PERSONS, (1 if self._wanted == 1 else 2,), monotone=True),)

    def whole_rules(self) -> tuple[WholeRule, ...]:
        """What is asked of all classes together."""
        return (WholeRule(WholeKind.UNIQUE, self._wanted),)

    def check(self, published: PublishedTable) -> Verdict:
        """Count the classes of one person."""
        persons = published.class_persons
        alone = persons == 1
        uniques = int(alone.sum())
        found = Fraction(uniques, int(persons.sum())) if len(persons) else Fraction(0)
        holds = found <= self._wanted
        return Verdict(
            self.name,
            holds,
            required=f"unique ≤ {plain(self._wanted)}",
            achieved=f"unique = {shown(found, self._wanted)}" if len(persons) else "no records",
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=None if holds else published.witness(alone),
            violations=0 if holds else uniques,
            note="persons counted" if published.person else "",
        )
