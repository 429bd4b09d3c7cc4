"""Known value: the adversary knows one sensitive value of the person, and uses it like a quasi-identifier.

A. Machanavajjhala, J. Gehrke, D. Kifer & M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
(2006), on instance-level knowledge; "Bob was admitted with flu" of the lectures on k-anonymity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.attack import AttackResult, Need
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.classes.class_view import ClassView, Shares
from sfumato.table.attacks.contract import Knowledge, sensitive_column
from sfumato.table.models.numbers import check_column
from sfumato.table.models.sensitive import besides
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class KnownValue:
    """The adversary knows somebody's quasi-identifiers and their value of ``column``, and finds their record.

    Of f_v(E) people in class E who have the known value v, one is picked:  success = Σ_E Σ_v 1 / N,  that is
    the number of pairs (class, value) that occur over the number N of people. The details tell of how many
    the value of another sensitive column is then learned for sure.

    k-anonymity does not stop it, since the known column is no quasi-identifier; a quasi-identifier of it
    would. Declared ``known``, models about the other columns hold among those who share it. The baseline is
    a pick at random, and ``by_quasi_identifiers_alone`` what the same adversary finds without the value.

    >>> KnownValue().title
    'one sensitive value of the person is known'
    """

    column: str | None = None
    name: ClassVar[str] = "known-value"
    title: ClassVar[str] = "one sensitive value of the person is known"
    threat: ClassVar[Threat] = Threat.IDENTITY
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
        """Divide every class by the known value."""
        progress.step("dividing classes by a known value")
        known = sensitive_column(self.name, self.column, target)
        view = ClassView.of(self.name, known, target)
        found: Shares = 1.0 / view.persons
        details: dict[str, int | float | str] = {
            "by_quasi_identifiers_alone": len(view.values) / view.attempts,
        }
        for other in besides(known, target.sensitive):
            values = target.values_of(other, (*besides(other, target.known), known))
            single = np.diff(values.starts) == 1
            details[f"sure_of_{other}"] = int(values.totals[single].sum())
        return view.result(
            self.threat,
            len(view.persons) / view.attempts,
            1 / view.attempts,
            guessing=1 / view.attempts,
            certain=view.counted(view.persons == 1),
            highest=float(found.max()),
            details=details,
            victims=view.victims(view.persons == 1, found, view.persons) if victims else (),
        )
