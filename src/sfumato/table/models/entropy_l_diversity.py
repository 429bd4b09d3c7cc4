"""Entropy l-diversity: the values of every class are spread as widely as l equally frequent ones.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond
k-anonymity" (2006).
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.table.models.logarithms import sign_of_logs
from sfumato.table.models.numbers import check_column, exactly, pair, plain, shown
from sfumato.table.models.sensitive import NEAR, Measured, SensitiveModel, Value, judged
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class EntropyLDiversity(SensitiveModel):
    """The sensitive values of every class have an entropy of at least ln l.

    For all classes E with n persons:  −Σ_v (f_v/n) ln(f_v/n) ≥ ln l,  which is  Π f_v^f_v · l^n ≤ n^n.
    What is achieved is e^entropy: the number of equally frequent values that would be as uncertain.

    Protects from learning a sensitive value, also when a class has several values of which one is
    much more frequent. It does not protect from values that differ and mean the same; it cannot hold
    with an l above e^entropy of the whole table, and one value may still have a share above 1/l.

    >>> EntropyLDiversity(2.5).in_words()
    'those who share their quasi-identifiers have sensitive values as varied as 2.5 equally frequent ones'
    """

    l: float  # noqa: E741 - the name of the literature
    column: str | None = None
    name: ClassVar[str] = "entropy-l-diversity"
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
        what = f"values of '{self.column}'" if self.column else "sensitive values"
        return (
            f"those who share their quasi-identifiers have {what} as varied as "
            f"{plain(self._wanted)} equally frequent ones"
        )

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """Entropy is concave: that of a union is at least that of one of its parts."""
        return (Rule(RuleKind.ENTROPY, pair(self._wanted), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Compute the entropy of every part."""
        weighted = values.persons * np.log(values.persons)
        entropy = np.log(values.totals) - np.add.reduceat(weighted, values.starts[:-1]) / values.totals
        wanted = self._wanted

        def breaks(counts: dict[int, int]) -> bool:
            return compare(tuple(sorted(counts.values())), wanted) < 0

        return judged(values, -entropy, -math.log(wanted), breaks, lambda counts: achieved(counts.values()))

    def required(self) -> str:
        """Write what is asked."""
        return f"l ≥ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return f"l = {shown(value, self._wanted)}"


@functools.lru_cache(maxsize=1 << 16)
def compare(counts: tuple[int, ...], wanted: Fraction) -> int:
    """Return the sign of e^entropy − wanted, without rounding.

    >>> compare((1, 1, 1), Fraction(3)), compare((8, 1, 1), Fraction(2))
    (0, -1)
    """
    n = sum(counts)
    terms = [(n, n), (n, wanted.denominator), (-n, wanted.numerator)]
    return sign_of_logs(terms + [(-f * many, f) for f, many in Counter(counts).items()])


def achieved(counts: Iterable[int]) -> Value:
    """Return e^entropy; a whole number where it is one.

    >>> achieved([1, 1, 1]), round(achieved([8, 1, 1]), 3)
    (Fraction(3, 1), 1.895)
    """
    listed = tuple(sorted(counts))
    n = sum(listed)
    found = math.exp(math.log(n) - math.fsum(f * math.log(f) for f in listed) / n)
    nearest = Fraction(round(found))
    if abs(found - nearest) < NEAR * found and compare(listed, nearest) == 0:
        return nearest
    return found
