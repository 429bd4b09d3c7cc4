"""What a hostile reviewer tried on the ledger: each of these once went unseen, or would be dear if it did."""

from __future__ import annotations

import decimal
import hashlib
import threading
from decimal import Decimal

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from sfumato.core.errors import SfumatoError
from sfumato.dp.price import Price
from sfumato.query.ledger import charging
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Asked, Charged, Scope
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit
from tests.query.ledger.ask import asked, budget, give, names, one
from tests.query.ledger.test_audit import behind, found, sql, use


def test_a_key_that_was_exchanged_in_the_database_is_found(sqlite: SqlLedger) -> None:
    use(sqlite)
    mine = Accounts(sqlite).add("eve").rsplit("_", 1)[1]
    behind(
        sqlite,
        sql(
            "UPDATE ledger_analysts SET key_hash = "
            f"'{hashlib.sha256(mine.encode()).hexdigest()}' WHERE name = 'ann'"
        ),
    )
    assert "the account 'ann' differs" in found(verify_chain(sqlite))


def test_the_log_holds_nothing_to_check_a_key_by(sqlite: SqlLedger) -> None:
    key = Accounts(sqlite).add("ann")
    secret = key.rsplit("_", 1)[1]
    with sqlite.connections.engine.begin() as connection:
        log = str(connection.execute(text("SELECT body FROM ledger_log")).all())
    assert secret not in log
    assert hashlib.sha256(secret.encode()).hexdigest() not in log


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger_log SET time = 'noon' WHERE sequence = 4",
        "UPDATE ledger_log SET body = x'00ff' WHERE sequence = 4",
        "UPDATE ledger_log SET hash = 7 WHERE kind = 'answer'",
        "UPDATE ledger_answers SET answer = x'00ff'",
        "UPDATE ledger_answers SET answer = 7",
        "UPDATE ledger_budgets SET spent = x'30'",
        "UPDATE ledger_budgets SET spent = 'NaN'",
        "UPDATE ledger_log SET body = '[' WHERE sequence = 4",
        "UPDATE ledger_log SET body = printf('%.*c', 100000, '[') WHERE sequence = 4",
        "UPDATE ledger_log SET body = '[]' WHERE sequence > 3",
        "UPDATE ledger_log SET body = '{\"analyst\":[]}' WHERE kind = 'charge'",
        "UPDATE ledger_log SET body = replace(body, '\"0.1\"', 'null') WHERE kind = 'charge'",
        "UPDATE ledger_log SET body = replace(body, '\"0.1\"', '\"-0.1\"') WHERE kind = 'charge'",
        "UPDATE ledger_log SET body = replace(body, '\"0.1\"', '\"NaN\"') WHERE kind = 'charge'",
        "UPDATE ledger_log SET kind = 'gift' WHERE kind = 'charge'",
    ],
)
def test_whatever_nonsense_a_ledger_holds_an_audit_ends_with_refuted(sqlite: SqlLedger, change: str) -> None:
    use(sqlite)
    behind(sqlite, sql(change))
    found(verify_chain(sqlite))


def test_a_spend_cannot_be_replaced_by_another_of_the_same_question(ledger: SqlLedger) -> None:
    use(ledger)
    swap = (
        "INSERT {} INTO ledger_spends SELECT (SELECT MAX(sequence) FROM ledger_log), fingerprint, analyst, "
        "data_set, time FROM ledger_spends WHERE spend = (SELECT MIN(spend) FROM ledger_spends)"
    ).format("OR REPLACE" if ledger.connections.path is not None else "")
    with pytest.raises(DBAPIError), ledger.connections.engine.begin() as direct:
        direct.execute(text(swap))
    assert verify_chain(ledger).holds


def test_a_window_that_was_declared_whole_in_the_database_is_found(sqlite: SqlLedger) -> None:
    use(sqlite)
    admit(sqlite, "clinic", "", np.arange(3))
    assert verify_chain(sqlite).holds
    behind(sqlite, sql("UPDATE ledger_windows SET complete = 1"))
    assert "window '' of data set 'clinic' differs" in found(verify_chain(sqlite))
    behind(sqlite, sql("DELETE FROM ledger_windows"))
    assert "window '' of data set 'clinic' differs" in found(verify_chain(sqlite))


def test_charges_past_a_suspension_or_past_a_group_are_found(
    sqlite: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger whose code was changed so that it does not look at accounts."""
    give(sqlite, "1", "ann", "bo")
    sqlite.set_budget(budget(Scope.GROUP, "team", "1"))
    accounts = Accounts(sqlite)
    accounts.add("ann", group="team")
    accounts.add("bo")
    accounts.suspend("bo")
    honest = charging._desk

    def blind(*given: object) -> charging._Desk:
        desk = honest(*given)  # type: ignore[arg-type]
        desk.accounts.clear()
        return desk

    monkeypatch.setattr(charging, "_desk", blind)
    assert names(sqlite.charge([asked("past the group"), asked(analyst="bo")])) == ["Charged", "Charged"]
    told = found(verify_chain(sqlite))
    assert "a charge past the group of the analyst" in told
    assert "a charge while the analyst or the data set was suspended" in told


def test_sums_are_exact_whatever_the_decimals_of_the_thread_are_set_to(ledger: SqlLedger) -> None:
    """Contexts of ``decimal`` are per thread; one of three digits must not round what is spent."""
    limit, price = "1000000.000000000000000003", "0.000000000000000001"
    give(ledger, limit)
    outcomes: list[Charged | SfumatoError] = []

    def roughly() -> None:
        with decimal.localcontext(decimal.Context(prec=3, rounding=decimal.ROUND_DOWN)):
            first = Asked("ann", "", "clinic", "", "1", "large", Price.pure("1000000"))
            for question in [first, *(asked(f"q{i}", price) for i in range(4))]:
                outcomes.extend(ledger.charge([question]))

    thread = threading.Thread(target=roughly)
    thread.start()
    thread.join(60)
    assert names(outcomes) == ["Charged"] * 4 + ["BudgetGone"]
    spent = {each.spent for each in ledger.all_budgets()}
    assert spent == {Decimal(limit)}
    assert verify_chain(ledger).holds


@pytest.mark.postgres
def test_every_transaction_that_charges_waits_for_the_disk_whatever_the_session_says(
    postgres_url: str,
) -> None:
    """A pooler may hand each transaction another session, in which synchronous_commit was never set."""
    ledger = SqlLedger.create(postgres_url)
    give(ledger, "1")
    seen: list[str] = []

    def look(connection: object, _moment: int) -> None:
        seen.append(connection.execute(text("SHOW synchronous_commit")).scalar())  # type: ignore[attr-defined]

    with ledger.connections.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.autocommit = True
        raw.execute("SET synchronous_commit = off")
        raw.autocommit = False
    for _ in range(12):
        ledger.write(look)
        one(ledger, asked(f"q{len(seen)}", "0.01"))
    ledger.close()
    assert set(seen) == {"on"}
    assert len(seen) == 12
