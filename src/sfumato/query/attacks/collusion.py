"""Collusion: several analysts, each within a budget, put their answers together.

A budget for every analyst alone lets k of them learn k times as much: F. McSherry, "Privacy integrated
queries" (2009), keeps one per data set, whoever asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.dp.exact import Number
from sfumato.query.attacks.averaging import Averaging
from sfumato.query.attacks.contract import Asker, Person


@dataclass(frozen=True)
class Collusion:
    """Let analysts ask the same count of one person with the secret, in turn, and average over all of them.

    With noise that is theirs alone, each analyst's answer adds. What they are told together must stay within
    the budget of the data set: ``epsilon in all`` of the details.
    """

    table: str
    secret: str
    analysts: tuple[str, ...]
    epsilon: Number = "0.1"
    name: ClassVar[str] = "collusion"
    title: ClassVar[str] = "analysts who put their answers together"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE

    def __post_init__(self) -> None:
        if len(set(self.analysts)) < 2:
            raise BadInput("at least two analysts collude", where=self.name, remedy="name more of them")

    def run(self, target: Asker, people: Sequence[Person]) -> AttackResult:
        """Attack people one after another until the target refuses."""
        together = Averaging(
            self.table, self.secret, self.epsilon, repeats=len(self.analysts), analysts=self.analysts
        )
        found = together.run(target, people)
        return replace(found, attack=self.name, details={**found.details, "analysts": len(self.analysts)})
