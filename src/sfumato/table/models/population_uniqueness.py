"""Population uniqueness: at most such a share of the population is alone with its quasi-identifiers.

F. K. Dankar, K. El Emam, A. Neisa & T. Roffey, "Estimating the re-identification risk of clinical data
sets" (2012); the estimators are in ``table/risk/population_uniqueness.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, get_args

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.models.numbers import check_choice, check_whole, exactly, plain, shown
from sfumato.table.published import PublishedTable
from sfumato.table.risk.population_uniqueness import Estimator
from sfumato.table.risk.population_uniqueness import PopulationUniqueness as Estimated
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.whole_rule import WholeKind, WholeRule


@dataclass(frozen=True)
class PopulationUniqueness:
    """By an estimate from the class sizes, at most a share of the population is unique in it.

    E[ |{ persons of the population that nobody looks like }| ] / N ≤ share.

    Protects most people from being singled out by somebody who does not know who is in the release. It
    does not protect those who are unique, nor sensitive values; and it is an estimate from a model of
    the class sizes that may not fit. One that does not converge counts as a promise that is not kept.

    >>> PopulationUniqueness(0.01, 80_000_000).in_words()
    'by an estimate, at most a share 0.01 of the population is alone with their quasi-identifiers'
    """

    share: float
    population: int
    estimator: Estimator = "dankar"
    name: ClassVar[str] = "population-uniqueness"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("linkage",)

    def __post_init__(self) -> None:
        if not 0 <= self._wanted <= 1:
            raise BadInput("share must lie between 0 and 1", where=self.name, remedy="try share: 0.01")
        check_whole(self.population, "population", 1, self.name)
        check_choice(self.estimator, get_args(Estimator), "estimator", self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.share, "share", self.name, "try share: 0.01")

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"by an estimate, at most a share {plain(self._wanted)} of the population is alone with "
            "their quasi-identifiers"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """For methods that judge classes one by one: that nobody is alone there is more than enough."""
        return (Rule(RuleKind.MIN_PERSONS, (2,), monotone=True),)

    def whole_rules(self) -> tuple[WholeRule, ...]:
        """What is asked of all classes together."""
        return (WholeRule(WholeKind.UNIQUE_IN_POPULATION, self._wanted, self.population, self.estimator),)

    def check(self, published: PublishedTable) -> Verdict:
        """Estimate from the class sizes of the release."""
        persons = published.class_persons
        achieved, holds = "no records", True
        used = self.estimator
        if len(persons):
            found = Estimated.of(persons, self.population, self.estimator)
            used, holds = found.estimator, found.share is not None and found.share <= self._wanted
            achieved = "the estimate does not converge"
            if found.share is not None:
                achieved = f"unique = {shown(found.share, self._wanted)}"
        alone = persons == 1
        return Verdict(
            self.name,
            holds,
            required=f"unique ≤ {plain(self._wanted)} of {self.population:,}",
            achieved=achieved,
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=None if holds else published.witness(alone),
            violations=0 if holds else int(alone.sum()),
            note=f"estimated: {used}",
        )
