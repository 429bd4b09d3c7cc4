"""Homogeneity: everybody in a class has the same sensitive value, so it is learned of all of them.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
(2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView
from sfumato.table.attacks.contract import Knowledge, People, sensitive_column
from sfumato.table.attacks.matching.candidates import Candidates, candidates
from sfumato.table.attacks.matching.who import Units, is_original, victims_by_combination
from sfumato.table.models.numbers import check_column
from sfumato.table.published import ClassValues, PublishedTable


@dataclass(frozen=True)
class Homogeneity:
    """The adversary knows the class of a person, and claims a value only where it is the only one.

    success = Σ { |E| : one value occurs in E } / N,  over all classes E of the N people in the release.
    Where people have several values, each that everybody in E has is learned of all of them.

    Every claim is sure and right. The attack works on any k-anonymous table whose classes lack diversity; it
    fails altogether after distinct l-diversity with l ≥ 2. Where a sensitive column is declared ``known``,
    classes are divided by it first. Without the target their class says the same, unless they are alone in
    it: the baseline is then nearly the success, and it is the success that is to be bounded.

    With an identified file the same is asked of its people alone: somebody is hit when all the records that
    may be theirs have one value. Who of them is in the release nobody knows: these are claims.

    >>> Homogeneity().title
    'all who look alike have one value'
    """

    column: str | None = None
    name: ClassVar[str] = "homogeneity"
    title: ClassVar[str] = "all who look alike have one value"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})
    uses: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def __post_init__(self) -> None:
        check_column(self.column, self.name)

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for classes with a single value."""
        progress.step("looking for classes with one value")
        if knowledge.people is not None and not is_original(knowledge.people, knowledge):
            return self._of_people(target, knowledge.people, knowledge, victims)
        view = ClassView.of(self.name, self.column, target)
        hit = view.persons == view.size
        learned = view.counted(hit)
        # Who is alone is looked for in the rest of the table, which is sure only if it has one value.
        one_value = int(np.count_nonzero(view.values.added_up)) == 1 and view.attempts > 1
        anyway = view.counted(hit & ((view.size > 1) | one_value))
        empty = [code for code, value in enumerate(view.values.domain.values) if value is None]
        return view.result(
            self.threat,
            learned / view.attempts,
            anyway / view.attempts,
            certain=learned,
            highest=float(view.shares.max()),
            details={
                "classes_with_one_value": len(np.unique(view.part[hit])),
                "of_whom_no_value_is_given": view.counted(hit & np.isin(view.values.codes, empty)),
            },
            victims=view.victims(hit, view.shares) if victims else (),
        )

    def _of_people(
        self, target: PublishedTable, people: People, knowledge: Knowledge, victims: bool
    ) -> AttackResult:
        """Look for people of a file all of whose candidate records have one value."""
        column = sensitive_column(self.name, self.column, target)
        found = candidates(target, people, knowledge.hierarchies)
        values = found.release.values_of(column)
        units = Units.of(found)
        if not units.people:
            raise BadInput(
                "no row of the identified file says who it is about",
                where=self.name,
                remedy="check its person column, or leave it out",
            )
        hit = _one_value(found, values)
        everywhere = int(np.count_nonzero(values.added_up)) == 1
        learned, anyway, matched = (
            int(units.weights[units.best(some.astype(np.float64)) > 0].sum())
            for some in (hit, hit & ((found.people > 1) | everywhere), found.records > 0)
        )
        notes = ["nobody knows who of the file is in the release", *found.notes]
        if lost := units.people - matched:
            notes.insert(0, f"{lost:,} of {units.people:,} people of the file fit no record")
        return AttackResult(
            self.name,
            self.threat,
            units.people,
            learned / units.people,
            anyway / units.people,
            int(values.added_up.max(initial=0)) / max(1, int(values.added_up.sum())),
            certain=learned,
            highest=float(learned > 0),
            column=column,
            scored=Scored.CLAIMED,
            details={"people_who_fit_no_record": lost, "columns": ", ".join(found.columns)},
            note="; ".join(notes),
            victims=victims_by_combination(people, found, hit.astype(np.float64), found.records)
            if victims
            else (),
        )


def _one_value(found: Candidates, values: ClassValues) -> NDArray[np.bool_]:
    """Find of each combination whether all the records that agree with it have one and the same value."""
    most = len(values.domain)
    least, largest = np.full(len(found.class_rows), most), np.full(len(found.class_rows), -1)
    part = np.repeat(values.owner, np.diff(values.starts))
    np.minimum.at(least, part, values.codes)
    np.maximum.at(largest, part, values.codes)
    starts, classes = found.listed
    owner = np.repeat(np.arange(len(found)), np.diff(starts))
    low, high = np.full(len(found), most), np.full(len(found), -1)
    np.minimum.at(low, owner, least[classes])
    np.maximum.at(high, owner, largest[classes])
    return np.asarray((low == high) & (high >= 0), np.bool_)
