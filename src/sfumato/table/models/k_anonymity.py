"""k-anonymity: nobody stands out from fewer than k.

Samarati & Sweeney (1998); Sweeney, "k-anonymity: a model for protecting privacy" (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class KAnonymity:
    """Every combination of quasi-identifiers that occurs is shared by at least k persons.

    For all classes E of records with equal quasi-identifiers:  |persons(E)| ≥ k.

    Protects from finding out which record is a person's, by linking on the declared
    quasi-identifiers. It does not keep sensitive values apart: when all of a class share one, it is
    learned without finding the record.

    >>> KAnonymity(5).in_words()
    'everybody shares their quasi-identifiers with at least 4 others'
    """

    k: int
    name: ClassVar[str] = "k-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise BadInput("k must be a whole number of at least 1", where="k-anonymity", remedy="try k: 5")

    def in_words(self) -> str:
        """Say what is promised."""
        others = self.k - 1
        return f"everybody shares their quasi-identifiers with at least {others} other{'s' * (others != 1)}"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """A class needs k persons; merging classes only adds to them."""
        return (Rule(RuleKind.MIN_PERSONS, (self.k,), monotone=True),)

    def check(self, published: PublishedTable) -> Verdict:
        """Group the published rows and look for the smallest class."""
        persons = published.class_persons
        violations = int((persons < self.k).sum())
        witness = published.witness(persons == persons.min()) if violations else None
        return Verdict(
            self.name,
            violations == 0,
            required=f"k ≥ {self.k}",
            achieved=f"k = {persons.min()}" if len(persons) else "no records",
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=violations,
            note="persons counted" if published.person else "",
        )
