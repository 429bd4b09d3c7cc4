"""Homogeneity: everybody in a class has the same sensitive value, so it is learned of all of them.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
(2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.attack import AttackResult, Need
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.models.numbers import check_column
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Homogeneity:
    """The adversary knows the class of a person, and claims a value only where it is the only one.

    success = Σ { |E| : one value occurs in E } / N,  over all classes E of the N people in the release.
    Where people have several values, each that everybody in E has is learned of all of them.

    Every claim is sure and right. The attack works on any k-anonymous table whose classes lack diversity; it
    fails altogether after distinct l-diversity with l ≥ 2. Where a sensitive column is declared ``known``,
    classes are divided by it first. Without the target their class says the same, unless they are alone in
    it: the baseline is then nearly the success, and it is the success that is to be bounded.

    >>> Homogeneity().title
    'all who look alike have one value'
    """

    column: str | None = None
    name: ClassVar[str] = "homogeneity"
    title: ClassVar[str] = "all who look alike have one value"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

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
