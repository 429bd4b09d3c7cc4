"""(α,k)-anonymity: k-anonymity, and no sensitive value has more than a share α of a class.

R. C.-W. Wong, J. Li, A. W.-C. Fu & K. Wang, "(α, k)-anonymity: an enhanced k-anonymity model for
privacy-preserving data publishing" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Threat, Verdict
from sfumato.table.models.numbers import check_column, check_texts, check_whole, exactly, pair, plain, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value
from sfumato.table.models.shares import measure_shares
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class AlphaKAnonymity(SensitiveModel):
    """Everybody is among k who look alike, and at most a share α of them has the same sensitive value.

    For all classes E:  |E| ≥ k,  and  f_v(E) / |E| ≤ α  for every sensitive value v, or for those that are
    listed in ``values`` (as they are written in the data).

    Protects from finding a person's record, and from guessing a watched value with a chance above α.
    Values that are not watched may fill a class. It does not protect from values that differ and mean
    the same.

    >>> AlphaKAnonymity(0.5, 3, ("HIV",)).in_words()
    'everybody shares their quasi-identifiers with at least 2 others, at most 0.5 of them with the same \
watched value'
    """

    alpha: float
    k: int
    values: tuple[str, ...] = ()
    column: str | None = None
    name: ClassVar[str] = "alpha-k-anonymity"
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ("linkage", "homogeneity")

    def __post_init__(self) -> None:
        if not 0 < exactly(self.alpha, "alpha", self.name, "try alpha: 0.5") <= 1:
            raise BadInput("alpha must be above 0 and at most 1", where=self.name, remedy="try alpha: 0.5")
        check_whole(self.k, "k", 1, self.name)
        check_column(self.column, self.name)
        check_texts(self.values, "values", self.name)
        object.__setattr__(self, "values", tuple(self.values))

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.alpha, "alpha", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        others = f"{self.k - 1} other{'s' * (self.k != 2)}"
        watched = "watched" if self.values else "sensitive"
        return (
            f"everybody shares their quasi-identifiers with at least {others}, at most "
            f"{plain(self._wanted)} of them with the same {watched} value"
        )

    def smallest(self) -> int:
        """Every class needs k persons."""
        return self.k

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Both parts; watched values belong to one column."""
        self._refuse_two_columns(schema.sensitive)
        return super().rules(schema)

    def check(self, published: PublishedTable) -> Verdict:
        """Look for the smallest class and for the largest share."""
        self._refuse_two_columns(published.sensitive)
        return super().check(published)

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """f_v ≤ α · n in two classes adds up to the same in their union."""
        return (Rule(RuleKind.MAX_SHARE, pair(self._wanted), True, column, known, self.values),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Look for the largest share of a watched value."""
        return measure_shares(values, self._wanted, self.values)

    def required(self) -> str:
        """Write what is asked."""
        return f"k ≥ {self.k}, α ≤ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"α = {shown(value, self._wanted)}"

    def _refuse_two_columns(self, sensitive: tuple[str, ...]) -> None:
        if self.values and self.column is None and len(sensitive) > 1:
            raise BadInput(
                f"values are listed, and there are {len(sensitive)} sensitive columns",
                where=self.name,
                remedy="say with 'column' which of them the values belong to",
            )
