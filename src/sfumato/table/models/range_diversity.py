"""Range diversity: the numbers of a class are spread over at least so much.

G. Loukides & J. Shao, "Preventing range disclosure in k-anonymised data" (2011). Of the paper's measures
this is the range itself: the largest sensitive value less the smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput
from sfumato.table.models.numbers import check_column, exactly, number, pair, plain, shown
from sfumato.table.models.sensitive import Measured, SensitiveModel, Value, judged
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class RangeDiversity(SensitiveModel):
    """The numbers of every class have a range of at least ``least`` (for dates, in days).

    For all classes E:  max { x in E } − min { x in E } ≥ least. Missing values are left aside; a class
    of nothing else breaks the promise.

    Protects from learning a narrow interval in which the numbers of a whole class lie. It does not
    protect from most of a class lying close together: one far value is enough for a wide range.

    >>> RangeDiversity(10).in_words()
    'the sensitive numbers of those who share their quasi-identifiers spread over at least 10'
    """

    least: float
    column: str | None = None
    name: ClassVar[str] = "range-diversity"
    stops: ClassVar[tuple[str, ...]] = ("similarity",)

    def __post_init__(self) -> None:
        if exactly(self.least, "least", self.name, "try the width that must not be learned") < 0:
            raise BadInput(
                "least must be at least 0", where=self.name, remedy="try the width that must not be learned"
            )
        check_column(self.column, self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.least, "least", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        what = f"values of '{self.column}'" if self.column else "sensitive numbers"
        who = "those who share their quasi-identifiers"
        return f"the {what} of {who} spread over at least {plain(self._wanted)}"

    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """A larger class has at least the range of its parts."""
        return (Rule(RuleKind.RANGE, pair(self._wanted), True, column, known),)

    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Compare the first and the last value of every part; missing comes behind all others."""
        refuse_texts(values.domain)
        positions, wanted = values.domain.positions, self._wanted
        assert positions is not None
        first, last = values.starts[:-1], values.starts[1:] - 1
        if values.domain.has_missing:
            missing = values.codes[last] == len(values.domain) - 1
            last = np.where(missing & (last > first), last - 1, last)
        # A part of nothing but missing values has no range, which is less than any: NaN becomes −1.
        ranges = np.nan_to_num(positions[values.codes[last]] - positions[values.codes[first]], nan=-1.0)

        def spread(counts: dict[int, int]) -> Value:
            present = [values.domain.values[v] for v in counts if values.domain.values[v] is not None]
            places = [number(value) for value in present]
            return max(places) - min(places) if places else Fraction(-1)

        largest = float(np.nanmax(np.abs(positions), initial=1.0))
        return judged(
            values, -ranges, -float(wanted), lambda counts: spread(counts) < wanted, spread, largest
        )

    def required(self) -> str:
        """Write what is asked."""
        return f"range ≥ {plain(self._wanted)}"

    def written(self, value: Value) -> str:
        """Write what is achieved."""
        return "no numbers" if value < 0 else f"range = {shown(value, self._wanted)}"


def refuse_texts(domain: Domain) -> None:
    """Refuse a column whose values are no numbers."""
    if domain.scale is Scale.CATEGORY and domain.values != (None,):
        raise BadInput(
            "the model needs numbers or dates, and these are neither",
            where=f"column '{domain.name}'",
            remedy="choose a model for categories, such as entropy-l-diversity",
        )
