"""Two adversaries small enough to check by eye, for tests of the doors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pytest

from sfumato.core.attack import AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks import ATTACKS
from sfumato.table.attacks.contract import Knowledge, sensitive_column
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Alone:
    """Finds everybody who stands alone in a class, and nobody else."""

    name: ClassVar[str] = "alone"
    title: ClassVar[str] = "somebody stands alone"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE})

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Count classes of one person; say by how many columns and from how many people it started."""
        assert knowledge.people is not None
        people = int(target.class_persons.sum())
        hit = int((target.class_persons == 1).sum())
        known = knowledge.people.table.engine.rows(knowledge.people.table)
        return AttackResult(
            self.name,
            self.threat,
            people,
            hit / people,
            1 / people,
            1 / people,
            certain=hit,
            highest=float(hit > 0),
            scored=Scored.MEASURED,
            details={"columns": len(knowledge.people.columns), "known": known},
            victims=tuple(Victim(row, 1.0) for row in range(1, hit + 1)) if victims else (),
        )


@dataclass(frozen=True)
class Peek:
    """Is right about as many people in a hundred as it is told to be; ``trouble`` makes it fail."""

    percent: int = 0
    trouble: bool = False
    column: str | None = None
    name: ClassVar[str] = "peek"
    title: ClassVar[str] = "somebody peeks"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.SENSITIVE})

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Be right as often as told."""
        if self.trouble:
            raise BadInput("it cannot see", remedy="switch on the light")
        column = sensitive_column(self.name, self.column, target)
        return AttackResult(
            self.name, self.threat, 100, self.percent / 100, 0.0, 0.5, certain=self.percent, column=column
        )


@pytest.fixture
def adversaries() -> Iterator[None]:
    """Let recipes name these two and no others; afterwards all are back, in their order."""
    real = dict(ATTACKS)
    ATTACKS.clear()
    ATTACKS.update({kind.name: kind for kind in (Alone, Peek)})
    yield
    ATTACKS.clear()
    ATTACKS.update(real)
