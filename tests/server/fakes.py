"""A ledger in memory whose steps can be held, failed and counted: to force interleavings."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from sfumato.core.errors import SfumatoError
from sfumato.dp.price import Price
from sfumato.query.cost import Cost
from sfumato.query.ledger.contract import Asked, Budget, BudgetGone, Charged


def asked(analyst: str, question: str, epsilon: str = "0.1") -> Asked:
    """A question to pay for."""
    return Asked(analyst, "", "people", "", "1", question, Price.pure(epsilon))


@dataclass(frozen=True)
class Understood:
    """A question that was understood."""

    asked: Asked
    cost: Cost = field(default_factory=Cost)


@dataclass
class FakeLedger:
    """Each analyst may spend ``limit``; ``gate`` holds every charge, ``fail`` is raised by the next call."""

    limit: Decimal = Decimal(1)
    gate: threading.Event = field(default_factory=threading.Event)
    charging: threading.Event = field(default_factory=threading.Event)
    fail_charge: list[Exception] = field(default_factory=list)
    fail_store: list[Exception] = field(default_factory=list)
    spends: dict[tuple[str, str], int] = field(default_factory=dict)
    spent: dict[str, Decimal] = field(default_factory=dict)
    answers: dict[int, str] = field(default_factory=dict)
    batches: list[list[str]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate.set()

    def charge(self, asked: Sequence[Asked]) -> list[Charged | SfumatoError]:
        self.charging.set()
        assert self.gate.wait(10)
        if self.fail_charge:
            raise self.fail_charge.pop(0)
        self.batches.append([f"{one.analyst}:{one.question}" for one in asked])
        return [self._one(one) for one in asked]

    def _one(self, one: Asked) -> Charged | SfumatoError:
        key = (one.analyst, one.question)
        if key in self.spends:
            return Charged(self.spends[key], False, self.answers.get(self.spends[key]))
        price = one.price.epsilon
        assert price is not None
        if self.spent.get(one.analyst, Decimal(0)) + price > self.limit:
            return BudgetGone("the budget does not reach")
        self.spent[one.analyst] = self.spent.get(one.analyst, Decimal(0)) + price
        self.spends[key] = len(self.spends) + 1
        self.events.append(f"charged {self.spends[key]}")
        return Charged(self.spends[key], True)

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        if self.fail_store:
            raise self.fail_store.pop(0)
        for spend, text in answers:
            assert spend in self.spends.values(), "an answer without a charge"
            self.answers.setdefault(spend, text)
            self.events.append(f"stored {spend}")
        return [self.answers[spend] for spend, _ in answers]

    def budgets(self, data_set: str, window: str, *, analyst: str, group: str) -> list[Budget]:
        return []
