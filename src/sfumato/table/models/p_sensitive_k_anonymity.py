"""p-sensitive k-anonymity: k-anonymity, and at least p different sensitive values in every class.

T. M. Truta & B. Vinay, "Privacy protection: p-sensitive k-anonymity property" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.models.numbers import check_column, check_whole, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value, worst_of
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class PSensitiveKAnonymity(SensitiveModel):
    """Everybody is among k who look alike, and each sensitive column has p different values among them.

    For all classes E and sensitive columns S:  |E| ≥ k  and  |{ v : f_v(E) > 0 }| ≥ p,  with p ≤ k.

    Protects from finding a person's record, and from learning a sensitive value because all of a class
    share it. It does not protect from a value that nearly all of a class share, nor from values that
    differ and mean the same.

    >>> PSensitiveKAnonymity(2, 5).in_words()
    'everybody shares their quasi-identifiers with at least 4 others, who have at least 2 different \
sensitive values'
    """

    p: int
    k: int
    column: str | None = None
    name: ClassVar[str] = "p-sensitive-k-anonymity"
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ("linkage", "homogeneity")

    def __post_init__(self) -> None:
        check_whole(self.p, "p", 1, self.name)
        check_whole(self.k, "k", 1, self.name)
        if self.p > self.k:
            raise BadInput(
                f"p = {self.p} is more than k = {self.k}",
                where=self.name,
                remedy="a class of p different values has at least p persons: choose k of at least p",
            )
        check_column(self.column, self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"values of '{self.column}'" if self.column else "sensitive values"
        return (
            f"everybody shares their quasi-identifiers with at least {self.k - 1} "
            f"other{'s' * (self.k != 2)}, who have at least {self.p} different {what}"
        )

    def smallest(self) -> int:
        """Every class needs k persons."""
        return self.k

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """Count values: a larger class has at least as many."""
        return (Rule(RuleKind.DISTINCT, (self.p,), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Count the values of every part."""
        different = np.diff(values.starts)
        broken = different < self.p
        return Measured(broken, worst_of(-different, broken), float(different.min()))

    def required(self) -> str:
        """Write what is asked."""
        return f"k ≥ {self.k}, p ≥ {self.p}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"p = {shown(value)}"
