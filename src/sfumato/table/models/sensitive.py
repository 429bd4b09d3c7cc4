"""What all models about sensitive columns share: which columns, which parts of a class, and the verdict.

A model of this kind asks the same of every class, and, where an adversary knows other sensitive
columns besides (A. Machanavajjhala et al., "l-diversity" (2007), call it instance-level knowledge), of
all those in a class who share what is known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind

NEAR = 1e-9
"""far above any error of rounding, and far below what separates most classes from a threshold"""
THE_WHOLE_TABLE = "in the whole table each counts once for each of their values"
"""what the whole table is, where somebody may have several rows: what one class of everybody would show"""
Value = Fraction | float
"""what a table achieves; infinite where no parameter would do"""


@dataclass(frozen=True)
class SensitiveWitness(Witness):
    """A class that breaks a promise about a sensitive column."""

    sensitive: str = ""

    def __str__(self) -> str:
        return f"{super().__str__()}, by its values of '{self.sensitive}'"


@dataclass(frozen=True)
class Measured:
    """One sensitive column: which parts break the promise, and the value that the worst part achieves."""

    broken: NDArray[np.bool_]
    worst: NDArray[np.bool_]
    """the parts that achieve ``value``; all of them break the promise if any part does"""
    value: Value


class SensitiveModel(ABC):
    """A promise about the values of sensitive columns, class by class."""

    name: ClassVar[str]
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE,)
    compares: ClassVar[bool] = False
    """whether classes are compared with the whole table"""

    @abstractmethod
    def rules_about(self, column: str, known: tuple[str, ...]) -> tuple[Rule, ...]:
        """Return the predicates on a class for one sensitive column."""

    @abstractmethod
    def measure(self, values: ClassValues, published: PublishedTable) -> Measured:
        """Judge every part; there is at least one."""

    @abstractmethod
    def required(self) -> str:
        """Write what is asked."""

    @abstractmethod
    def written(self, value: Value) -> str:
        """Write what is achieved."""

    def smallest(self) -> int:
        """Return the persons that every class must have besides; 0 when the model does not say."""
        return 0

    @property
    def remark(self) -> str:
        """What a verdict says besides."""
        return ""

    def values_of(self, published: PublishedTable, column: str, known: tuple[str, ...]) -> ClassValues:
        """Count the values of every class."""
        return published.values_of(column, known)

    @property
    def only(self) -> str | None:
        """The one sensitive column that is meant; all if None."""
        column: str | None = getattr(self, "column", None)
        return column

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask the same of every sensitive column that is meant."""
        columns = self._columns(schema.sensitive, schema.quasi)
        found: list[Rule] = []
        if self.smallest():
            found.append(Rule(RuleKind.MIN_PERSONS, (self.smallest(),), monotone=True))
        for column in columns:
            found += self.rules_about(column, besides(column, schema.known))
        return tuple(found)

    def measured(self, published: PublishedTable) -> dict[str, Value]:
        """Return what the table achieves, for each sensitive column that is meant."""
        return {column: found.value for column, _, found in self._findings(published)}

    def check(self, published: PublishedTable) -> Verdict:
        """Count the values of every published class and judge them."""
        persons = published.class_persons
        broken = persons < self.smallest()
        witness = published.witness(persons == persons.min()) if broken.any() else None
        achieved = []
        if self.smallest() and len(persons):
            achieved.append(f"k = {persons.min()}")
        findings = self._findings(published)
        for column, values, found in findings:
            place = f" ({column})" if len(findings) > 1 else ""
            achieved.append(self.written(found.value) + place)
            broken[values.owner[found.broken]] = True
            if witness is None and found.broken.any():
                witness = _witness(published, values, found, column)
        return Verdict(
            self.name,
            witness is None,
            required=self.required(),
            achieved=", ".join(achieved) or "no records",
            basis=Basis.ORIGINAL if published.person else self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=int(broken.sum()),
            note="; ".join(filter(None, [self._counted(published), self.remark])),
        )

    def _counted(self, published: PublishedTable) -> str:
        """Describe who was counted, where rows are not people."""
        if published.person is None:
            return ""
        return f"persons counted; {THE_WHOLE_TABLE}" if self.compares else "persons counted"

    def _findings(self, published: PublishedTable) -> list[tuple[str, ClassValues, Measured]]:
        columns = self._columns(published.sensitive, published.quasi)
        counted = [
            (column, self.values_of(published, column, besides(column, published.known)))
            for column in columns
        ]
        return [
            (column, values, self.measure(values, published)) for column, values in counted if len(values)
        ]

    def _columns(self, sensitive: Sequence[str], quasi: Sequence[str]) -> tuple[str, ...]:
        return columns_meant(self.name, self.only, sensitive, quasi)


def columns_meant(
    model: str, only: str | None, sensitive: Sequence[str], quasi: Sequence[str]
) -> tuple[str, ...]:
    """Return the sensitive columns that a model is about; refuse when there are none."""
    if not sensitive:
        raise BadInput(
            "no column is sensitive, so there is nothing that it could protect",
            where=model,
            remedy="give a column the role 'sensitive'",
        )
    if only is None:
        return tuple(sensitive)
    if only in quasi:
        raise BadInput(
            f"column '{only}' is a quasi-identifier, and the model needs a sensitive column",
            where=model,
            remedy="give it the role 'sensitive'; with 'known: true' it counts as both",
        )
    if only not in sensitive:
        raise BadInput(f"column '{only}' is not sensitive", where=model, remedy=nearest(only, sensitive))
    return (only,)


def besides(column: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return what an adversary knows apart from the column itself."""
    return tuple(name for name in known if name != column)


def parts_of_entries(values: ClassValues) -> NDArray[np.int64]:
    """Return the part of every entry."""
    return np.repeat(np.arange(len(values)), np.diff(values.starts))


def largest(values: ClassValues, measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest of a measure over the entries of every part."""
    return np.maximum.reduceat(measure, values.starts[:-1])


def judged(
    values: ClassValues,
    badness: NDArray[np.float64],
    limit: float,
    breaks: Callable[[dict[int, int]], bool],
    value: Callable[[dict[int, int]], Value],
    scale: float = 1.0,
) -> Measured:
    """Judge parts by a number that was computed with rounding: those near the limit are decided exactly.

    ``breaks`` and ``value`` say from the counts of a part whether it breaks the promise and what it
    achieves, without rounding. ``scale`` is the size of what was added up or subtracted, if above 1.
    """
    broken = badness > limit
    for part in np.flatnonzero(np.abs(badness - limit) <= NEAR * max(1.0, abs(limit), scale)):
        broken[part] = breaks(values.counts(int(part)))
    worst = worst_of(badness, broken)
    return Measured(broken, worst, value(values.counts(int(np.argmax(worst)))))


def worst_of(
    badness: NDArray[np.float64] | NDArray[np.int64], broken: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the parts with most of something bad, among those that break the promise if any does."""
    among = broken if broken.any() else np.ones(len(badness), np.bool_)
    found: NDArray[np.bool_] = among & (badness == badness[among].max())
    return found


def _witness(
    published: PublishedTable, values: ClassValues, found: Measured, column: str
) -> SensitiveWitness:
    """Show a class with the worst part."""
    where = np.zeros(len(published.class_persons), np.bool_)
    where[values.owner[found.worst]] = True
    seen = published.witness(where)
    return SensitiveWitness(seen.columns, seen.rows, seen.size, column)
