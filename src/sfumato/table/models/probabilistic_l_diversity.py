"""Probabilistic l-diversity: no sensitive value has more than 1/l of a class.

X. Xiao & Y. Tao, "Anatomy: simple and effective privacy preservation" (2006), after A. Machanavajjhala
et al., "l-diversity: privacy beyond k-anonymity" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.table.models.numbers import check_column, exactly, pair, plain, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value
from sfumato.table.models.shares import measure_shares
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class ProbabilisticLDiversity(SensitiveModel):
    """Nobody's sensitive value can be guessed with a chance above 1/l.

    For all classes E and values v:  f_v(E) / |E| ≤ 1 / l.

    Protects from guessing a sensitive value from the class of a person. It does not protect from
    values that differ and mean the same, and says nothing about how rare a value is in the whole
    table: 1/l may be far above that.

    >>> ProbabilisticLDiversity(4).in_words()
    'no sensitive value can be guessed with a chance above 1 in 4'
    """

    l: float  # noqa: E741 - the name of the literature
    column: str | None = None
    name: ClassVar[str] = "probabilistic-l-diversity"
    stops: ClassVar[tuple[str, ...]] = ("homogeneity",)

    def __post_init__(self) -> None:
        if exactly(self.l, "l", self.name, "try l: 3") < 1:
            raise BadInput("l must be at least 1", where=self.name, remedy="try l: 3")
        check_column(self.column, self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.l, "l", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"value of '{self.column}'" if self.column else "sensitive value"
        return f"no {what} can be guessed with a chance above 1 in {plain(self._wanted)}"

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """f_v ≤ n / l in two classes adds up to the same in their union."""
        return (Rule(RuleKind.MAX_SHARE, pair(1 / self._wanted), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Look for the largest share in every part."""
        return measure_shares(values, 1 / self._wanted)

    def required(self) -> str:
        """Write what is asked."""
        return f"l ≥ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"l = {shown(1 / value, self._wanted)}"
