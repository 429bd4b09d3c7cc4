"""Distinct l-diversity: in every class there are at least l different sensitive values.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond
k-anonymity" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.table.models.numbers import check_column, check_whole, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value, worst_of
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class DistinctLDiversity(SensitiveModel):
    """Whoever looks alike has at least l different sensitive values between them.

    For all classes E:  |{ v : f_v(E) > 0 }| ≥ l,  f_v(E) being the persons of E with value v. Missing is
    a value of its own.

    Protects from learning a sensitive value because all of a class share it. It does not protect from
    a value that nearly all of a class share, nor from values that differ and mean the same.

    >>> DistinctLDiversity(3).in_words()
    'those who share their quasi-identifiers have at least 3 different sensitive values'
    """

    l: int  # noqa: E741 - the name of the literature
    column: str | None = None
    name: ClassVar[str] = "distinct-l-diversity"
    stops: ClassVar[tuple[str, ...]] = ("homogeneity",)

    def __post_init__(self) -> None:
        check_whole(self.l, "l", 1, self.name)
        check_column(self.column, self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"values of '{self.column}'" if self.column else "sensitive values"
        return f"those who share their quasi-identifiers have at least {self.l} different {what}"

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """Count values: a larger class has at least as many."""
        return (Rule(RuleKind.DISTINCT, (self.l,), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Count the values of every part."""
        different = np.diff(values.starts)
        broken = different < self.l
        return Measured(broken, worst_of(-different, broken), float(different.min()))

    def required(self) -> str:
        """Write what is asked."""
        return f"l ≥ {self.l}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"l = {shown(value)}"
