"""δ-disclosure privacy: no sensitive value becomes much more or much less likely.

J. Brickell & V. Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data
publishing" (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.models.comparing import Base, ComparingModel
from sfumato.table.models.logarithms import sign_of_logs
from sfumato.table.models.numbers import check_column, exactly, pair, plain, shown
from sfumato.table.models.sensitive import (
    Measured,
    Value,
    judged,
    largest,
    parts_of_entries,
)
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind

_MOST = 1000
"""2^delta must be a number"""


@dataclass(frozen=True)
class DeltaDisclosure(ComparingModel):
    """The share of every value that occurs in a class is within a factor of 2^δ of its share in the table.

    For all classes E and values v that occur in E:  |log2( (f_v(E)/|E|) / p_v )| < δ.

    Protects from learning a sensitive value, and that somebody is unlikely to have it. Values that do
    not occur in a class at all are not looked at (in the strict reading of the paper every value must
    occur in every class): that a value is missing there can be learned.

    >>> DeltaDisclosure(1).in_words()
    'no sensitive value that occurs becomes 2 times as likely, or as unlikely, by the quasi-identifiers'
    """

    delta: float
    column: str | None = None
    base: Base = "released"
    name: ClassVar[str] = "delta-disclosure"

    def __post_init__(self) -> None:
        if exactly(self.delta, "delta", self.name, "try delta: 1") <= 0:
            raise BadInput("delta must be above 0", where=self.name, remedy="try delta: 1")
        if self._wanted > _MOST:
            raise BadInput(f"delta must be at most {_MOST}", where=self.name, remedy="try delta: 1")
        check_column(self.column, self.name)
        self.check_base()

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.delta, "delta", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"value of '{self.column}'" if self.column else "sensitive value"
        return (
            f"no {what} that occurs becomes {shown(2.0 ** float(self._wanted))} times as likely, or as "
            f"unlikely,{self.than} by the quasi-identifiers"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """It is not monotone: a class without a value and one with just enough of it have too little."""
        return (
            Rule(RuleKind.DISCLOSURE, pair(self._wanted), False, column, known, as_released=self.as_released),
        )

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Look for the value that changes most."""
        shares = values.persons / values.totals[parts_of_entries(values)]
        change = np.abs(np.log2(shares / (values.base / values.base.sum())[values.codes]))
        wanted, base = self._wanted, values.base

        def breaks(counts: dict[int, int]) -> bool:
            return any(reaches(ratio, wanted) for ratio in ratios(counts, base))

        return judged(values, largest(values, change), float(wanted), breaks, lambda c: achieved(c, base))

    def required(self) -> str:
        """Write what is asked."""
        return f"δ < {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"δ = {shown(value, self._wanted)}"


def ratios(counts: dict[int, int], base: NDArray[np.int64]) -> list[Fraction]:
    """Return how many times as likely, or as unlikely, every value of a part became."""
    n, total = sum(counts.values()), int(base.sum())
    found = [Fraction(f * total, n * int(base[v])) for v, f in counts.items()]
    return [max(ratio, 1 / ratio) for ratio in found]


def reaches(ratio: Fraction, delta: Fraction) -> bool:
    """Say whether log2(ratio) ≥ δ: ratio^b ≥ 2^a for δ = a/b."""
    a, b = pair(delta)
    return sign_of_logs([(b, ratio.numerator), (-b, ratio.denominator), (-a, 2)]) >= 0


def achieved(counts: dict[int, int], base: NDArray[np.int64]) -> Value:
    """Return the largest |log2(q/p)|; a whole number where it is one."""
    ratio = max(ratios(counts, base))
    found = float(np.log2(float(ratio)))
    return Fraction(round(found)) if ratio == 2 ** round(found) else found
