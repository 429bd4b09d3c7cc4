"""(k,1), (1,k) and (k,k)-anonymisation: records of original and release agree with k of the other side.

A. Gionis, A. Mazza & T. Tassa, "k-anonymization revisited" (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.table.models.covering import Agreement, agreement
from sfumato.table.models.numbers import check_whole
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class FewAgree(Witness):
    """Somebody of the original with whom few released records agree."""

    def __str__(self) -> str:
        return f"somebody of the original agrees with only {self.size} of the release"


class _Anonymisation:
    """What the three share; each looks at one side or at both."""

    name: ClassVar[str]
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("linkage",)
    released: ClassVar[bool] = True
    """whether every released record must agree with k of the original"""
    originals: ClassVar[bool] = True
    """whether every original record must agree with k of the release"""
    k: int

    def __post_init__(self) -> None:
        check_whole(self.k, "k", 1, self.name)

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask for k-anonymity, which is more than enough.

        In a release that was only generalised, the k of a class cover each other's originals.
        """
        return (Rule(RuleKind.MIN_PERSONS, (self.k,), monotone=True),)

    def check(self, published: PublishedTable) -> Verdict:
        """Count who agrees with whom; without the original, classes of k are enough."""
        persons = published.class_persons
        if published.original is not None:
            return self._verdict(published, agreement(published), "")
        if len(persons) and persons.min() < self.k:
            raise BadInput(
                f"some classes have fewer than {self.k} persons, and only the original tells who agrees",
                where=self.name,
                remedy="check it together with the original",
            )
        return self._verdict(published, Agreement(persons, persons), "implied by k-anonymity")

    def _verdict(self, published: PublishedTable, found: Agreement, note: str) -> Verdict:
        # An original record that agrees with nothing was left out: there is no record of it to be found.
        left = found.with_originals[found.with_originals > 0]
        sides = [found.with_classes] * self.released + [left] * self.originals
        fewest = [int(side.min()) for side in sides if len(side)]
        broken = found.with_classes < self.k if self.released else np.zeros(len(found.with_classes), np.bool_)
        others = left[left < self.k] if self.originals else left[:0]
        witness: Witness | None = None
        if broken.any():
            witness = published.witness(found.with_classes == found.with_classes.min())
        elif len(others):
            witness = FewAgree(published.quasi, (), int(others.min()))
        return Verdict(
            self.name,
            witness is None,
            required=f"k ≥ {self.k}",
            achieved=f"k = {min(fewest)}" if fewest else "no records",
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=int(broken.sum()) + len(others),
            note=note if fewest else "",
        )


@dataclass(frozen=True)
class KOneAnonymisation(_Anonymisation):
    """Every released record may be that of at least k people of the original.

    For all released records R̄:  |{ original records R that R̄ covers }| ≥ k.

    Protects from telling whose a released record is. It does not protect from somebody who starts from
    a person and looks for their record: there may be only one that fits. It says nothing of sensitive
    values.

    >>> KOneAnonymisation(5).in_words()
    'every released record may be that of at least 5 people'
    """

    k: int
    name: ClassVar[str] = "k-1-anonymisation"
    originals: ClassVar[bool] = False

    def in_words(self) -> str:
        """Say what is promised."""
        return f"every released record may be that of at least {self.k} people"


@dataclass(frozen=True)
class OneKAnonymisation(_Anonymisation):
    """For every person of the original there are at least k released records that may be theirs.

    For all original records R:  |{ released records R̄ that cover R }| ≥ k.

    Protects from finding the record of a person whose quasi-identifiers are known. It does not protect
    from somebody who also knows everybody else: some of the k records may fit only other people. It
    says nothing of sensitive values.

    >>> OneKAnonymisation(5).in_words()
    'for everybody there are at least 5 released records that may be theirs'
    """

    k: int
    name: ClassVar[str] = "1-k-anonymisation"
    released: ClassVar[bool] = False

    def in_words(self) -> str:
        """Say what is promised."""
        return f"for everybody there are at least {self.k} released records that may be theirs"


@dataclass(frozen=True)
class KKAnonymisation(_Anonymisation):
    """Every released record fits k people, and every person fits k released records.

    Both (k,1)- and (1,k)-anonymisation:  |{ R : R̄ covers R }| ≥ k  for all released R̄, and
    |{ R̄ : R̄ covers R }| ≥ k  for all original R.

    Protects from linking people and records either way, like k-anonymity, and needs less generalisation.
    It does not protect from somebody who knows the quasi-identifiers of *all* people and matches them
    as a whole; k-anonymity does. It says nothing of sensitive values.

    >>> KKAnonymisation(5).in_words()
    'every released record may be that of at least 5 people, and everybody fits at least 5 records'
    """

    k: int
    name: ClassVar[str] = "k-k-anonymisation"

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"every released record may be that of at least {self.k} people, and everybody fits at least "
            f"{self.k} records"
        )
