"""Personalised privacy: everybody says which part of the truth about them is to stay hidden.

X. Xiao & Y. Tao, "Personalized privacy preservation" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.table.models.numbers import check_column, exactly, pair, plain, shown
from sfumato.table.models.sensitive import SensitiveWitness, columns_meant, worst_of
from sfumato.table.models.shares import exceeds
from sfumato.table.published import ClassValues, PublishedTable
from sfumato.table.rule import Rule, RuleKind


@dataclass(frozen=True)
class PersonalisedPrivacy:
    """Nobody can be said to have a value below the node that they want guarded with a chance above p.

    A column of role ``guard`` names for every person a node of the sensitive column's hierarchy, or
    nothing. For all classes E and all nodes g that somebody in E names:
    |{ persons of E with a value below g }| / |E| ≤ p.

    Protects from learning that somebody's value is of a kind that they do not want known. Who names
    nothing is not protected; and since nodes are never released, only who has the original can check it.

    >>> PersonalisedPrivacy(0.5).in_words()
    'what a person wants hidden is true of at most 0.5 of those who look like them'
    """

    p: float
    column: str | None = None
    name: ClassVar[str] = "personalised-privacy"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE,)
    stops: ClassVar[tuple[str, ...]] = ("similarity",)

    def __post_init__(self) -> None:
        if not 0 < exactly(self.p, "p", self.name, "try p: 0.5") <= 1:
            raise BadInput("p must be above 0 and at most 1", where=self.name, remedy="try p: 0.5")
        check_column(self.column, self.name)

    @property
    def _wanted(self) -> Fraction:
        return exactly(self.p, "p", self.name, "")

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"what a person wants hidden is true of at most {plain(self._wanted)} of those who look like them"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """It is not monotone: a class may bring values below a node that nobody guards in it."""
        column, guard = self._columns(schema.sensitive, schema.quasi, schema.guard)
        return (Rule(RuleKind.GUARDED, pair(self._wanted), False, column, (guard,)),)

    def check(self, published: PublishedTable) -> Verdict:
        """Count for every node that is guarded in a class the values below it."""
        column, guard = self._columns(published.sensitive, published.quasi, published.guard)
        values, guards = published.values_of(column), published.values_of(guard)
        number = len(published.class_persons)
        below, totals = np.zeros(number, np.int64), np.zeros(number, np.int64)
        if len(values):
            below = self._most_below(published, values, guards, number)
            totals[values.owner] = values.people
        broken = exceeds(below, self._wanted, totals)
        achieved, witness = "nothing is guarded" if number else "no records", None
        if below.any():
            worst = worst_of(below / np.maximum(totals, 1), broken)
            i = int(np.argmax(worst))
            achieved = f"p = {shown(Fraction(int(below[i]), int(totals[i])), self._wanted)}"
            if broken.any():
                seen = published.witness(worst)
                witness = SensitiveWitness(seen.columns, seen.rows, seen.size, column)
        return Verdict(
            self.name,
            witness is None,
            required=f"p ≤ {plain(self._wanted)}",
            achieved=achieved,
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=int(broken.sum()),
        )

    def _most_below(
        self, published: PublishedTable, values: ClassValues, guards: ClassValues, number: int
    ) -> NDArray[np.int64]:
        """Return for every class the most persons below one of the nodes that are guarded in it."""
        if values.domain.name not in published.hierarchies:
            raise BadInput(
                "guarding nodes needs a hierarchy of the sensitive column and there is none",
                where=f"column '{values.domain.name}'",
                remedy="give it a hierarchy, as for a quasi-identifier",
            )
        hierarchy = published.hierarchies[values.domain.name]
        ladder = hierarchy.ladder(values.domain)
        class_of_value = np.repeat(values.owner, np.diff(values.starts))
        class_of_guard = np.repeat(guards.owner, np.diff(guards.starts))
        most = np.zeros(number, np.int64)
        for code, node in enumerate(guards.domain.values):
            if node is None:
                continue
            _refuse_unknown(hierarchy, ladder, as_text(node), guards.domain)
            under = _under(ladder, as_text(node))
            counted = np.zeros(number, np.int64)
            inside = under[values.codes]
            np.add.at(counted, class_of_value[inside], values.persons[inside])
            wanted = np.zeros(number, np.bool_)
            wanted[class_of_guard[guards.codes == code]] = True
            most = np.maximum(most, np.where(wanted, counted, 0))
        return most

    def _columns(
        self, sensitive: tuple[str, ...], quasi: tuple[str, ...], guard: str | None
    ) -> tuple[str, str]:
        columns = columns_meant(self.name, self.column, sensitive, quasi)
        if len(columns) > 1:
            raise BadInput(
                f"there are {len(columns)} sensitive columns, and the nodes belong to one of them",
                where=self.name,
                remedy="say with 'column' which one",
            )
        if guard is None:
            raise BadInput(
                "no column says what people want hidden (a release never holds it)",
                where=self.name,
                remedy="give a column the role 'guard' and check it together with the original",
            )
        return columns[0], guard


def _under(ladder: Ladder, node: str) -> NDArray[np.bool_]:
    """Say which values lie below a node."""
    under = np.zeros(ladder.rungs.shape[1], np.bool_)
    for rungs, labels in zip(ladder.rungs, ladder.labels, strict=True):
        under |= np.isin(rungs, [group for group, label in enumerate(labels) if label == node])
    return under


def _refuse_unknown(hierarchy: Hierarchy, ladder: Ladder, node: str, guards: Domain) -> None:
    """Refuse a node that is not in the hierarchy; it may well lie above no value of the table."""
    if any(node in labels for labels in ladder.labels):
        return
    listed = getattr(getattr(hierarchy, "hierarchy", hierarchy), "rows", None)
    if listed is None or not any(node in path for path in listed()):
        raise BadInput(
            "a guarding node is not in the hierarchy of the sensitive column",
            where=f"column '{guards.name}'",
            remedy="name nodes of the hierarchy, or leave the entry empty",
        )
