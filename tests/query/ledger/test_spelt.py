"""Statements that are handed to the driver find what SQLAlchemy finds, and fail as it fails."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError

from sfumato.query.ledger import spelt
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.ledger.spelt import Spelt, SpeltOneOf
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.tables import BUDGETS, LOG

_NAMES = SpeltOneOf(BUDGETS.c.name, lambda those: select(BUDGETS.c.name, BUDGETS.c.limit).where(those))


def test_any_number_of_names_is_found_once_each(ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.set_budgets([_budget(f"analyst {i}") for i in range(0, 40, 2)])
    for most, asked in itertools.product([1, 4, 512], [0, 1, 2, 3, 5, 8, 9, 40]):
        monkeypatch.setattr(spelt, "MOST", most)
        names = [f"analyst {i}" for i in range(asked)]
        with ledger.connections.engine.begin() as connection:
            found = _NAMES.rows(connection, [*names, *names])
            wanted = connection.execute(
                select(BUDGETS.c.name, BUDGETS.c.limit).where(BUDGETS.c.name.in_(names))
            )
            assert sorted(found) == sorted(tuple(row) for row in wanted), (most, asked)
        assert len(found) == (asked + 1) // 2


def test_a_broken_rule_of_the_table_is_raised_as_sqlalchemy_would(ledger: SqlLedger) -> None:
    entry = {"sequence": 9, "time": 0, "kind": "k", "body": "{}", "previous": "0", "hash": "1"}
    with pytest.raises(DBAPIError), ledger.connections.engine.begin() as connection:
        Spelt(insert(LOG)).many(connection, [entry, entry])
    kinds = Spelt(select(LOG.c.kind).where(LOG.c.sequence == 9))
    assert ledger.read(lambda connection: kinds.rows(connection, {})) == []
    with pytest.raises(AssertionError), ledger.connections.engine.connect() as connection:
        kinds.rows(connection, {})


def test_what_went_wrong_in_one_transaction_does_not_reach_the_next(ledger: SqlLedger) -> None:
    def fail(connection: object, moment: int) -> None:
        raise KeyboardInterrupt

    for _ in range(3):
        ledger.set_budget(_budget("ann"))
        with pytest.raises(KeyboardInterrupt):
            ledger.write(fail)
        ledger.connections.engine.dispose()
    assert [budget.name for budget in ledger.all_budgets()] == ["ann"]
    ledger.close()
    assert [budget.name for budget in ledger.all_budgets()] == ["ann"]


def _budget(name: str) -> Budget:
    return Budget(Scope.ANALYST, name, "clinic", "", Composition.BASIC, Decimal(1), Decimal(0))
