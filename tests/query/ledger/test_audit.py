"""Whatever is changed behind the ledger's back is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError

from sfumato.core.errors import BadInput
from sfumato.query.ledger import charging
from sfumato.query.ledger.accounts import Accounts
from sfumato.query.ledger.audit import AuditResult, verify_chain
from sfumato.query.ledger.chain import BEGINNING, Head, entry_hash
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.sql_ledger import SqlLedger
from tests.query.ledger.ask import asked, give, one

TABLES = ("ledger_log", "ledger_spends", "ledger_answers")


def use(ledger: SqlLedger) -> None:
    """Make two accounts, five charges and four answers."""
    give(ledger, "0.5", "ann", "bo")
    accounts = Accounts(ledger)
    accounts.add("ann")
    accounts.add("bo")
    accounts.suspend("bo")
    accounts.suspend_data_set("ward")
    for i in range(5):
        spend = one(ledger, asked(f"q{i}")).spend
        if i < 4:
            ledger.store([(spend, f"answer {i}")])
    ledger.charge([asked("q5"), asked(analyst="bo")])


@pytest.fixture
def used(sqlite: SqlLedger) -> SqlLedger:
    """A ledger that was used; what an audit checks is the same on every database."""
    use(sqlite)
    return sqlite


def behind(ledger: SqlLedger, work: Callable[[Connection], object]) -> None:
    """Change something as an administrator of the database could, without triggers and foreign keys."""
    engine = create_engine(f"sqlite:///{ledger.connections.path}")
    with engine.begin() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars()
        for name in list(names):
            connection.execute(text(f"DROP TRIGGER {name}"))
        work(connection)
    engine.dispose()


def sql(*statements: str) -> Callable[[Connection], object]:
    return lambda connection: [connection.execute(text(statement)) for statement in statements]


def found(result: AuditResult) -> str:
    assert not result.holds
    assert str(result).startswith("refuted")
    return str(result)


def test_a_ledger_that_was_left_alone_is_not_refuted(ledger: SqlLedger) -> None:
    use(ledger)
    result = verify_chain(ledger, ledger.head())
    assert result.holds, result
    assert (result.charges, result.answers) == (5, 4)
    assert str(result).startswith("not refuted: chain, totals and answers fit together")


def test_the_database_itself_refuses_to_change_the_past(ledger: SqlLedger) -> None:
    use(ledger)
    sqlite = ledger.connections.path is not None
    for table in TABLES:
        key = "sequence" if table == "ledger_log" else "spend"
        everything = f"INTO {table} SELECT * FROM {table}"
        for statement in (
            f"UPDATE {table} SET {key} = {key} + 1000",
            f"DELETE FROM {table}",
            f"DELETE FROM {table} WHERE 1" if sqlite else f"TRUNCATE {table} CASCADE",
            f"INSERT OR REPLACE {everything}"
            if sqlite
            else f"INSERT {everything} ON CONFLICT ({key}) DO UPDATE SET {key} = 0",
        ):
            with pytest.raises(DBAPIError, match="append-only"), ledger.connections.engine.begin() as direct:
                direct.execute(text(statement))
    assert verify_chain(ledger).holds


TAMPERED = {
    "an entry was changed": (
        sql("UPDATE ledger_log SET body = replace(body, '\"0.1\"', '\"0.01\"') WHERE kind = 'charge'"),
        "it was changed after it was written",
    ),
    "a time was changed": (
        sql("UPDATE ledger_log SET time = time + 1"),
        "it was changed after it was written",
    ),
    "an entry was removed": (
        sql("DELETE FROM ledger_log WHERE sequence = 3"),
        "the entries 3 to 3 are missing",
    ),
    "two entries changed places": (
        sql(
            "UPDATE ledger_log SET sequence = -1 WHERE sequence = 2",
            "UPDATE ledger_log SET sequence = 2 WHERE sequence = 3",
            "UPDATE ledger_log SET sequence = 3 WHERE sequence = -1",
        ),
        "it does not follow the entry before it",
    ),
    "a total was lowered": (
        sql("UPDATE ledger_budgets SET spent = '0' WHERE scope = 'analyst' AND name = 'ann'"),
        "the budget of analyst 'ann' for data set 'clinic' differs from what the log adds up to",
    ),
    "a limit was raised": (
        sql("UPDATE ledger_budgets SET \"limit\" = '100' WHERE scope = 'data set'"),
        "the budget of data set 'clinic' for data set 'clinic' differs from what the log adds up to",
    ),
    "a budget was slipped in": (
        sql(
            "INSERT INTO ledger_budgets VALUES ('clinic', '', 'analyst', 'eve', 'basic', '9', '0', '0', '0')"
        ),
        "the budget of analyst 'eve' for data set 'clinic' is unknown to the log",
    ),
    "a budget was taken away": (
        sql("DELETE FROM ledger_budgets WHERE name = 'bo'"),
        "the budget of analyst 'bo' for data set 'clinic' is missing from the table",
    ),
    "an answer was changed": (
        sql("UPDATE ledger_answers SET answer = 'another' WHERE answer = 'answer 2'"),
        "the answer was changed after it was stored",
    ),
    "an answer was removed": (
        sql("DELETE FROM ledger_answers WHERE answer = 'answer 2'"),
        "the answer of this charge is missing",
    ),
    "an answer was slipped in for a charge": (
        sql("INSERT INTO ledger_answers SELECT max(spend), 'x' FROM ledger_spends"),
        "an answer that the log does not know",
    ),
    "an answer was slipped in without a charge": (
        sql("INSERT INTO ledger_answers VALUES (1, 'x')"),
        "an answer that was never charged",
    ),
    "a spend was removed": (
        sql("DELETE FROM ledger_spends WHERE spend = (SELECT max(spend) FROM ledger_spends)"),
        "the charge is missing from the table of spends",
    ),
    "a spend was slipped in": (
        sql("INSERT INTO ledger_spends VALUES (1, 'f', 'ann', 'clinic', 0)"),
        "the table of spends has something else than the log",
    ),
    "a key was resumed": (
        sql("UPDATE ledger_analysts SET suspended = false WHERE name = 'bo'"),
        "the account 'bo' differs from what the log tells",
    ),
    "a data set was resumed": (
        sql("UPDATE ledger_data_sets SET suspended = false"),
        "data set 'ward' was suspended or resumed past the log",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_is_found(used: SqlLedger, what: str) -> None:
    change, expected = TAMPERED[what]
    behind(used, change)
    assert expected in found(verify_chain(used))


def rewrite(connection: Connection, keep: Callable[[int, str], bool]) -> None:
    """Write the whole chain anew without some entries, hashes and numbers included."""
    rows = connection.execute(text("SELECT * FROM ledger_log ORDER BY sequence")).all()
    connection.execute(text("DELETE FROM ledger_log"))
    previous, sequence = BEGINNING, 0
    for row in rows:
        if keep(row.sequence, row.kind):
            sequence += 1
            value = entry_hash(sequence, row.time, row.kind, row.body, previous)
            connection.execute(
                text("INSERT INTO ledger_log VALUES (:s, :t, :k, :b, :p, :h)"),
                {"s": sequence, "t": row.time, "k": row.kind, "b": row.body, "p": previous, "h": value},
            )
            previous = value


def test_an_end_that_was_cut_off_is_found_by_a_head_that_was_kept(used: SqlLedger) -> None:
    """The last entry is a refusal; cut off together with its row, only the head can tell."""
    kept = used.head()
    behind(used, lambda connection: rewrite(connection, lambda sequence, _: sequence < kept.sequence))
    assert "the count of refusals of analyst 'bo' differs" in found(verify_chain(used))
    behind(used, sql("DELETE FROM ledger_refusals WHERE analyst = 'bo'"))
    assert verify_chain(used).holds
    assert f"the log ends before the head that was kept, entry {kept.sequence}" in found(
        verify_chain(used, kept)
    )


def test_a_chain_that_was_written_anew_is_found_by_a_head_that_was_kept(
    used: SqlLedger, tmp_path: Path
) -> None:
    kept = used.head()
    behind(used, lambda connection: rewrite(connection, lambda _, kind: kind != "refusal"))
    behind(used, sql("DELETE FROM ledger_refusals"))
    with pytest.raises(LedgerUnavailable, match="another ledger than before"):
        used.charge([asked("later")])
    forgetful = SqlLedger(f"sqlite:///{used.connections.path}", kept=tmp_path / "another.head")
    for i in range(3):
        forgetful.charge([asked(f"later {i}", f"1.{i}")])
        forgetful.charge([asked(f"later {i}", f"1.{i}", analyst=f"nobody {i}")])
    forgetful.close()
    assert used.head().sequence >= kept.sequence
    assert "the log has another entry at the head that was kept" in found(verify_chain(used, kept))


def test_a_charge_beyond_the_limit_of_its_time_is_found(used: SqlLedger) -> None:
    def forge(connection: Connection) -> None:
        """Add a charge that the ledger would have refused, hashed as it should be; totals fit."""
        rows = connection.execute(text("SELECT * FROM ledger_log ORDER BY sequence")).all()
        last = rows[-1]
        charge = next(row for row in rows if row.kind == "charge")
        body = charge.body.replace('"q0"', '"forged"')
        value = entry_hash(last.sequence + 1, last.time, "charge", body, last.hash)
        connection.execute(
            text("INSERT INTO ledger_log VALUES (:s, :t, 'charge', :b, :p, :h)"),
            {"s": last.sequence + 1, "t": last.time, "b": body, "p": last.hash, "h": value},
        )
        connection.execute(text("UPDATE ledger_budgets SET spent = '0.6' WHERE spent = '0.5'"))

    behind(used, forge)
    told = found(verify_chain(used))
    assert "the budget of its data set was overspent" in told
    assert "the budget of its analyst was overspent" in told


def test_a_charge_to_a_window_that_may_share_people_is_found(
    sqlite: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(sqlite)
    give(sqlite, window="2025")
    monkeypatch.setattr(charging, "mixed_windows", lambda *_: False)
    for window in ("", "2025"):
        one(sqlite, asked(window=window))
    assert "it may concern people of another window" in found(verify_chain(sqlite))


def test_the_log_says_who_did_what_and_holds_no_secret(used: SqlLedger) -> None:
    bodies = used.read(lambda c: list(c.execute(text("SELECT body FROM ledger_log")).scalars()))
    hashes = used.read(lambda c: list(c.execute(text("SELECT key_hash FROM ledger_analysts")).scalars()))
    assert not [body for body in bodies for value in hashes if value in body]
    (refusal,) = [json.loads(body) for body in bodies if "budget gone" in body]
    assert (refusal["analyst"], refusal["epsilon"], refusal["count"]) == ("ann", "0.1", 1)
    assert "question" not in refusal


def test_a_head_is_read_as_it_is_printed(used: SqlLedger) -> None:
    head = used.head()
    assert Head.read(f" {head}\n") == head
    for wrong in (
        "",
        "1",
        "1:",
        f"x:{head.hash}",
        f"1:{head.hash[:-1]}",
        f"1:{head.hash[:-1]}g",
        "²:" + "a" * 64,
    ):
        with pytest.raises(BadInput, match="this is no head of a log"):
            Head.read(wrong)
    with pytest.raises(BadInput, match="the key is too short"):
        head.seal(b"short")
