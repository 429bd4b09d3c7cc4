"""Short ways to ask."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from sfumato.core.errors import SfumatoError
from sfumato.dp.price import Price
from sfumato.query.ledger.contract import Asked, Budget, Charged, Composition, Ledger, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit


def asked(question: str = "q", epsilon: str = "0.1", **others: str) -> Asked:
    """A question by Ann on the clinic's data."""
    names = {"analyst": "ann", "group": "", "data_set": "clinic", "window": "", "version": "1", **others}
    return Asked(**names, question=question, price=Price.pure(epsilon))


def budget(scope: Scope, name: str, limit: str, **others: str) -> Budget:
    """A budget on the clinic's data that adds up ε."""
    return Budget(
        scope,
        name,
        others.get("data_set", "clinic"),
        others.get("window", ""),
        Composition(others.get("composition", "basic")),
        Decimal(limit),
        Decimal(others.get("delta", "0")),
    )


def give(ledger: SqlLedger, limit: str = "1", *analysts: str, **others: str) -> None:
    """Give the clinic and its analysts (Ann) the same limit."""
    ledger.set_budget(budget(Scope.DATA_SET, others.get("data_set", "clinic"), limit, **others))
    for analyst in analysts or ("ann",):
        ledger.set_budget(budget(Scope.ANALYST, analyst, limit, **others))


def open_windows(ledger: SqlLedger, *windows: str, data_set: str = "clinic") -> None:
    """Admit nobody, so that the windows share nobody."""
    for window in windows:
        admit(ledger, data_set, window, np.empty(0, np.int64))


def one(ledger: Ledger, question: Asked) -> Charged:
    """Charge one question that must be paid."""
    (found,) = ledger.charge([question])
    assert isinstance(found, Charged), found
    return found


def names(outcomes: list[Charged | SfumatoError]) -> list[str]:
    return [type(outcome).__name__ for outcome in outcomes]
