"""What models share that compare a class with the whole table: which table that is.

*Released*: the table that is published. Whoever has it can check the promise, and what a class says beyond it
is what the quasi-identifiers tell. When records are suppressed, it is not quite the table that came in.

*Input*: the table before records were left out, as ARX compares (F. Prasser et al., 2020). It does not move
with what is suppressed, so more can be kept; but it is not published. Only the steward can check the promise,
and a reader who compares a class with the release may see more than was promised.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.table.models.numbers import check_choice
from sfumato.table.models.sensitive import SensitiveModel
from sfumato.table.published import ClassValues, PublishedTable

Base = Literal["released", "input"]
"""The whole table that classes are compared with: the one that is released, or the one before records were
left out"""


@dataclass(frozen=True)
class ComparedValues(ClassValues):
    """Who has which value, class by class, beside another whole table than the one the classes make."""

    whole: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)

    @property
    def base(self) -> NDArray[np.int64]:
        """Count the persons of every value in that table."""
        return self.whole


class ComparingModel(SensitiveModel):
    """A promise about the values of classes beside those of the whole table."""

    base: Base
    compares: ClassVar[bool] = True
    ends: ClassVar[tuple[str, ...]] = ("skewness",)

    @property
    def as_released(self) -> bool:
        """Whether it compares with the table that is released."""
        return self.base == "released"

    @property
    def basis(self) -> Basis:  # type: ignore[override]
        """What it can be checked from: the input is in no release."""
        return Basis.RELEASE if self.as_released else Basis.ORIGINAL

    @property
    def stops(self) -> tuple[str, ...]:
        """The attacks it stops; none that compares with the release, when it compares with the input."""
        return self.ends if self.as_released else ()

    @property
    def everybody(self) -> str:
        """The people of the whole table, in words."""
        return "everybody" if self.as_released else "everybody's before records were left out"

    @property
    def than(self) -> str:
        """What a share is compared with, in words: nothing need be said of the release itself."""
        return "" if self.as_released else " as before records were left out"

    @property
    def remark(self) -> str:
        """What a verdict says besides."""
        return "" if self.as_released else "compared with the input"

    def check_base(self) -> None:
        """Refuse a table that there is none of."""
        check_choice(self.base, get_args(Base), "base", self.name)

    def values_of(self, published: PublishedTable, column: str, known: tuple[str, ...]) -> ClassValues:
        """Count the values of every class, beside the table that is compared with."""
        values = published.values_of(column, known)
        return values if self.as_released or not len(values) else self._beside_input(values, published)

    def _beside_input(self, values: ClassValues, published: PublishedTable) -> ClassValues:
        name = values.domain.name
        if published.input is None:
            raise BadInput(
                "it compares with the table before records were left out, which is not given",
                where=self.name,
                remedy="give the original, or set 'base: released'",
            )
        table = published.input
        found: dict[object, int] = {}
        for batch in table.engine.count(table, [name], person=published.person):
            # Rows, then persons.
            found.update(zip(batch.column(0).to_pylist(), batch.column(2).to_pylist(), strict=True))
        domain = Domain.of(name, list(found))
        code_of = {value: code for code, value in enumerate(domain.values)}
        if strangers := sum(value not in code_of for value in values.domain.values):
            raise BadInput(
                f"{strangers} of the values that are released do not occur in the original",
                where=f"column '{name}'",
                remedy="give the original that the release was made from",
            )
        codes = np.array([code_of[value] for value in values.domain.values], np.int64)
        whole = np.array([found[value] for value in domain.values], np.int64)
        return ComparedValues(
            domain,
            values.owner,
            values.starts,
            codes[values.codes],
            values.persons,
            values.people,
            whole=whole,
        )
