"""What a ledger does: charge, commit, and only then may data be read.

The invariant is *answered ⊆ charged*, at every point where the process may die:

1. ``charge`` checks and debits every scope in one durable transaction, and returns the spend's number;
2. the question is run;
3. ``store`` writes the answer under that number; the first answer stored is the one that counts;
4. what ``store`` returned is sent, never anything else.

A spend without an answer may be run again without charge: nothing left the server. Nothing is refunded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from sfumato.core.errors import SfumatoError
from sfumato.dp.price import Price


class Composition(StrEnum):
    """How a budget adds up spends; both stay valid when analysts choose adaptively."""

    BASIC = "basic"
    """Σε and Σδ"""
    ZCDP = "zcdp"
    """Σρ (a filter: Whitehouse, Ramdas, Rogers & Wu 2023), with Σδ of thresholds beside it"""


class Scope(StrEnum):
    """Whose budget."""

    DATA_SET = "data set"
    GROUP = "group"
    ANALYST = "analyst"


@dataclass(frozen=True)
class Budget:
    """What a scope may spend on one data set in one window. Exact decimals.

    BASIC: ``limit`` is ε; ZCDP: ``limit`` is ρ. ``delta`` limits Σδ in both (in ZCDP of thresholds only).
    """

    scope: Scope
    name: str
    """of the group or analyst; the data set's own name for DATA_SET"""
    data_set: str
    window: str
    composition: Composition
    limit: Decimal
    delta: Decimal
    spent: Decimal = Decimal(0)
    spent_delta: Decimal = Decimal(0)


@dataclass(frozen=True)
class Asked:
    """A question that is about to be paid."""

    analyst: str
    group: str
    """'' when the analyst belongs to none"""
    data_set: str
    window: str
    version: str
    """of the data"""
    question: str
    """canonical"""
    price: Price
    arrived: int | None = None
    """when it came, in whole seconds since 1970, where that is kept"""


@dataclass(frozen=True)
class Charged:
    """A spend that is durable. ``answer`` is the stored one of the same question by the same analyst."""

    spend: int
    fresh: bool
    """whether this call paid; otherwise an earlier one did"""
    answer: str | None = None


class BudgetGone(SfumatoError):
    """The budget does not reach (exit code 1). Decided from the ledger alone, never from data."""

    exit_code = 1


class Suspended(SfumatoError):
    """The key or the data set was suspended by its owner (exit code 1)."""

    exit_code = 1


class LedgerUnavailable(SfumatoError):
    """Locked, full or gone: nothing was charged and nothing will be answered (exit code 2)."""


class Ledger(Protocol):
    """Where spends are written. Every call is one or more whole transactions."""

    def charge(self, asked: Sequence[Asked]) -> list[Charged | SfumatoError]:
        """Pay for several questions in one durable transaction; each is paid or refused on its own."""

    def store(self, answers: Sequence[tuple[int, str]]) -> list[str]:
        """Write answers under their spends, durably; return for each the one that counts (the first)."""

    def budgets(self, data_set: str, window: str, *, analyst: str, group: str) -> list[Budget]:
        """Return the budgets that a question of this analyst would be charged to."""
