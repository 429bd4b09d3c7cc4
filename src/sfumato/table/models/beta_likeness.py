"""β-likeness: no sensitive value is much more frequent in a class than in the whole table.

J. Cao & P. Karras, "Publishing microdata with a robust privacy guarantee" (2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.table.models.comparing import Base, ComparingModel
from sfumato.table.models.logarithms import is_at_most_log
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


@dataclass(frozen=True)
class BasicBetaLikeness(ComparingModel):
    """Seeing the class of a person makes no sensitive value more than 1 + β times as likely.

    For all classes E and values v:  (f_v(E)/|E| − p_v) / p_v ≤ β,  p_v being the share in the whole table.

    Protects from learning a sensitive value; rare values are protected as strictly as frequent ones,
    which a bound on the sum of differences does not do. It does not bound how *un*likely a value may
    become, and with a β above 1/p_v − 1 it allows a class in which everybody has v.

    >>> BasicBetaLikeness(2).in_words()
    'no sensitive value becomes more than 3 times as likely by knowing the quasi-identifiers'
    """

    beta: float
    column: str | None = None
    base: Base = "released"
    name: ClassVar[str] = "basic-beta-likeness"

    def __post_init__(self) -> None:
        if exactly(self.beta, "beta", self.name, "try beta: 2") <= 0:
            raise BadInput("beta must be above 0", where=self.name, remedy="try beta: 2")
        check_column(self.column, self.name)
        self.check_base()

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.beta, "beta", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"value of '{self.column}'" if self.column else "sensitive value"
        return (
            f"no {what} becomes more than {plain(1 + self._wanted)} times as likely{self.than} by knowing "
            "the quasi-identifiers"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """f_v ≤ (1 + β) p_v n in two classes adds up to the same in their union."""
        return (
            Rule(RuleKind.LIKENESS, pair(self._wanted), True, column, known, as_released=self.as_released),
        )

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Look for the value that gains most."""
        wanted, base = self._wanted, values.base
        return judged(
            values,
            largest(values, gains_of_entries(values)),
            float(wanted),
            lambda counts: max(gains(counts, base)) > wanted,
            lambda counts: max(gains(counts, base)),
        )

    def required(self) -> str:
        """Write what is asked."""
        return f"β ≤ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"β = {shown(value, self._wanted)}"


@dataclass(frozen=True)
class EnhancedBetaLikeness(BasicBetaLikeness):
    """β-likeness in which frequent values may gain less: at most −ln p_v.

    For all classes E and values v:  (f_v(E)/|E| − p_v) / p_v ≤ min(β, −ln p_v).

    Protects from learning a sensitive value, frequent ones included: since p(1 − ln p) < 1 for p < 1,
    no class can consist of one value. It does not bound how *un*likely a value may become.

    >>> EnhancedBetaLikeness(2).name
    'enhanced-beta-likeness'
    """

    name: ClassVar[str] = "enhanced-beta-likeness"

    def in_words(self) -> str:
        """Say what is promised."""
        return f"{super().in_words()}, and frequent ones less than that"

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """f_v ≤ (1 + bound_v) p_v n in two classes adds up to the same in their union."""
        return (
            Rule(
                RuleKind.LIKENESS_ENHANCED,
                pair(self._wanted),
                True,
                column,
                known,
                as_released=self.as_released,
            ),
        )

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Look for a value that gains more than −ln p_v, else for the one that gains most."""
        base = values.base
        total = int(base.sum())
        gained = gains_of_entries(values)
        over = gained + np.log(base / total)[values.codes]
        # A part whose gain is beyond −ln p breaks the promise whatever β is.
        beyond = largest(values, over)

        def is_beyond(counts: dict[int, int]) -> bool:
            pairs = zip(gains(counts, base), counts, strict=True)
            return any(not is_at_most_log(gain, Fraction(total, int(base[v]))) for gain, v in pairs)

        hopeless = judged(values, beyond, 0.0, is_beyond, lambda counts: math.inf)
        basic = super().measure(values, published)
        if not hopeless.broken.any():
            return basic
        return Measured(hopeless.broken | basic.broken, hopeless.worst, math.inf)

    def required(self) -> str:
        """Write what is asked."""
        return f"β ≤ {plain(self._wanted)}, at most −ln p"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return "no β: a value gains more than −ln p" if value == math.inf else super().written(value)


def gains_of_entries(values: ClassValues) -> NDArray[np.float64]:
    """Return (q − p) / p for every value of every part."""
    shares = values.persons / values.totals[parts_of_entries(values)]
    found: NDArray[np.float64] = shares / (values.base / values.base.sum())[values.codes] - 1.0
    return found


def gains(counts: dict[int, int], base: NDArray[np.int64]) -> list[Fraction]:
    """Return (q − p) / p for every value of one part, without rounding."""
    n, total = sum(counts.values()), int(base.sum())
    return [Fraction(f * total, n * int(base[v])) - 1 for v, f in counts.items()]
