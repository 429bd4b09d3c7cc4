"""k-map: everybody in the release looks like at least k people of the population.

L. Sweeney, "Computational disclosure control: a primer on data privacy protection" (2001); the estimates
are those of K. El Emam & F. K. Dankar, "Protecting privacy using k-anonymity" (2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.models.matching import matching
from sfumato.table.models.numbers import check_choice, check_whole, exactly
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind

Estimate = Literal["none", "poisson", "zero-truncated-poisson"]
"""Where the number of people of the population who match a class comes from: counted in a table of the
population (none); tested with a Poisson distribution of the size of a class in the sample; the same, given
that the class is in the sample at all"""


@dataclass(frozen=True)
class KMap:
    """Every combination of quasi-identifiers in the release is shared by k people of the population.

    For all classes E of the release:  |{ persons of the population that match E }| ≥ k.

    Where there is no table of the population, only its size N and that of the ``sample`` n, the size F of
    a class in the population is tested: were it k, the class would have X ~ Poisson(k · n/N) persons in
    the sample. A class is taken as large enough if it has at least k' of them, the least number with
    P[X ≥ k'] ≤ ``significance`` (or k, if that is less: nobody is in the sample and not in the population).

    Protects from finding whom of the population a record belongs to, by somebody who does not know who
    is in the release. It does not protect those who are known to be in it (k-anonymity does), nor
    sensitive values. An estimate errs for about a share ``significance`` of the classes.

    >>> KMap(10, estimate="zero-truncated-poisson", population=100_000, sample=30_162).derived_k
    9
    """

    k: int
    estimate: Estimate = "none"
    population: int | None = None
    sample: int | None = None
    significance: float = 0.01
    name: ClassVar[str] = "k-map"
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("linkage",)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", 1, self.name)
        check_choice(self.estimate, get_args(Estimate), "estimate", self.name)
        if not 0 < exactly(self.significance, "significance", self.name, "try significance: 0.01") < 1:
            raise BadInput(
                "significance must lie between 0 and 1", where=self.name, remedy="try significance: 0.01"
            )
        sizes = (self.population, self.sample)
        if self.estimate == "none":
            if sizes != (None, None):
                raise BadInput(
                    "sizes of population and sample are for estimates",
                    where=self.name,
                    remedy="choose an estimate, or give the population as a table",
                )
            return
        for value, what in zip(sizes, ("population", "sample"), strict=True):
            check_whole(value, what, 1, self.name)
        assert self.population is not None
        assert self.sample is not None
        if self.sample > self.population:
            raise BadInput(
                f"a sample of {self.sample} cannot come from a population of {self.population}",
                where=self.name,
                remedy="check the sizes",
            )

    @property
    def basis(self) -> Basis:
        """Estimates need only the release."""
        return Basis.POPULATION if self.estimate == "none" else Basis.RELEASE

    @property
    def derived_k(self) -> int:
        """The persons that a class of the sample needs so that its size in the population passes the test."""
        assert self.population is not None
        assert self.sample is not None
        mean = self.k * self.sample / self.population
        none = math.exp(-mean)
        whole = 1 - none if self.estimate == "zero-truncated-poisson" else 1.0
        tail, term = 1 - none, none
        for size in range(1, self.k):
            # Here tail = P[X ≥ size].
            if tail <= self.significance * whole:
                return size
            term *= mean / size
            tail -= term
        return self.k

    def in_words(self) -> str:
        """Say what is promised."""
        words = f"everybody shares their quasi-identifiers with at least {self.k} people of the population"
        return words if self.estimate == "none" else f"{words}, by an estimate"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Count the population, or the persons of the class; merging classes only adds to them."""
        if self.estimate == "none":
            return (Rule(RuleKind.MIN_POPULATION, (self.k,), monotone=True),)
        return (Rule(RuleKind.MIN_PERSONS, (self.derived_k,), monotone=True),)

    def check(self, published: PublishedTable) -> Verdict:
        """Look for the class that the fewest of the population match."""
        counted = self.estimate == "none"
        found = matching(published, self.name) if counted else None
        persons = published.class_persons if found is None else found.persons
        least = self.k if counted else self.derived_k
        violations = int((persons < least).sum())
        achieved = "no records"
        if len(persons):
            achieved = f"k = {persons.min()}" if counted else f"classes of {persons.min()} or more"
        return Verdict(
            self.name,
            violations == 0,
            required=f"k ≥ {self.k}" if counted else f"k ≥ {self.k}, by classes of {least} or more",
            achieved=achieved,
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=published.witness(persons == persons.min()) if violations else None,
            violations=violations,
            note=f"estimated: {self.estimate}, significance {self.significance:g}"
            if found is None
            else found.note,
        )
