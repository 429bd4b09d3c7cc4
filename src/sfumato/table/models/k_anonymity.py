"""k-anonymity: nobody stands out from fewer than k.

Samarati & Sweeney (1998); Sweeney, "k-anonymity: a model for protecting privacy" (2002). The reading of
missing values as wildcards: M. Templ, A. Kowarik & B. Meindl, "Statistical disclosure control for micro-data
using the R package sdcMicro" (2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.models.numbers import check_choice
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind
from sfumato.table.wildcards import wildcard_frequencies

Missing = Literal["own", "wildcard"]


@dataclass(frozen=True)
class KAnonymity:
    """Every combination of quasi-identifiers that occurs is shared by at least k persons.

    For all classes E of records with equal quasi-identifiers:  |persons(E)| ≥ k.

    A missing value is a value of its own. With ``missing="wildcard"`` it agrees with every value, and so
    does a suppressed one: every record must then agree with at least k. That promises less, since those
    who agree with a record need not agree with each other. With ``up_to`` an adversary knows at most so
    many of the quasi-identifiers, and it is enough that every choice of so many satisfies it.

    Protects from finding out which record is a person's, by linking on the declared
    quasi-identifiers. It does not keep sensitive values apart: when all of a class share one, it is
    learned without finding the record.

    >>> KAnonymity(5).in_words()
    'everybody shares their quasi-identifiers with at least 4 others'
    """

    k: int
    missing: Missing | None = None
    up_to: int | None = None
    name: ClassVar[str] = "k-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise BadInput("k must be a whole number of at least 1", where="k-anonymity", remedy="try k: 5")
        if self.missing is not None:
            check_choice(self.missing, get_args(Missing), "reading of missing values", self.name)
        up_to = self.up_to
        if up_to is not None and (isinstance(up_to, bool) or not isinstance(up_to, int) or up_to < 1):
            raise BadInput(
                "up_to must be a whole number of at least 1",
                where=self.name,
                remedy="leave it out for all quasi-identifiers",
            )

    @property
    def stops(self) -> tuple[str, ...]:
        """The attacks it stops: with wildcards none.

        There a hidden value agrees with every value, but whoever knows it tells those who show another apart.
        """
        return ("linkage",) if self.missing != "wildcard" else ()

    def in_words(self) -> str:
        """Say what is promised."""
        others = self.k - 1
        what = "their quasi-identifiers" if self.up_to is None else f"any {self.up_to} quasi-identifiers"
        reading = ", where a missing value agrees with every value" if self.missing == "wildcard" else ""
        return f"everybody shares {what} with at least {others} other{'s' * (others != 1)}{reading}"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """A class needs k persons; merging classes only adds to them.

        For wildcards and for choices of columns this is more than enough: records of one class agree.
        """
        return (Rule(RuleKind.MIN_PERSONS, (self.k,), monotone=True),)

    def check(self, published: PublishedTable) -> Verdict:
        """Group the published rows and look for the smallest class."""
        persons = published.class_persons
        if self.missing == "wildcard" or self.up_to is not None:
            persons = self._agreeing(published)
        violations = int((persons < self.k).sum())
        witness: Witness | None = None
        if violations:
            witness = published.witness(persons == persons.min())
        notes = ["persons counted"] if published.person else []
        if self.missing == "wildcard":
            notes.append("a missing value agrees with every value")
        return Verdict(
            self.name,
            violations == 0,
            required=f"k ≥ {self.k}"
            + (f" on any {self.up_to} column{'s' * (self.up_to != 1)}" if self.up_to else ""),
            achieved=f"k = {persons.min()}" if len(persons) else "no records",
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=violations,
            note="; ".join(notes),
        )

    def _agreeing(self, published: PublishedTable) -> NDArray[np.int64]:
        """Return for every class the fewest persons who agree with it on any choice of columns."""
        persons = published.class_persons
        if published.person is not None:
            raise BadInput(
                "people with several rows cannot be counted with wildcards or choices of columns",
                where=self.name,
                remedy="leave 'missing' and 'up_to' out, or give one row for each person",
            )
        if not len(persons):
            return persons
        wild = (None, ROOT) if self.missing == "wildcard" else ()
        codes = np.empty((len(published.quasi), len(persons)), np.int64)
        hidden = np.empty(codes.shape, np.bool_)
        for j, name in enumerate(published.quasi):
            values = published.classes.column(j).to_pylist()
            code_of = {value: code for code, value in enumerate(Domain.of(name, values).values)}
            codes[j] = [code_of[value] for value in values]
            hidden[j] = [value in wild for value in values]
        width = len(codes) if self.up_to is None else min(self.up_to, len(codes))
        fewest = np.full(len(persons), int(persons.sum()), np.int64)
        for chosen in combinations(range(len(codes)), width):
            some = list(chosen)
            fewest = np.minimum(fewest, wildcard_frequencies(codes[some], hidden[some], persons))
        return fewest
